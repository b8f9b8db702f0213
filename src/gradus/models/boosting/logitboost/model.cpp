#include "gradus/models/boosting/logitboost/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/shap/shap_words.hpp"
#include "gradus/blocks/shap/tree_shap.hpp"
#include "gradus/blocks/tree/kept_tree.hpp"
#include "gradus/blocks/tree/many_branches.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

template const Entry& entry<LogitBoost>();

void LogitBoostModel::probabilities(std::span<const double> scores, double* out) const {
  if (classes == 1) {
    out[0] = 1;
    return;
  }
  if (classes == 2) {
    const double p = 1 / (1 + std::exp(-2 * scores[0]));
    out[0] = 1 - p;
    out[1] = p;
    return;
  }
  const double most = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    out[k] = std::exp(scores[k] - most);
    sum += out[k];
  }
  for (std::size_t k = 0; k < scores.size(); ++k) out[k] /= sum;
}

void LogitBoostModel::predict(const RowBlock& rows, double* out) const {
  const std::size_t width = outputs();
  std::vector<double> scores(rows.rows * width, 0.0);
  trees.add_values(rows, width, scores.data());
  for (std::size_t i = 0; i < rows.rows; ++i) {
    probabilities(std::span(scores).subspan(i * width, width),
                  out + i * static_cast<std::size_t>(classes));
  }
}

void LogitBoostModel::contributions(const PlayedRows& rows, double* out) const {
  std::fill_n(out, rows.rows() * outputs() * (rows.players() + 1), 0.0);
  add_contributions({trees, trees.cover}, rows, outputs(), out);
}

void LogitBoostModel::interactions(const PlayedRows& rows, double* out) const {
  write_interactions({trees, trees.cover}, rows, outputs(), out);
}

SplitWork LogitBoostModel::contribution_work() const { return split_work(trees); }

Value LogitBoostModel::fitted(const Signature& signature) const {
  return object({{"rounds", losses.size()},
                 {"losses", Value(losses)},
                 {"feature_importances", importances_value(importances, signature)}});
}

Value LogitBoostModel::kept_tree(std::size_t index, const Signature& signature) const {
  Value out = tree_of_ensemble(trees, index, signature);
  out["round"] = index / outputs() + 1;
  if (outputs() > 1) out["class"] = signature.classes[index % outputs()];
  return out;
}

void LogitBoostModel::check(const Signature& signature) const {
  bool sound = static_cast<std::size_t>(classes) == signature.classes.size() && classes >= 1 &&
               trees.width == 1 && trees.count() == losses.size() * outputs() && !losses.empty() &&
               importances.size() == signature.features.size();
  for (const auto* numbers : {&losses, &importances}) {
    for (const double x : *numbers) sound = sound && std::isfinite(x);
  }
  if (!sound) throw Error(ErrorKind::bad_data, "model", "the boosted stumps are damaged");
  trees.check(signature.features.size());
}

void LogitBoostModel::explain(std::span<const double> row, const Signature& signature,
                              Trace& trace) const {
  constexpr std::size_t kToldRounds = 100;
  const std::size_t width = outputs();
  std::vector<double> scores(width, 0.0);
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    const std::size_t round = tree / width;
    const std::size_t leaf = trees.leaf_of(tree, row);
    const double added = trees.value_of(leaf)[0];
    scores[tree % width] += added;
    if (round >= kToldRounds || !trace.wants_more()) continue;
    const std::string& name =
        signature.classes[width == 1 ? signature.classes.size() - 1 : tree % width];
    Step step{.title = fmt::format("Round {} for {}", round + 1, name),
              .path = fmt::format("round {}/{}", round + 1, name)};
    step.values = object({{"added", added}, {"score", scores[tree % width]}});
    step.formula = fmt::format("F({}) = {} + {} = {}", name, readable(scores[tree % width] - added),
                               readable(added), readable(scores[tree % width]));
    step.text = fmt::format("The row is where {}.", TreeWords(trees, tree, signature).where(leaf));
    trace.add(std::move(step));
  }
  if (contribution_scores() > 0) {
    ShapTold told;
    for (std::size_t k = 0; k < width; ++k) {
      told.scores.push_back(
          fmt::format("F({})", width == 1 ? signature.classes.back() : signature.classes[k]));
    }
    tell_contributions({trees, trees.cover}, row, signature, told, trace);
  }
  std::vector<double> shares(signature.classes.size());
  probabilities(scores, shares.data());
  Step step{.title = "The answer", .path = "answer"};
  step.values = object({{"scores", Value(scores)}, {"probabilities", object()}});
  std::vector<std::string> words;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    step.values["probabilities"][signature.classes[k]] = shares[k];
    words.push_back(fmt::format("P({}) = {}", signature.classes[k], readable(shares[k])));
  }
  const auto best = std::max_element(shares.begin(), shares.end()) - shares.begin();
  step.values["prediction"] = signature.classes[static_cast<std::size_t>(best)];
  step.formula = join(words, ", ");
  step.text = fmt::format("The most probable class is {}.",
                          signature.classes[static_cast<std::size_t>(best)]);
  trace.add(std::move(step));
}

FeatureUse LogitBoostModel::feature_use(const Signature& signature) const {
  return {importances, question_counts(trees, signature.features.size())};
}

}  // namespace gradus
