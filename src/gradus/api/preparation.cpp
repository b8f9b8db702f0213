// Replaying: the columns of a table, matched by name, through their recipes.
#include "gradus/api/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() < 10) shown.push_back(in_quotes(name));
  }
  const std::string more = names.size() > shown.size() ? ", …" : "";
  return join(shown, ", ") + more;
}

// The column's codes over the levels that training saw.
Column matched_codes(const Column& column, const SourceColumn& source, Unseen policy,
                     UnseenReport* report) {
  Column nominal = as_nominal(column);
  if (nominal.levels() == source.levels) return nominal;
  std::unordered_map<std::string_view, std::int32_t> known;
  for (std::size_t i = 0; i < source.levels.size(); ++i) {
    known.emplace(source.levels[i], static_cast<std::int32_t>(i));
  }
  // A model of this policy has the level; ordered categories have no place for it.
  const auto other = known.find(kOtherLevel);
  const bool has_other = policy == Unseen::other && other != known.end();
  std::vector<std::int32_t> translation(nominal.levels().size(), kMissingCode);
  for (std::size_t i = 0; i < translation.size(); ++i) {
    if (const auto found = known.find(nominal.levels()[i]); found != known.end()) {
      translation[i] = found->second;
    }
  }
  UnseenReport::Column unseen{.name = source.name};
  std::vector<std::int32_t> codes(nominal.size(), kMissingCode);
  for (std::size_t row = 0; row < nominal.size(); ++row) {
    const std::int32_t code = nominal.code(row);
    if (code == kMissingCode) continue;
    codes[row] = translation[static_cast<std::size_t>(code)];
    if (codes[row] != kMissingCode) continue;
    const std::string& level = nominal.levels()[static_cast<std::size_t>(code)];
    if (policy == Unseen::error) {
      throw Error(ErrorKind::bad_data, "column " + in_quotes(source.name),
                  fmt::format("row {}: the category {} did not occur in training", row + 1,
                              in_quotes(level)),
                  did_you_mean(level, source.levels));
    }
    if (has_other) codes[row] = other->second;
    if (unseen.rows++ == 0) unseen.example = level;
  }
  if (unseen.rows > 0 && report != nullptr) {
    unseen.near = did_you_mean(unseen.example, source.levels);
    unseen.other = has_other;
    report->columns.push_back(std::move(unseen));
  }
  return Column::nominal(source.name, std::move(codes), source.levels);
}

Column matched_numbers(const Column& column, const SourceColumn& source) {
  if (column.is_numeric()) return column;
  // A column that is wholly missing has no type of its own.
  if (column.missing_count() == column.size()) {
    return Column::numeric(
        source.name, std::vector<double>(column.size(), std::numeric_limits<double>::quiet_NaN()));
  }
  std::size_t row = 0;
  while (column.missing(row)) ++row;
  throw Error(ErrorKind::bad_data, "column " + in_quotes(source.name),
              fmt::format("row {}: the model expects a number, got {}", row + 1,
                          in_quotes(column.text_at(row))));
}

std::shared_ptr<const CsrMatrix> matched_sparse(const Preparation& plan, const Dataset& data,
                                                Extra extra, UnseenReport& report) {
  if (!data.sparse()) {
    throw Error(ErrorKind::bad_data, "", "the model was trained on sparse data, this is dense",
                "give the data in LIBSVM format");
  }
  const auto& matrix = data.sparse()->matrix;
  const auto cols = static_cast<std::size_t>(plan.sparse_columns);
  if (matrix->cols == cols) return matrix;
  report.absent_features = cols - std::min(cols, matrix->cols);
  CsrArrays fitted;
  fitted.cols = cols;
  for (std::size_t row = 0; row < matrix->rows(); ++row) {
    const auto index = matrix->row_index(row);
    const auto value = matrix->row_value(row);
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (index[k] < cols) {
        fitted.add(index[k], value[k]);
      } else if (extra == Extra::error) {
        throw Error(ErrorKind::bad_data, fmt::format("row {}", row + 1),
                    fmt::format("feature {} is beyond the {} of training", index[k] + 1, cols),
                    "drop such features with --extra ignore");
      } else {
        ++report.dropped_values;
      }
    }
    fitted.end_row();
  }
  return std::make_shared<const CsrMatrix>(std::move(fitted));
}

// The unknown names that look like an absent one: `"color" may be "colour"`.
std::string likenesses(const std::vector<std::string>& absent,
                       const std::vector<std::string>& unknown) {
  constexpr std::size_t kMost = 3;  // comparing all pairs of many names helps nobody
  if (absent.size() > 100 || unknown.size() > 100) return {};
  std::vector<std::string> pairs;
  for (const std::string& name : absent) {
    const std::vector<std::string> close = nearest(name, unknown, 1);
    if (close.empty() || pairs.size() == kMost) continue;
    pairs.push_back(fmt::format("{} may be {}", in_quotes(name), in_quotes(close.front())));
  }
  return pairs.empty() ? "" : "; " + join(pairs, ", ");
}

void require_same_columns(const Preparation& plan, const Dataset& data, Extra extra) {
  std::vector<std::string> absent;
  std::unordered_set<std::string_view> known(plan.unused.begin(), plan.unused.end());
  for (const SourceColumn& source : plan.sources) {
    known.insert(source.name);
    if (data.find(source.name) == nullptr) absent.push_back(source.name);
  }
  std::vector<std::string> unknown;
  for (const Column& column : data.columns()) {
    if (!known.contains(column.name())) unknown.push_back(column.name());
  }
  const bool refuse_unknown = extra == Extra::error && !unknown.empty();
  if (absent.empty() && !refuse_unknown) return;
  std::string message;
  if (!absent.empty()) message = "missing columns: " + listed(absent);
  if (!unknown.empty()) {
    message += (message.empty() ? "" : "; ") + std::string("unknown columns: ") + listed(unknown);
  }
  throw Error(ErrorKind::bad_data, "", message,
              absent.empty() ? "leave them out with --extra ignore"
                             : "columns are matched by name; the order does not matter" +
                                   likenesses(absent, unknown));
}

}  // namespace

Features Preparation::apply(const Dataset& data, Extra extra, UnseenReport* report) const {
  UnseenReport unread;
  if (sparse) {
    return Features(matched_sparse(*this, data, extra, report == nullptr ? unread : *report));
  }
  if (data.sparse()) {
    throw Error(ErrorKind::bad_data, "", "the model was trained on dense data, this is sparse",
                "convert the data first: gradus convert in.libsvm out.csv");
  }
  require_same_columns(*this, data, extra);
  std::vector<Column> matched;
  for (const SourceColumn& source : sources) {
    const Column& column = data.column(source.name);
    matched.push_back(source.kind == ColumnKind::numeric
                          ? matched_numbers(column, source)
                          : matched_codes(column, source, unseen, report));
  }
  std::vector<FeatureColumn> columns;
  columns.reserve(features.size());
  for (const PreparedFeature& feature : features) {
    columns.push_back(
        {matched[static_cast<std::size_t>(feature.source)],
         {feature.op, feature.level, feature.table, feature.fill, feature.shift, feature.scale}});
  }
  return Features(data.rows(), std::move(columns));
}

void Preparation::leave_missing() {
  for (PreparedFeature& feature : features) {
    feature.fill = std::numeric_limits<double>::quiet_NaN();
  }
}

bool Preparation::is_place(const PreparedFeature& feature) const {
  if (sources[static_cast<std::size_t>(feature.source)].kind != ColumnKind::ordinal ||
      feature.op != FeatureOp::lookup || feature.shift != 0 || feature.scale != 1) {
    return false;
  }
  double place = 0;
  return std::all_of(feature.table.begin(), feature.table.end(),
                     [&](double number) { return number == place++; });
}

FeatureNames Preparation::feature_names() const {
  if (sparse) {
    return {sparse_prefix, static_cast<std::size_t>(sparse_first),
            static_cast<std::size_t>(sparse_columns)};
  }
  std::vector<FeatureNames::Stored> names;
  names.reserve(features.size());
  for (const PreparedFeature& feature : features) {
    const SourceColumn& source = sources[static_cast<std::size_t>(feature.source)];
    const bool codes = source.kind != ColumnKind::numeric && feature.op == FeatureOp::value;
    names.push_back({feature.name, codes, codes ? source.levels : std::vector<std::string>{},
                     is_place(feature) ? source.levels : std::vector<std::string>{}});
  }
  return FeatureNames(std::move(names));
}

void Preparation::check() const {
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorKind::bad_data, "model", "invalid preparation: " + why);
  };
  constexpr std::int64_t kMostSparse = 100'000'000;  // as for the files that they come from
  if (sparse_columns < 0 || sparse_columns > kMostSparse || sparse_first < 0 ||
      sparse_first > kMostSparse) {
    refuse(fmt::format("{} sparse columns from {}", sparse_columns, sparse_first));
  }
  if (sparse ? !features.empty() || !sources.empty() : sparse_columns > 0) {
    refuse("it is both sparse and dense");
  }
  for (const PreparedFeature& feature : features) {
    if (feature.source < 0 || static_cast<std::size_t>(feature.source) >= sources.size()) {
      refuse(fmt::format("feature {} reads column {} of {}", in_quotes(feature.name),
                         feature.source, sources.size()));
    }
    const SourceColumn& source = sources[static_cast<std::size_t>(feature.source)];
    if (source.kind == ColumnKind::text) refuse("text columns cannot be read");
    const auto levels = source.kind == ColumnKind::numeric ? 0 : source.levels.size();
    const bool coded = feature.op != FeatureOp::value;
    const std::size_t numbers = feature.op == FeatureOp::lookup ? levels : 0;
    if ((coded && source.kind == ColumnKind::numeric) || feature.table.size() != numbers) {
      refuse(fmt::format("the table of {} does not fit its levels", in_quotes(feature.name)));
    }
    if (feature.level < 0 || static_cast<std::size_t>(feature.level) >= std::max(levels, 1UL)) {
      refuse(fmt::format("{} tests for level {} of {}", in_quotes(feature.name), feature.level,
                         levels));
    }
    const auto finite = [](double number) { return std::isfinite(number); };
    if (!std::all_of(feature.table.begin(), feature.table.end(), finite)) {
      refuse(fmt::format("the table of {} holds a number that is not finite",
                         in_quotes(feature.name)));
    }
    if (!std::isfinite(feature.shift) || !std::isfinite(feature.scale) ||
        std::isinf(feature.fill)) {
      refuse(fmt::format("{} is scaled by a number that is not finite", in_quotes(feature.name)));
    }
  }
}

}  // namespace gradus
