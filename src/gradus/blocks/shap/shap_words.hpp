// Shapley values in words: one step of the explanation of a row.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gradus/blocks/branching/branch_tree.hpp"
#include "gradus/blocks/shap/tree_shap.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// What is split up: the name of each score, and what the sum of the trees is divided by.
struct ShapTold {
  std::vector<std::string> scores = {};
  std::vector<double> start = {};  // added to the mean of each score; empty: nothing
  double divisor = 1;
};

// The answer for one row that is split up. Numbers are added as add_contributions and
// add_interactions do.
struct SplitAnswer {
  double work = 0;  // multiplications, roughly
  double pair_work = 0;
  std::function<void(double* phi)> add_values;
  std::function<void(double* phi)> add_pairs;
};

// "What each feature adds": the mean answer of the training rows, what every feature of this row
// adds to it, their sum, and the pairs that do most together when there are few features. Trees so
// many or so deep that it would take longer than a few seconds are not told about.
void tell_contributions(const SplitAnswer& answer, const Signature& signature, const ShapTold& told,
                        Trace& trace);
void tell_contributions(const CoveredTrees& model, std::span<const double> row,
                        const Signature& signature, const ShapTold& told, Trace& trace);
// A tree with many branches answers with class shares.
void tell_contributions(const BranchTree& tree, std::span<const double> row,
                        const Signature& signature, Trace& trace);

}  // namespace gradus
