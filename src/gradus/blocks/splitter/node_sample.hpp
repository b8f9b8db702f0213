// The rows of one node with their targets and weights side by side, and what a split is judged by.
//
// Impurity I of a set, with weights w, class shares p and mean or median m of the target:
//
//   gini               1 − Σ p²              squared_error   Σ w (y − m)² / W
//   entropy, log_loss  −Σ p log₂ p           absolute_error  Σ w |y − m| / W
//   misclassification  1 − max p             poisson         2 Σ w (y log(y/m) − y + m) / W
//
// The gain of a split into L and R is I(S) − W_L/W · I(L) − W_R/W · I(R). gain_ratio has the
// entropy as its impurity, and compares columns by gain / split information.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/tree_choices.hpp"

namespace gradus {

bool is_for_classes(TreeCriterion criterion);

// Views of the rows of a node; codes for classification, numbers for regression.
struct NodeSample {
  std::span<const std::uint32_t> rows = {};
  std::span<const std::int32_t> codes = {};
  std::span<const double> numbers = {};
  std::span<const double> weights = {};
  std::size_t classes = 0;    // 0 for regression
  bool unit_weights = false;  // every row weighs 1
  // By column: the ranks of rows that are numbered anew; null: those of the table.
  const std::uint32_t* const* local_ranks = nullptr;
  std::size_t size() const { return rows.size(); }
};

// The rows that weigh anything, in their order.
std::vector<std::uint32_t> weighing_rows(std::span<const double> weights);

// What a node is before it is split.
struct NodeState {
  double weight = 0;
  double impurity = 0;
  bool pure = false;           // all targets are the same
  double center = 0;           // regression: mean, or median for absolute_error
  double excess = 0;           // regression: Σ w (y − center), what rounding leaves of 0
  std::vector<double> counts;  // classification: the weight of each class
};

// The impurity of a set with these class weights.
double impurity_of_counts(std::span<const double> counts, TreeCriterion criterion);

NodeState state_of(const NodeSample& sample, TreeCriterion criterion);

}  // namespace gradus
