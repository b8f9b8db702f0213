#include "gradus/models/meta/pipeline/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/rows/subset.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/meta/inner_member.hpp"
#include "gradus/trace/nested.hpp"

namespace gradus {

template const Entry& entry<Pipeline>();

namespace {

[[noreturn]] void refuse(const char* why) { throw Error(ErrorKind::bad_data, "model", why); }

// The columns of a block of rows on their way through the stations.
struct Scratch {
  std::vector<double> filled;
  std::vector<double> expanded;
  std::vector<double> selected;
  std::vector<double> projected;
};

RowBlock prepared(const PipelineModel& model, const RowBlock& rows, Scratch& scratch) {
  const RowBlock wide = model.expanded(model.filled(rows, scratch.filled), scratch.expanded);
  return model.projected(model.selected(wide, scratch.selected), scratch.projected);
}

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

Value by_name(const FeatureNames& names, const std::vector<double>& numbers) {
  Value out = object();
  for (std::size_t j = 0; j < numbers.size(); ++j) out[names[j].name] = numbers[j];
  return out;
}

}  // namespace

Signature projection_signature(const Info& projection, const Signature& signature) {
  if (projection.tasks.has(signature.task)) return signature;
  Signature out;
  out.task = Task::cluster;
  out.features = signature.features;
  return out;
}

RowBlock PipelineModel::filled(const RowBlock& rows, std::vector<double>& out) const {
  out.resize(rows.rows * rows.cols);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto row = rows.row(i);
    double* to = out.data() + i * rows.cols;
    for (std::size_t j = 0; j < rows.cols; ++j) {
      const double x = std::isnan(row[j]) ? fill[j] : row[j];
      to[j] = (x - shift[j]) * scale[j];
    }
  }
  return {out.data(), rows.rows, rows.cols};
}

RowBlock PipelineModel::expanded(const RowBlock& rows, std::vector<double>& out) const {
  if (basis.empty()) return rows;
  const std::size_t functions = basis.front().size();
  out.resize(rows.rows * functions);
  basis.front().expand(rows, out.data());
  return {out.data(), rows.rows, functions};
}

RowBlock PipelineModel::selected(const RowBlock& rows, std::vector<double>& out) const {
  if (kept.empty()) return rows;
  out.resize(rows.rows * kept.size());
  double* to = out.data();
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (const std::int32_t j : kept) *to++ = rows.row(i)[static_cast<std::size_t>(j)];
  }
  return {out.data(), rows.rows, kept.size()};
}

RowBlock PipelineModel::projected(const RowBlock& rows, std::vector<double>& out) const {
  if (project.empty()) return rows;
  const auto width = static_cast<std::size_t>(coordinates);
  out.resize(rows.rows * width);
  project.front().core().transform(rows, out.data());
  return {out.data(), rows.rows, width};
}

void PipelineModel::predict(const RowBlock& rows, double* out) const {
  Scratch scratch;
  estimator.core().predict(prepared(*this, rows, scratch), out);
}

Signature PipelineModel::narrowed(const Signature& signature) const {
  Signature out = basis.empty() ? signature : basis.front().expanded(signature);
  if (!kept.empty()) out.features = subset(out.features, kept);
  return out;
}

Signature PipelineModel::seen(const Signature& signature) const {
  Signature out = narrowed(signature);
  if (project.empty()) return out;
  const Signature own = projection_signature(project.front().entry().info, out);
  std::vector<FeatureNames::Stored> names;
  for (std::string& name : project.front().core().coordinates(own)) {
    names.push_back({std::move(name)});
  }
  out.features = FeatureNames(std::move(names));
  return out;
}

std::optional<std::vector<std::int32_t>> PipelineModel::sources() const {
  if (!project.empty()) return std::nullopt;
  std::vector<std::int32_t> all(fill.size());
  std::iota(all.begin(), all.end(), 0);
  if (!basis.empty()) all = basis.front().sources();
  std::vector<std::int32_t> out;
  for (const std::int32_t j : kept) out.push_back(all[static_cast<std::size_t>(j)]);
  if (kept.empty()) out = std::move(all);
  if (std::any_of(out.begin(), out.end(), [](std::int32_t j) { return j < 0; })) return {};
  return out;
}

std::string PipelineModel::no_contributions() const {
  if (!sources()) {
    return project.empty() ? "a product of columns belongs to none of them (interactions=false "
                             "makes powers of single columns)"
                           : "every coordinate of its projection is made of all columns";
  }
  if (estimator.core().contribution_scores() > 0) return {};
  return why_not_split_up(estimator);
}

std::size_t PipelineModel::contribution_scores() const {
  return no_contributions().empty() ? estimator.core().contribution_scores() : 0;
}

namespace {

// The players of the columns that the estimator sees.
std::vector<std::int32_t> players_of(const PipelineModel& model, const PlayedRows& rows) {
  std::vector<std::int32_t> out = *model.sources();
  for (std::int32_t& j : out) {
    j = static_cast<std::int32_t>(rows.player(static_cast<std::size_t>(j)));
  }
  return out;
}

}  // namespace

void PipelineModel::contributions(const PlayedRows& rows, double* out) const {
  Scratch scratch;
  const std::vector<std::int32_t> players = players_of(*this, rows);
  estimator.core().contributions(
      PlayedRows(prepared(*this, rows.block(), scratch), {players, rows.players()}), out);
}

void PipelineModel::interactions(const PlayedRows& rows, double* out) const {
  Scratch scratch;
  const std::vector<std::int32_t> players = players_of(*this, rows);
  estimator.core().interactions(
      PlayedRows(prepared(*this, rows.block(), scratch), {players, rows.players()}), out);
}

std::optional<FeatureUse> PipelineModel::feature_use(const Signature& signature) const {
  const std::optional<std::vector<std::int32_t>> of = sources();
  if (!of) return std::nullopt;
  const std::optional<FeatureUse> own = estimator.core().feature_use(seen(signature));
  if (!own) return std::nullopt;
  FeatureUse out;
  if (!own->gains.empty()) out.gains.resize(signature.features.size(), 0.0);
  out.splits.resize(signature.features.size(), 0.0);
  for (std::size_t j = 0; j < of->size(); ++j) {
    const auto column = static_cast<std::size_t>((*of)[j]);
    if (!own->gains.empty()) out.gains[column] += own->gains[j];
    out.splits[column] += own->splits[j];
  }
  return out;
}

Value PipelineModel::fitted(const Signature& signature) const {
  const Signature last = seen(signature);
  Value columns = Value::Array();
  for (const FeatureName& feature : last.features) columns.push_back(feature.name);
  Value out = object({{"estimator", estimator.entry().info.name}, {"columns", columns}});
  if (!std::all_of(fill.begin(), fill.end(), [](double x) { return std::isnan(x); })) {
    out["fills"] = by_name(signature.features, fill);
  }
  out["shifts"] = by_name(signature.features, shift);
  out["scales"] = by_name(signature.features, scale);
  if (!explained.empty()) {
    const Signature wide = basis.empty() ? signature : basis.front().expanded(signature);
    out["explained"] = by_name(wide.features, explained);
  }
  if (!project.empty()) out["projection"] = project.front().entry().info.name;
  out["model"] = estimator.core().fitted(last);
  return out;
}

void PipelineModel::check(const Signature& signature) const {
  const std::size_t columns = signature.features.size();
  if (fill.size() != columns || shift.size() != columns || scale.size() != columns ||
      !all_finite(shift) || !all_finite(scale) || !all_finite(explained)) {
    refuse("what is learned of the columns does not fit");
  }
  for (const double x : fill) {
    if (std::isinf(x)) refuse("a missing cell is filled with no number");
  }
  if (basis.size() > 1 || project.size() > 1) refuse("a station is there twice");
  if (!basis.empty() && !basis.front().fits(columns)) refuse("the basis functions do not fit");
  const std::size_t functions = basis.empty() ? columns : basis.front().size();
  const bool ascending =
      std::adjacent_find(kept.begin(), kept.end(), std::greater_equal<>()) == kept.end();
  if (!ascending ||
      (!kept.empty() && (kept.front() < 0 || static_cast<std::size_t>(kept.back()) >= functions)) ||
      (!explained.empty() && explained.size() != functions)) {
    refuse("the selection of columns does not fit");
  }
  if (!project.empty()) {
    const Info& own = project.front().entry().info;
    const Signature before = projection_signature(own, narrowed(signature));
    if (!own.gives.has(Give::transforms) || !own.tasks.has(before.task)) {
      refuse("the projection gives no coordinates");
    }
    project.front().core().check(before);
    if (coordinates < 0 || project.front().core().coordinates(before).size() !=
                               static_cast<std::size_t>(coordinates)) {
      refuse("the projection has other coordinates");
    }
  }
  if (!estimator.entry().info.tasks.has(signature.task)) refuse("the estimator has another task");
  estimator.core().check(seen(signature));
}

void PipelineModel::explain(std::span<const double> row, const Signature& signature,
                            Trace& trace) const {
  const RowBlock block{row.data(), 1, row.size()};
  Scratch scratch;
  const RowBlock last = prepared(*this, block, scratch);
  const Signature names = seen(signature);
  Step step{.title = "The row as the estimator sees it", .path = "preparation"};
  std::vector<std::string> parts;
  for (std::size_t j = 0; j < last.cols; ++j) {
    const FeatureName feature = names.features[j];
    step.values[feature.name] = last.row(0)[j];
    if (parts.size() < 12) {
      parts.push_back(fmt::format("{} = {}", feature.name, readable(last.row(0)[j])));
    }
  }
  step.formula = "(x - shift) · scale: " + join(parts, ", ");
  step.text = fmt::format("{} is asked about these {}.", estimator.entry().info.name,
                          counted(last.cols, "number"));
  trace.add(std::move(step));
  if (!estimator.entry().info.gives.has(Give::explains_row)) return;
  Recorder inner;
  estimator.core().explain(last.row(0), names, inner);
  replay(inner, trace, "estimator");
}

}  // namespace gradus
