#include "gradus/models/tree/cart/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/shap/tree_shap.hpp"
#include "gradus/blocks/single_tree/tree_story.hpp"
#include "gradus/blocks/tree/level_words.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

template const Entry& entry<Cart>();

namespace {

constexpr std::size_t kTrialWidth = 4;
constexpr std::size_t kShownTrials = 2000;

Surrogate surrogate_at(const CartModel& model, std::size_t node, std::size_t i,
                       const Signature& signature) {
  const auto at = static_cast<std::size_t>(model.surrogates.begin[node]) + i;
  const auto feature = static_cast<std::size_t>(model.surrogates.feature[at]);
  return model.surrogates.get(node, i, signature.features.levels(feature).size());
}

CoveredTrees covered(const CartModel& model) {
  return {model.base.tree.trees, model.base.tree.weight,
          [&model](std::size_t node, std::span<const double> row) {
            return model.goes_left(node, row);
          }};
}

Value trials_value(std::span<const double> trials) {
  Value::Array out;
  const std::size_t end = std::min(trials.size(), kShownTrials * kTrialWidth);
  for (std::size_t i = 0; i < end; i += kTrialWidth) {
    out.push_back(object({{"alpha", trials[i]},
                          {"leaves", static_cast<std::int64_t>(trials[i + 1])},
                          {"error", trials[i + 2]},
                          {"standard_error", trials[i + 3]}}));
  }
  return out;
}

}  // namespace

std::string surrogate_text(const Surrogate& surrogate, const Signature& signature) {
  const FeatureName name = signature.features[surrogate.feature];
  if (surrogate.of_level.empty()) {
    return fmt::format("{} {}", name.name,
                       cut_test(name, surrogate.reversed ? ">" : "<=", surrogate.threshold));
  }
  std::vector<std::string> levels;
  for (std::size_t level = 0; level < surrogate.of_level.size(); ++level) {
    if (surrogate.of_level[level] == Side::left) levels.push_back(name.levels[level]);
  }
  return fmt::format("{} in {{{}}}", name.name, join(levels, ", "));
}

bool CartModel::goes_left(std::size_t node, std::span<const double> row) const {
  const Trees& trees = base.tree.trees;
  const double x = row[static_cast<std::size_t>(trees.feature[node])];
  if (std::isnan(x)) {
    const Side side = surrogates.side_of(node, row);
    if (side != Side::unknown) return side == Side::left;
  }
  return trees.goes_left(node, x);
}

std::size_t CartModel::leaf_of(std::span<const double> row) const {
  const Trees& trees = base.tree.trees;
  std::size_t node = 0;
  while (!trees.is_leaf(node)) node = goes_left(node, row) ? trees.yes(node) : trees.no(node);
  return node;
}

void CartModel::predict(const RowBlock& rows, double* out) const {
  base.predict(rows, out);
  const auto width = static_cast<std::size_t>(base.tree.trees.width);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::span<const double> row = rows.row(i);
    const bool holed = std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); });
    if (!holed) continue;
    const std::span<const double> answer = base.tree.trees.value_of(leaf_of(row));
    std::copy(answer.begin(), answer.end(), out + i * width);
  }
}

void CartModel::contributions(const PlayedRows& rows, double* out) const {
  std::fill_n(out, rows.rows() * contribution_scores() * (rows.players() + 1), 0.0);
  add_contributions(covered(*this), rows, contribution_scores(), out);
}

void CartModel::interactions(const PlayedRows& rows, double* out) const {
  write_interactions(covered(*this), rows, contribution_scores(), out);
}

SplitWork CartModel::contribution_work() const { return base.contribution_work(); }

Value CartModel::fitted(const Signature& signature) const {
  const auto add_surrogates = [&](std::size_t node, Value& out) {
    if (surrogates.count(node) == 0) return;
    Value::Array list;
    for (std::size_t i = 0; i < surrogates.count(node); ++i) {
      const Surrogate one = surrogate_at(*this, node, i, signature);
      list.push_back(
          object({{"question", surrogate_text(one, signature)}, {"agreement", one.agreement}}));
    }
    out["surrogates"] = std::move(list);
  };
  Value out = base.fitted_with(signature, add_surrogates);
  out["alpha"] = alpha;
  out["leaves_before_pruning"] = static_cast<std::int64_t>(grown_leaves);
  if (!trials.empty()) out["cross_validation"] = trials_value(trials);
  return out;
}

void CartModel::check(const Signature& signature) const {
  base.check(signature);
  std::vector<std::size_t> level_counts;
  for (std::size_t j = 0; j < signature.features.size(); ++j) {
    level_counts.push_back(signature.features.levels(j).size());
  }
  surrogates.check(base.tree.trees.nodes(), level_counts);
  bool sound = std::isfinite(alpha) && grown_leaves >= 1 && trials.size() % kTrialWidth == 0;
  for (const double x : trials) sound = sound && std::isfinite(x);
  for (std::size_t i = 1; sound && i < trials.size(); i += kTrialWidth) {
    sound = trials[i] >= 1 && trials[i] < 1e15;
  }
  if (!sound) throw Error(ErrorKind::bad_data, "model", "the tree is damaged: its trials");
}

void CartModel::explain(std::span<const double> row, const Signature& signature,
                        Trace& trace) const {
  const auto turn = [&](std::size_t node, const TreeWords& words) {
    Turn taken{goes_left(node, row), words.answer(node, row)};
    const double x = row[static_cast<std::size_t>(base.tree.trees.feature[node])];
    if (!std::isnan(x)) return taken;
    for (std::size_t i = 0; i < surrogates.count(node); ++i) {
      const Surrogate one = surrogate_at(*this, node, i, signature);
      if (one.side_of(row[one.feature]) == Side::unknown) continue;
      taken.reason += fmt::format(", so its surrogate {} decides ({} agreement)",
                                  surrogate_text(one, signature), readable(one.agreement, 4));
      return taken;
    }
    taken.reason += ", and no surrogate knows: it goes with the larger side";
    return taken;
  };
  explain_way(base, row, signature, turn, trace);
}

}  // namespace gradus
