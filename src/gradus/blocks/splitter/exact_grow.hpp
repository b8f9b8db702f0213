// Growing one tree with exact splits.
//
// Nodes wait with their best question, found when they are made. Without a limit on the leaves they
// are split depth first; with one, the node whose split takes the most impurity off the whole tree
// comes first (leaf_wise), or the node nearest to the root (depth_wise). Nothing recurses.
//
//   ExactGrower grower({table, target}, context);
//   ExactTree tree = grower.grow(weights, options);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/column_search.hpp"
#include "gradus/blocks/splitter/surrogates.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

// What a tree learns from: one of the two targets is empty.
struct ExactData {
  const RankedTable& table;
  std::span<const std::int32_t> codes = {};
  std::span<const double> numbers = {};
  std::size_t classes = 0;
};

enum class LeafReason : std::uint8_t {
  none,           // the node was split
  pure,           // all targets are the same
  depth_limit,    // max_depth
  few_rows,       // min_samples_split
  inseparable,    // no question parts the rows as the limits ask
  little_gained,  // min_impurity_decrease
  enough_leaves   // max_leaf_nodes
};

// One node that was made: for explanations.
struct NodeEvent {
  std::size_t node = 0;
  std::size_t parent = 0;
  const NodeSample& sample;
  const NodeState& state;
  LeafReason leaf = LeafReason::none;
  std::span<const ExactSplit> candidates = {};             // the best of each column
  std::span<const std::vector<Boundary>> boundaries = {};  // by candidate
  const ExactSplit& chosen;
  const Trees& trees;
  const RankedTable& table;
  bool known_only = false;  // a column was searched in the rows only whose value is known
  std::optional<double> mean_gain = {};  // that a column must reach to be compared by its ratio
};

// How the question about a column is found: the best of all, or one drawn by chance.
enum class Thresholds : std::uint8_t { best, random };

struct ExactOptions {
  TreeCriterion criterion = TreeCriterion::gini;
  NominalSplits nominal = NominalSplits::subset;
  TreeOrder order = TreeOrder::leaf_wise;
  std::optional<std::size_t> max_depth = {};
  std::optional<std::size_t> max_leaves = {};
  std::size_t min_samples_split = 2;
  std::size_t min_samples_leaf = 1;
  double min_weight_leaf = 0;  // in units of the weights
  double min_impurity_decrease = 0;
  std::size_t max_features = 0;  // columns tried per node, drawn from `stream`; 0: all in order
  Thresholds thresholds = Thresholds::best;
  Stream stream = Stream(0);
  // By what columns are compared, from their gain (or gain ratio); empty: that itself.
  std::function<double(std::size_t feature, double measure)> merit = {};
  std::function<void(const NodeEvent&)> observe = {};
  // Set: only known values are searched, and rows whose value is missing go by surrogates.
  SurrogateFinder* surrogates = nullptr;
};

// The tree, with what each node held. Values are class shares, or the mean (median) of the target.
struct ExactTree {
  Trees trees;
  std::vector<std::int32_t> rows;   // node
  std::vector<double> weight;       // node
  std::vector<double> impurity;     // node
  std::vector<double> importances;  // column: impurity taken off the whole tree

  template <class T = ExactTree>
  static constexpr auto describe() {
    return Members{field(&T::trees, 1, "trees"), field(&T::rows, 2, "rows"),
                   field(&T::weight, 3, "weight"), field(&T::impurity, 4, "impurity"),
                   field(&T::importances, 5, "importances")};
  }

  // Error{bad_data} unless it is one tree of this width whose numbers make sense.
  void check(std::size_t width, std::size_t features) const;
};

class ExactGrower {
 public:
  ExactGrower(const ExactData& data, const Context& context) : data_(data), context_(context) {}

  // `weights` has a number for every row; rows of weight 0 take no part.
  ExactTree grow(std::span<const double> weights, const ExactOptions& options) const;

 private:
  ExactData data_;
  Context context_;
};

}  // namespace gradus
