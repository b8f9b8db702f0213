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

double loss_of_class(std::span<const double> answer, std::int32_t code) {
  const auto said = std::max_element(answer.begin(), answer.end()) - answer.begin();
  return said == code ? 0 : 1;
}

double loss_of_number(TreeCriterion criterion, double answer, double number) {
  const double distance = number - answer;
  return criterion == TreeCriterion::absolute_error ? std::abs(distance) : distance * distance;
}

// One value between each two steps of the path.
std::vector<double> tried_values(std::span<const PruneStep> path) {
  std::vector<double> values;
  for (std::size_t k = 0; k < path.size(); ++k) {
    values.push_back(k + 1 < path.size() ? std::sqrt(path[k].alpha * path[k + 1].alpha)
                                         : std::numeric_limits<double>::max());
  }
  return values;
}

// From the root down: a node answers for the values at which it is a leaf and none above it is.
// `judge(node)` is the loss of its answer.
struct RowOnItsWay {
  const ExactTree& tree;
  std::span<const double> alphas;  // at which each node becomes a leaf
  std::span<const double> values;
  double weight = 1;

  template <class GoesLeft, class Judge>
  void walk(const GoesLeft& goes_left, const Judge& judge, Losses& losses) const {
    std::size_t end = values.size();
    for (std::size_t node = 0; end > 0;) {
      const auto from = std::lower_bound(values.begin(), values.end(), alphas[node]);
      const auto first = static_cast<std::size_t>(from - values.begin());
      if (first < end) {
        losses.add(first, end, weight, judge(node));
        end = first;
      }
      if (tree.trees.is_leaf(node)) break;
      node = goes_left(node) ? tree.trees.yes(node) : tree.trees.no(node);
    }
  }
};

// What the differences add up to, as one trial for every step of the path.
std::vector<AlphaTrial> trials_of(std::span<const Losses> parts, std::span<const PruneStep> path,
                                  double weight) {
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

  void answer(const ExactTree& tree, std::span<const double> alphas, std::size_t row,
              Losses& losses) const {
    const ExactData& data = search_.data;
    const auto judge = [&](std::size_t node) {
      const std::span<const double> said = tree.trees.value_of(node);
      return data.classes > 0 ? loss_of_class(said, data.codes[row])
                              : loss_of_number(options_.criterion, said[0], data.numbers[row]);
    };
    const auto left = [&](std::size_t node) { return goes_left(tree, node, row); };
    RowOnItsWay{tree, alphas, values_, search_.weights[row]}.walk(left, judge, losses);
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
  const std::vector<double> values = tried_values(path);
  const std::vector<std::uint32_t> fold = deal_folds(
      {search.data.table, search.data.codes, search.data.numbers, search.weights}, search.folds);
  std::vector<Losses> parts(search.folds);
  parallel::for_each_index(context, search.folds, [&](std::size_t f) {
    parts[f] = Fold(search, values, context).run(fold, f);
  });
  double weight = 0;
  for (const double w : search.weights) weight += w;
  return trials_of(parts, path, weight);
}

std::vector<AlphaTrial> examine_sizes(const ExaminedTree& examined,
                                      std::span<const PruneStep> path) {
  const TrainTask& rows = examined.rows;
  const Trees& trees = examined.tree.trees;
  const std::vector<double> values = tried_values(path);
  const std::vector<double> alphas = leaf_alphas(examined.tree);
  std::vector<Losses> losses(1, Losses(values.size()));
  double weight = 0;
  std::vector<double> scratch;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (rows.weight(i) <= 0) continue;
    weight += rows.weight(i);
    const RowBlock block = rows.features.block(i, i + 1, scratch);
    const std::span<const double> row = block.row(0);
    const auto left = [&](std::size_t node) {
      const double x = row[static_cast<std::size_t>(trees.feature[node])];
      const Side side = std::isnan(x) ? examined.surrogates.side_of(node, row) : Side::unknown;
      return side == Side::unknown ? trees.goes_left(node, x) : side == Side::left;
    };
    const auto judge = [&](std::size_t node) {
      const std::span<const double> said = trees.value_of(node);
      if (!rows.classes.empty()) return loss_of_class(said, rows.classes[i]);
      const double number = examined.units.own_answer(rows.numbers[i]);
      return loss_of_number(examined.criterion, said[0], number);
    };
    RowOnItsWay{examined.tree, alphas, values, rows.weight(i)}.walk(left, judge, losses[0]);
  }
  if (weight <= 0) {
    throw Error(ErrorKind::bad_data, "--validation",
                "no row of the validation data weighs anything", "give rows with a weight above 0");
  }
  return trials_of(losses, path, weight);
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
