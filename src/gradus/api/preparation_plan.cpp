// Planning: which recipe each column gets.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/api/preparation.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// A dense copy of a sparse block larger than this is refused even without a memory limit.
constexpr std::size_t kMaxDenseColumns = 100000;

[[noreturn]] void refuse_column(const Info& info, const Column& column, const std::string& why,
                                const std::string& hint) {
  throw Error(ErrorKind::usage, "column " + in_quotes(column.name()),
              fmt::format("{} {}", info.name, why), hint);
}

// Weights of the rows; none: every row weighs 1. A weight of three is a row written three times in
// everything that preparation learns.
class RowWeights {
 public:
  explicit RowWeights(std::span<const double> weights) : weights_(weights) {}
  double operator[](std::size_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }
  bool all_one() const { return weights_.empty(); }

 private:
  std::span<const double> weights_;
};

// The weighted mean of the values that are there; 0 when nothing weighs.
double weighted_mean(const Column& column, const RowWeights& weights) {
  double total = 0;
  double mean = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double x = column.number(row);
    if (std::isnan(x) || weights[row] == 0) continue;
    total += weights[row];
    mean += (x - mean) * (weights[row] / total);
  }
  return mean;
}

// The population standard deviation; 1 where the column is constant up to rounding.
double spread_of(const Column& column, double mean, const RowWeights& weights) {
  double sum = 0;
  double total = 0;
  double largest = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double x = column.number(row);
    if (std::isnan(x) || weights[row] == 0) continue;
    sum += weights[row] * ((x - mean) * (x - mean));
    largest = std::max(largest, std::abs(x));
    total += weights[row];
  }
  const double deviation = total == 0 ? 0.0 : std::sqrt(sum / total);
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * largest;
  return std::isfinite(deviation) && deviation > rounding ? deviation : 1.0;
}

std::int32_t most_frequent_code(const Column& column, const RowWeights& weights) {
  std::vector<double> counts(column.levels().size(), 0);
  for (std::size_t row = 0; row < column.size(); ++row) {
    const std::int32_t code = column.code(row);
    if (code != kMissingCode) counts[static_cast<std::size_t>(code)] += weights[row];
  }
  return static_cast<std::int32_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

// Mean of the target per level, pulled towards the overall mean by `kPull` imaginary rows.
std::vector<double> target_means(const Column& column, const std::vector<double>& target,
                                 const RowWeights& weights) {
  constexpr double kPull = 10;
  double sum = 0;
  double total = 0;
  for (std::size_t row = 0; row < target.size(); ++row) {
    sum += weights[row] * target[row];
    total += weights[row];
  }
  const double overall = total == 0 ? 0.0 : sum / total;
  std::vector<double> sums(column.levels().size(), kPull * overall);
  std::vector<double> counts(column.levels().size(), kPull);
  for (std::size_t row = 0; row < column.size(); ++row) {
    const std::int32_t code = column.code(row);
    if (code == kMissingCode) continue;
    sums[static_cast<std::size_t>(code)] += weights[row] * target[row];
    counts[static_cast<std::size_t>(code)] += weights[row];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i];
  return sums;
}

class Planner {
 public:
  Planner(const Info& info, const PrepareOptions& options, const TargetNumbers& target)
      : info_(info), options_(options), target_(target), weights_(target.weights) {
    plan_.unseen = options.unseen;
  }

  // `facts` are those of the survey.
  void add(const Column& column, const ColumnSurvey& facts) {
    const auto source = static_cast<std::int32_t>(plan_.sources.size());
    if (column.kind() == ColumnKind::text) {
      refuse_column(info_, column, "cannot use a text column",
                    "leave it out with --ignore, or declare it --nominal if it holds categories");
    }
    refuse_missing(column, facts);
    plan_.sources.push_back({column.name(), column.kind(), {}});
    if (column.is_numeric()) {
      add_numeric(column, facts, source);
    } else {
      const Column whole = with_other_level(column);
      plan_.sources.back().levels = whole.levels();
      add_categorical(whole, source);
    }
  }

  Preparation take() { return std::move(plan_); }

 private:
  bool takes_missing() const { return info_.accepts.has(Accept::missing); }

  Column with_other_level(const Column& column) const {
    if (options_.unseen != Unseen::other || column.kind() != ColumnKind::nominal) return column;
    const std::vector<std::string>& levels = column.levels();
    if (std::find(levels.begin(), levels.end(), kOtherLevel) != levels.end()) return column;
    std::vector<std::string> more = levels;
    more.emplace_back(kOtherLevel);
    std::vector<std::int32_t> codes(column.size());
    for (std::size_t row = 0; row < codes.size(); ++row) codes[row] = column.code(row);
    return Column::nominal(column.name(), std::move(codes), std::move(more));
  }

  void refuse_missing(const Column& column, const ColumnSurvey& facts) const {
    if (takes_missing() || options_.missing == Missing::impute) return;
    if (column.is_numeric() && facts.missing == 0) return;
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (!column.missing(row)) continue;
      throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
                  fmt::format("row {} is missing (NaN), and {} cannot take missing values", row + 1,
                              info_.name),
                  "impute first, or let Gradus do it with --missing impute");
    }
  }

  void add_numeric(const Column& column, const ColumnSurvey& facts, std::int32_t source) {
    if (!info_.accepts.has(Accept::numeric)) {
      refuse_column(info_, column, "takes nominal columns only, this one is numeric",
                    "declare it --nominal if its numbers are categories, leave it out with "
                    "--ignore, or use a learner that takes numbers (`gradus list`)");
    }
    PreparedFeature feature{.name = column.name(), .source = source};
    const double mean = weights_.all_one() ? facts.mean : weighted_mean(column, weights_);
    if (!takes_missing()) feature.fill = mean;
    if (options_.standardize) {
      feature.shift = mean;
      feature.scale = 1 / spread_of(column, mean, weights_);
    }
    plan_.features.push_back(std::move(feature));
  }

  void add_categorical(const Column& column, std::int32_t source) {
    PreparedFeature feature{.name = column.name(), .source = source};
    const std::int32_t common = column.levels().empty() ? 0 : most_frequent_code(column, weights_);
    if (column.kind() == ColumnKind::ordinal && info_.accepts.has(Accept::ordinal) &&
        !options_.encode) {
      return add_lookup(std::move(feature), places(column), common);
    }
    if (info_.accepts.has(Accept::nominal) && !options_.encode) {
      if (!takes_missing()) feature.fill = static_cast<double>(common);
      plan_.features.push_back(std::move(feature));
      return;
    }
    if (!info_.accepts.has(Accept::numeric)) {
      throw Error(ErrorKind::usage, "--encode",
                  fmt::format("{} takes categories as they are, and no numbers", info_.name),
                  "leave --encode out");
    }
    switch (options_.encode.value_or(info_.encode)) {
      case Encoding::one_hot: return add_indicators(column, source, 0);
      case Encoding::dummy: return add_indicators(column, source, 1);
      case Encoding::ordinal: return add_lookup(std::move(feature), places(column), common);
      case Encoding::target:
        if (target_.values.empty()) {
          refuse_column(info_, column, "has no numeric or two-class target to encode by",
                        "use --encode one_hot");
        }
        return add_lookup(std::move(feature), target_means(column, target_.values, weights_),
                          common);
    }
  }

  // The places of the levels in their order.
  static std::vector<double> places(const Column& column) {
    std::vector<double> out(column.levels().size());
    std::iota(out.begin(), out.end(), 0.0);
    return out;
  }

  void add_lookup(PreparedFeature feature, std::vector<double> table, std::int32_t common) {
    feature.op = FeatureOp::lookup;
    feature.table = std::move(table);
    if (!takes_missing() && !feature.table.empty()) {
      feature.fill = feature.table[static_cast<std::size_t>(common)];
    }
    plan_.features.push_back(std::move(feature));
  }

  void add_indicators(const Column& column, std::int32_t source, std::size_t first) {
    const auto& levels = column.levels();
    const std::int32_t common = levels.empty() ? 0 : most_frequent_code(column, weights_);
    for (std::size_t level = first; level < levels.size(); ++level) {
      PreparedFeature feature{.name = column.name() + "=" + levels[level], .source = source};
      feature.op = FeatureOp::indicator;
      feature.level = static_cast<std::int32_t>(level);
      if (!takes_missing()) feature.fill = feature.level == common ? 1.0 : 0.0;
      plan_.features.push_back(std::move(feature));
    }
  }

  const Info& info_;
  const PrepareOptions& options_;
  const TargetNumbers& target_;
  RowWeights weights_;
  Preparation plan_;
};

void plan_sparse(Preparation& plan, const Info& info, const SparseBlock& block,
                 const Context& context) {
  const std::size_t rows = block.matrix->rows();
  const std::size_t cols = block.matrix->cols;
  if (!info.accepts.has(Accept::sparse)) {
    if (cols > kMaxDenseColumns) {
      throw Error(ErrorKind::limit, "",
                  fmt::format("{} needs dense data, and {} sparse columns are more than {}",
                              info.name, cols, kMaxDenseColumns),
                  "use a learner that takes sparse data (`gradus list`)");
    }
    context.require_memory(rows * cols * sizeof(double), "a dense copy of the sparse data");
  }
  plan.sparse = true;
  plan.sparse_columns = static_cast<std::int64_t>(cols);
  plan.sparse_prefix = block.prefix;
  plan.sparse_first = static_cast<std::int64_t>(block.first_index);
}

}  // namespace

Preparation plan_preparation(const Info& info, const Dataset& data,
                             const std::vector<std::string>& columns, const PrepareOptions& options,
                             const TargetNumbers& target, const Context& context) {
  Planner planner(info, options, target);
  const Survey own = target.survey == nullptr ? survey(data, context) : Survey();
  const Survey& facts = target.survey == nullptr ? own : *target.survey;
  for (const std::string& name : columns) {
    const Column& column = data.column(name);
    const auto index = static_cast<std::size_t>(&column - data.columns().data());
    planner.add(column, facts.columns[index]);
  }
  Preparation plan = planner.take();
  if (data.sparse()) {
    if (!plan.sources.empty()) {
      throw Error(ErrorKind::usage, "column " + in_quotes(plan.sources.front().name),
                  "a dense column beside sparse features is not supported",
                  "leave it out with --ignore");
    }
    plan_sparse(plan, info, *data.sparse(), context);
  }
  return plan;
}

}  // namespace gradus
