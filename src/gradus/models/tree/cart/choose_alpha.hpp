// The cost of a leaf by cross-validation, or by rows of the user.
//
// The tree of all rows gives the α at which each of its subtrees goes; between two of them one
// value, their geometric mean, stands for the interval. Each fold grows a tree without its rows,
// and the α at which every node of it becomes a leaf says at once what it would answer for all
// values: a row is answered by the first node on its way that is a leaf by then.
#pragma once

#include <vector>

#include "gradus/blocks/splitter/exact_grow.hpp"
#include "gradus/blocks/splitter/prune.hpp"
#include "gradus/blocks/splitter/surrogates.hpp"
#include "gradus/blocks/splitter/target_scale.hpp"
#include "gradus/contract/train_task.hpp"

namespace gradus {

struct AlphaTrial {
  double alpha = 0;
  std::size_t leaves = 1;
  double error = 0;           // misclassified share, mean squared or mean absolute error
  double standard_error = 0;  // of the error
};

struct AlphaSearch {
  const ExactData& data;
  const ExactOptions& options;  // without an observer
  std::span<const double> weights;
  std::size_t folds = 10;
  std::size_t surrogates = 5;
};

// One trial for every step of `path`.
std::vector<AlphaTrial> try_alphas(const AlphaSearch& search, std::span<const PruneStep> path,
                                   const Context& context);

// Rows of the user that examine the tree of all rows, pruned to every size.
struct ExaminedTree {
  const TrainTask& rows;
  const ExactTree& tree;              // as it was grown
  const SurrogateSplits& surrogates;  // of its nodes
  TreeCriterion criterion = TreeCriterion::gini;
  TargetUnits units;  // in which the tree was grown
};
std::vector<AlphaTrial> examine_sizes(const ExaminedTree& examined,
                                      std::span<const PruneStep> path);

// The trial that is taken: the smallest tree within `standard_errors` of the least error.
std::size_t chosen_trial(std::span<const AlphaTrial> trials, double standard_errors);

}  // namespace gradus
