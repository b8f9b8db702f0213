// The selection inside folds: the honest figure of a learner that chooses its columns.
#include <fmt/format.h>

#include <algorithm>

#include "gradus/api/target.hpp"
#include "gradus/evaluate/estimate_value.hpp"
#include "gradus/evaluate/fold_run.hpp"
#include "gradus/evaluate/select_features.hpp"

namespace gradus {
namespace {

// Columns by how many folds chose them, the most frequent first, equals in the order of choice.
std::vector<std::pair<std::string, std::size_t>> frequency_of(
    const std::vector<std::vector<std::string>>& chosen) {
  std::vector<std::pair<std::string, std::size_t>> out;
  for (const std::vector<std::string>& features : chosen) {
    for (const std::string& name : features) {
      const auto found =
          std::find_if(out.begin(), out.end(), [&](const auto& one) { return one.first == name; });
      if (found == out.end()) {
        out.emplace_back(name, 1);
      } else {
        ++found->second;
      }
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

}  // namespace

NestedSelection select_nested(const AnyLearner& learner, const Dataset& data, const Folds& outer,
                              const SelectOptions& options, const Context& context) {
  const FitOptions& fit = options.validate.fit;
  const TargetData target = read_target(learner.info(), data, {fit.target, fit.classes, fit.task});
  const Dataset weighted = weighted_rows(data, fit);
  FoldTables tables(weighted, outer, 1);
  NestedSelection out{.metric = find_metric(options.validate.metric, target.task)};
  for (std::size_t i = 0; i < outer.size(); ++i) {
    const FoldTablePtr table = tables.take(i);
    const Folds folds = make_folds(table->train, options.inner);
    const Selection selection = select_features(learner, table->train, folds, options, context);
    ValidateOptions chosen = options.validate;
    chosen.fit.features = selection.features;
    chosen.fit.ignore.clear();
    out.folds.push_back(
        run_fold({learner, table, chosen, target.classes, out.metric}, silent(context)));
    out.chosen.push_back(selection.features);
  }
  out.often = frequency_of(out.chosen);
  out.estimate = estimate_of(out.folds, options.validate.evaluate.intervals.level, out.metric);
  return out;
}

Value to_value(const NestedSelection& nested) {
  Value out = object({{"metric", nested.metric.name}});
  add_estimate(out, nested.estimate);
  Value folds = Value::Array();
  for (std::size_t i = 0; i < nested.folds.size(); ++i) {
    folds.push_back(object({{"features", Value(nested.chosen[i])},
                            {"score", or_null(nested.folds[i].metric)},
                            {"train_rows", Value(nested.folds[i].train_rows)},
                            {"test_rows", Value(nested.folds[i].test_rows)}}));
  }
  out["folds"] = std::move(folds);
  out["often"] = object();
  for (const auto& [name, count] : nested.often) out["often"][name] = Value(count);
  return out;
}

}  // namespace gradus
