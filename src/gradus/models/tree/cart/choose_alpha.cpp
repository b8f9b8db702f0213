#include "gradus/models/tree/cart/choose_alpha.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/blocks/splitter/dealt_folds.hpp"
#include "gradus/core/error.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr double kTie = 1e-12;

// Sums over rows for every value tried, kept as differences between neighbouring values.
struct Losses {
  std::vector<double> sum;
  std::vector<double> squares;
  explicit Losses(std::size_t values = 0) : sum(values + 1, 0.0), squares(values + 1, 0.0) {}
  void add(std::size_t first, std::size_t end, double weight, double loss) {
    sum[first] += weight * loss;
    sum[end] -= weight * loss;
    squares[first] += weight * loss * loss;
    squares[end] -= weight * loss * loss;
  }
};

double loss_of(const ExactData& data, TreeCriterion criterion, std::span<const double> answer,
               std::size_t row) {
  if (data.classes > 0) {
    const auto said = std::max_element(answer.begin(), answer.end()) - answer.begin();
    return said == data.codes[row] ? 0 : 1;
  }
  const double distance = data.numbers[row] - answer[0];
  return criterion == TreeCriterion::absolute_error ? std::abs(distance) : distance * distance;
}

bool has_holes(const RankedTable& table) {
  for (std::size_t j = 0; j < table.cols(); ++j) {
    const RankedColumn& column = table.column(j);
    const auto absent = static_cast<std::uint32_t>(column.ranks);
    if (std::find(column.rank.begin(), column.rank.end(), absent) != column.rank.end()) return true;
  }
  return false;
}

class Fold {
 public:
  Fold(const AlphaSearch& search, std::span<const double> values, const Context& context)
      : search_(search), values_(values), finder_(search.data.table, search.surrogates) {
    options_ = search.options;
    // Without a missing cell nobody asks a surrogate.
    if (has_holes(search.data.table)) options_.surrogates = &finder_;
    context_ = context;
    context_.trace = nullptr;
  }

  Losses run(std::span<const std::uint32_t> fold, std::size_t mine) {
    std::vector<double> weights(search_.weights.begin(), search_.weights.end());
    bool any = false;
    for (std::size_t row = 0; row < weights.size(); ++row) {
      if (fold[row] == mine) weights[row] = 0;
      any = any || weights[row] > 0;
    }
    Losses losses(values_.size());
    if (!any) return losses;
    const ExactTree tree = ExactGrower(search_.data, context_).grow(weights, options_);
    const std::vector<double> alphas = leaf_alphas(tree);
    for (std::size_t row = 0; row < weights.size(); ++row) {
      if (fold[row] == mine && search_.weights[row] > 0) answer(tree, alphas, row, losses);
    }
    return losses;
  }

 private:
  bool goes_left(const ExactTree& tree, std::size_t node, std::size_t row) const {
    const auto feature = static_cast<std::size_t>(tree.trees.feature[node]);
    const RankedColumn& column = search_.data.table.column(feature);
    const std::uint32_t rank = column.rank[row];
    if (column.is_missing(rank)) {
      const Side side = finder_.side_of(node, static_cast<std::uint32_t>(row));
      return side == Side::unknown ? tree.trees.missing_left[node] != 0 : side == Side::left;
    }
    return tree.trees.goes_left(node, column.nominal ? rank : column.values[rank]);
  }

  // From the root down: a node answers for the values at which it is a leaf and none above it is.
  void answer(const ExactTree& tree, std::span<const double> alphas, std::size_t row,
              Losses& losses) const {
    std::size_t end = values_.size();
    for (std::size_t node = 0; end > 0;) {
      const auto from = std::lower_bound(values_.begin(), values_.end(), alphas[node]);
      const auto first = static_cast<std::size_t>(from - values_.begin());
      if (first < end) {
        const double loss =
            loss_of(search_.data, options_.criterion, tree.trees.value_of(node), row);
        losses.add(first, end, search_.weights[row], loss);
        end = first;
      }
      if (tree.trees.is_leaf(node)) break;
      node = goes_left(tree, node, row) ? tree.trees.yes(node) : tree.trees.no(node);
    }
  }

  const AlphaSearch& search_;
  std::span<const double> values_;
  SurrogateFinder finder_;
  ExactOptions options_;
  Context context_;
};

}  // namespace

std::vector<AlphaTrial> try_alphas(const AlphaSearch& search, std::span<const PruneStep> path,
                                   const Context& context) {
  std::vector<double> values;
  for (std::size_t k = 0; k < path.size(); ++k) {
    values.push_back(k + 1 < path.size() ? std::sqrt(path[k].alpha * path[k + 1].alpha)
                                         : std::numeric_limits<double>::max());
  }
  const std::vector<std::uint32_t> fold = deal_folds(
      {search.data.table, search.data.codes, search.data.numbers, search.weights}, search.folds);
  std::vector<Losses> parts(search.folds);
  parallel::for_each_index(context, search.folds, [&](std::size_t f) {
    parts[f] = Fold(search, values, context).run(fold, f);
  });
  double weight = 0;
  for (const double w : search.weights) weight += w;
  std::vector<AlphaTrial> trials;
  double sum = 0;
  double squares = 0;
  for (std::size_t k = 0; k < path.size(); ++k) {
    for (const Losses& part : parts) {
      sum += part.sum[k];
      squares += part.squares[k];
    }
    const double mean = sum / weight;
    if (!std::isfinite(mean) || !std::isfinite(squares)) {
      throw Error(ErrorKind::numerical, "", "the errors of the folds overflow",
                  "scale the target, or set --folds 0");
    }
    const double variance = std::max(0.0, squares / weight - mean * mean);
    trials.push_back({path[k].alpha, path[k].leaves, mean, std::sqrt(variance / weight)});
  }
  return trials;
}

std::size_t chosen_trial(std::span<const AlphaTrial> trials, double standard_errors) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < trials.size(); ++k) {
    if (trials[k].error <= trials[best].error + kTie * trials[best].error) best = k;
  }
  const double bound = trials[best].error + standard_errors * trials[best].standard_error;
  std::size_t chosen = best;
  for (std::size_t k = best; k < trials.size(); ++k) {
    if (trials[k].error <= bound + kTie * bound) chosen = k;
  }
  return chosen;
}

}  // namespace gradus
