#include "gradus/blocks/splitter/leaf_classes.hpp"

#include <algorithm>

namespace gradus {

void LeafClasses::add_mixed(std::span<const std::uint32_t> counts) {
  kinds_.push_back(-1 - mixed_leaves_++);
  mixed_.insert(mixed_.end(), counts.begin(), counts.end());
}

const std::uint32_t* LeafClasses::counts(std::size_t leaf) const {
  return mixed_.data() + static_cast<std::size_t>(-1 - kinds_[leaf]) * classes_;
}

void write_shares(const Trees& trees, const WeightedTree& which, const LeafClasses& leaves,
                  double* value) {
  const std::size_t begin = trees.root(which.tree);
  const auto width = static_cast<std::size_t>(trees.width);
  const auto make_shares = [&](std::size_t node) {
    double* counts = value + node * width;
    if (trees.is_leaf(node) && leaves.is_pure(node - begin)) {
      counts[leaves.only_class(node - begin)] = 1;
      return;
    }
    for (std::size_t k = 0; k < width; ++k) counts[k] /= which.weights[node];
  };
  // Children follow their parents: those of a node are counted before it, and their counts become
  // shares as soon as it has added them up.
  for (std::size_t node = trees.tree_end(which.tree); node-- > begin;) {
    double* counts = value + node * width;
    if (!trees.is_leaf(node)) {
      const double* yes = value + trees.yes(node) * width;
      for (std::size_t k = 0; k < width; ++k) counts[k] = yes[k] + yes[width + k];
      make_shares(trees.yes(node));
      make_shares(trees.no(node));
    } else if (leaves.is_pure(node - begin)) {
      counts[leaves.only_class(node - begin)] = which.weights[node];
    } else {
      std::copy_n(leaves.counts(node - begin), width, counts);
    }
  }
  make_shares(begin);
}

}  // namespace gradus
