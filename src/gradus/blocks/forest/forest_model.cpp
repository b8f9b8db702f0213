#include "gradus/blocks/forest/forest_model.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/blocks/shap/tree_shap.hpp"
#include "gradus/blocks/tree/many_branches.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/core/error.hpp"

namespace gradus {

namespace {

// The mean over the trees; `summing` adds them up, as they are kept or as they are compiled.
template <class Summing>
void average(const Trees& trees, const Summing& summing, const RowBlock& rows, double* out) {
  const auto width = static_cast<std::size_t>(trees.width);
  std::fill_n(out, rows.rows * width, 0.0);
  summing.add_values(rows, width, out);
  const auto count = static_cast<double>(trees.count());
  for (std::size_t i = 0; i < rows.rows * width; ++i) out[i] /= count;
}

}  // namespace

CompiledForest::CompiledForest(const ForestModel& model) : model_(model), packed_(model.trees) {}

void CompiledForest::predict(const RowBlock& rows, double* out) const {
  average(model_.trees, packed_, rows, out);
}

void ForestModel::predict(const RowBlock& rows, double* out) const {
  average(trees, trees, rows, out);
}

void ForestModel::contributions(const PlayedRows& rows, double* out) const {
  const std::size_t numbers = rows.rows() * contribution_scores() * (rows.players() + 1);
  std::fill_n(out, numbers, 0.0);
  add_contributions({trees, trees.cover}, rows, contribution_scores(), out);
  const auto count = static_cast<double>(trees.count());
  for (std::size_t i = 0; i < numbers; ++i) out[i] /= count;
}

void ForestModel::interactions(const PlayedRows& rows, double* out) const {
  const std::size_t side = rows.players() + 1;
  write_interactions({trees, trees.cover}, rows, contribution_scores(), out);
  const auto count = static_cast<double>(trees.count());
  for (std::size_t i = 0; i < rows.rows() * contribution_scores() * side * side; ++i)
    out[i] /= count;
}

SplitWork ForestModel::contribution_work() const { return split_work(trees); }

FeatureUse ForestModel::feature_use(const Signature& signature) const {
  return {importances, question_counts(trees, signature.features.size())};
}

Value ForestModel::fitted(const Signature& signature) const {
  std::size_t depth = 0;
  std::size_t leaves = 0;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    depth = std::max(depth, trees.depth(tree));
    leaves += trees.leaves(tree);
  }
  Value out = object({{"criterion", enum_names(criterion)[static_cast<std::size_t>(criterion)]},
                      {"trees", trees.count()},
                      {"nodes", trees.nodes()},
                      {"leaves", leaves},
                      {"depth", depth},
                      {"feature_importances", importances_value(importances, signature)}});
  if (oob_error) {
    out["oob_error"] = *oob_error;
    out["oob_rows"] = oob_rows;
    Value& curve = out["oob_curve"] = Value(Value::Array{});
    for (const double error : oob_curve) curve.push_back(error < 0 ? Value() : Value(error));
  }
  findings.add_to(out, trees.count(), signature);
  return out;
}

void ForestModel::check(const Signature& signature) const {
  const bool for_classes = signature.task == Task::classify;
  bool sound = criterion != TreeCriterion::automatic && is_for_classes(criterion) == for_classes &&
               trees.count() > 0 && static_cast<std::size_t>(trees.width) == signature.width() &&
               importances.size() == signature.features.size() && oob_rows >= 0 &&
               trees.cover.size() == trees.nodes();
  for (const double x : importances) sound = sound && std::isfinite(x);
  for (const double x : oob_curve) sound = sound && std::isfinite(x);
  if (oob_error) sound = sound && std::isfinite(*oob_error);
  sound = sound && (oob_curve.empty() || oob_curve.size() == trees.count()) &&
          findings.sound(signature);
  if (!sound) throw Error(ErrorKind::bad_data, "model", "the forest is damaged");
  trees.check(signature.features.size());
}

}  // namespace gradus
