#include "gradus/models/boosting/adaboost/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/shap/tree_shap.hpp"
#include "gradus/blocks/tree/kept_tree.hpp"
#include "gradus/blocks/tree/many_branches.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<AdaBoost>();

namespace {

std::size_t top_of(const double* numbers, std::size_t count) {
  return static_cast<std::size_t>(std::max_element(numbers, numbers + count) - numbers);
}

}  // namespace

std::size_t vote_of(const Trees& trees, std::size_t leaf) {
  return top_of(trees.value_of(leaf).data(), trees.value_of(leaf).size());
}

// p_k ∝ e^(2 f_k / (K − 1)), for two classes 1 / (1 + e^(−2H)): what minimises the exponential loss
// is half the log odds (Friedman, Hastie, Tibshirani 2000).
void AdaBoostModel::probabilities(double* scores) const {
  const auto classes = static_cast<std::size_t>(trees.width);
  const double scale = 2.0 / static_cast<double>(std::max<std::size_t>(1, classes - 1));
  const double most = *std::max_element(scores, scores + classes);
  double sum = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    scores[k] = std::exp(scale * (scores[k] - most));
    sum += scores[k];
  }
  for (std::size_t k = 0; k < classes; ++k) scores[k] /= sum;
}

namespace {

// Adds the say of every member to the class that it gives each row.
template <class Rows>
void add_votes(const AdaBoostModel& model, const Rows& rows, std::size_t count, double* out) {
  const auto classes = static_cast<std::size_t>(model.trees.width);
  std::vector<double> answers(count * classes);
  for (std::size_t round = 0; round < model.rounds(); ++round) {
    model.members[round].core().predict(rows, answers.data());
    for (std::size_t i = 0; i < count; ++i) {
      const double* answer = answers.data() + i * classes;
      out[i * classes + top_of(answer, classes)] += model.steps[round];
    }
  }
}

}  // namespace

std::size_t AdaBoostModel::vote(std::size_t round, std::span<const double> row) const {
  const auto classes = static_cast<std::size_t>(trees.width);
  if (members.empty()) return vote_of(trees, trees.leaf_of(round, row));
  std::vector<double> answer(classes);
  members[round].core().predict(RowBlock{row.data(), 1, row.size()}, answer.data());
  return top_of(answer.data(), classes);
}

void AdaBoostModel::predict(const RowBlock& rows, double* out) const {
  const auto classes = static_cast<std::size_t>(trees.width);
  std::fill_n(out, rows.rows * classes, 0.0);
  if (members.empty()) {
    trees.add_values(rows, classes, out);
  } else {
    add_votes(*this, rows, rows.rows, out);
  }
  for (std::size_t i = 0; i < rows.rows; ++i) probabilities(out + i * classes);
}

void AdaBoostModel::contributions(const PlayedRows& rows, double* out) const {
  std::fill_n(out, rows.rows() * contribution_scores() * (rows.players() + 1), 0.0);
  add_contributions({trees, trees.cover}, rows, contribution_scores(), out);
}

void AdaBoostModel::interactions(const PlayedRows& rows, double* out) const {
  write_interactions({trees, trees.cover}, rows, contribution_scores(), out);
}

SplitWork AdaBoostModel::contribution_work() const { return split_work(trees); }

bool AdaBoostModel::predicts_sparse() const {
  return !members.empty() && std::all_of(members.begin(), members.end(), [](const InnerModel& m) {
    return m.core().predicts_sparse();
  });
}

void AdaBoostModel::predict(const SparseRows& rows, double* out) const {
  const auto classes = static_cast<std::size_t>(trees.width);
  std::fill_n(out, rows.size() * classes, 0.0);
  add_votes(*this, rows, rows.size(), out);
  for (std::size_t i = 0; i < rows.size(); ++i) probabilities(out + i * classes);
}

Value AdaBoostModel::fitted(const Signature& signature) const {
  Value out =
      object({{"rounds", rounds()},
              {"estimator", members.empty() ? "decision_stump" : members[0].entry().info.name},
              {"end", enum_names(end)[static_cast<std::size_t>(end)]},
              {"errors", Value(errors)},
              {"steps", Value(steps)},
              {"training_errors", Value(training_errors)}});
  if (!bounds.empty()) out["bounds"] = Value(bounds);
  std::vector<double> importances(signature.features.size(), 0.0);
  if (!members.empty()) {
    const std::optional<FeatureUse> use = feature_use(signature);
    if (use && !use->gains.empty()) {
      out["feature_importances"] = importances_value(use->gains, signature);
    }
    return out;
  }
  for (std::size_t round = 0; round < trees.count(); ++round) {
    const std::size_t root = trees.root(round);
    if (trees.is_leaf(root)) continue;
    importances[static_cast<std::size_t>(trees.feature[root])] += steps[round];
  }
  out["feature_importances"] = importances_value(importances, signature);
  return out;
}

std::size_t AdaBoostModel::kept_trees() const {
  if (members.empty()) return trees.count();
  const bool single = std::all_of(members.begin(), members.end(), [](const InnerModel& member) {
    return member.core().kept_trees() == 1;
  });
  return single ? members.size() : 0;
}

Value AdaBoostModel::kept_tree(std::size_t index, const Signature& signature) const {
  Value out = members.empty() ? tree_of_ensemble(trees, index, signature, NodeNumbers::votes)
                              : members[index].core().kept_tree(0, signature);
  out["say"] = steps[index];
  return out;
}

void AdaBoostModel::check(const Signature& signature) const {
  const std::size_t count = members.empty() ? trees.count() : members.size();
  bool sound = count > 0 && (members.empty() || trees.count() == 0) &&
               static_cast<std::size_t>(trees.width) == signature.classes.size() &&
               errors.size() == count && steps.size() == count && training_errors.size() == count &&
               (bounds.empty() || bounds.size() == count) &&
               static_cast<std::size_t>(end) < enum_names(end).size();
  for (const auto* numbers : {&errors, &steps, &training_errors, &bounds}) {
    for (const double x : *numbers) sound = sound && std::isfinite(x);
  }
  if (!sound) throw Error(ErrorKind::bad_data, "model", "the boosted stumps are damaged");
  trees.check(signature.features.size());
  for (const InnerModel& member : members) member.core().check(signature);
}

std::string AdaBoostModel::no_contributions() const {
  if (contribution_scores() > 0) return {};
  if (members.empty()) return "a model that old does not know how many rows its stumps parted";
  return fmt::format("it counts one vote of each {}, and only the votes of its own stumps add up",
                     members.front().entry().info.name);
}

// A stump keeps its vote, not what its question gained.
std::optional<FeatureUse> AdaBoostModel::feature_use(const Signature& signature) const {
  if (!members.empty()) {
    FeatureUse sum{std::vector<double>(signature.features.size(), 0.0),
                   std::vector<double>(signature.features.size(), 0.0)};
    for (std::size_t round = 0; round < members.size(); ++round) {
      const auto own = members[round].core().feature_use(signature);
      if (!own) return std::nullopt;
      const double all = std::accumulate(own->gains.begin(), own->gains.end(), 0.0);
      if (own->gains.empty()) sum.gains.clear();
      for (std::size_t j = 0; j < own->splits.size(); ++j) {
        if (!sum.gains.empty() && all > 0) sum.gains[j] += steps[round] * own->gains[j] / all;
        sum.splits[j] += own->splits[j];
      }
    }
    return sum;
  }
  if (trees.count() == 0) return std::nullopt;
  return FeatureUse{{}, question_counts(trees, signature.features.size())};
}

}  // namespace gradus
