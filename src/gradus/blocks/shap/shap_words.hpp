// Shapley values in words: one step of the explanation of a row.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gradus/blocks/branching/branch_tree.hpp"
#include "gradus/blocks/shap/interaction_frame.hpp"
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
  SplitWork work = {};
  std::function<void(double* phi)> add_values;
  std::function<void(double* phi)> add_pairs;
};

// That of a model with contributions and interactions; it refers to the model and the row.
template <class Model>
SplitAnswer split_answer(const Model& model, const RowBlock& row) {
  return {.work = model.contribution_work(),
          .add_values = [&model, row](double* phi) { model.contributions(row, phi); },
          .add_pairs =
              [&model, row](double* phi) {
                const std::size_t scores = model.contribution_scores();
                std::vector<double> framed(scores * (row.cols + 1) * (row.cols + 1));
                model.interactions(row, framed.data());
                add_unframed(framed, scores, row.cols, phi);
              }};
}

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
