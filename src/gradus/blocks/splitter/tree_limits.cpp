#include "gradus/blocks/splitter/tree_limits.hpp"

#include "gradus/blocks/splitter/exact_grow.hpp"

namespace gradus {

void TreeLimits::apply(double total, ExactOptions& options) const {
  if (max_depth) options.max_depth = static_cast<std::size_t>(*max_depth);
  if (max_leaf_nodes) options.max_leaves = static_cast<std::size_t>(*max_leaf_nodes);
  options.order = order;
  options.min_samples_split = static_cast<std::size_t>(min_samples_split);
  options.min_samples_leaf = static_cast<std::size_t>(min_samples_leaf);
  options.min_weight_leaf = min_weight_fraction_leaf * total;
  options.min_impurity_decrease = min_impurity_decrease;
}

}  // namespace gradus
