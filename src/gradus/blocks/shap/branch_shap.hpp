// Exact Shapley values of a tree with many branches: what each column adds to the class shares.
//
// The game is that of tree_shap.hpp. Here a column that is known need not decide: a missing value
// may go down every branch with a part of the row, so that a leaf is reached with the probability
// Π over the columns j of its path, where j gives o_j (a number from 0 to 1) if it is known and z_j
// if it is not. A value without a branch ends at its node, which nobody reaches who does not know
// the value. A leaf that answers with the share w has the part
//
//   w (o_i − z_i) ∫₀¹ Π_{j≠i} (o_j t + z_j (1 − t)) dt
//
// in φ_i. Cost: leaves x (path + columns on it squared) per row.
//
//   add_branch_contributions(tree, rows, phi);
#pragma once

#include "gradus/blocks/branching/branch_tree.hpp"
#include "gradus/contract/played_rows.hpp"

namespace gradus {

// Adds to phi[(row * classes + k) * (players + 1) + j] what player j, a column or several that
// become known together, adds to the share of class k; j = players is the mean answer of the
// training rows.
void add_branch_contributions(const BranchTree& tree, const PlayedRows& rows, double* phi);

// Adds the interaction values of the first row: phi[(k * players + i) * players + j], as
// add_interactions of tree_shap.hpp.
void add_branch_interactions(const BranchTree& tree, const PlayedRows& rows, double* phi);

// The interaction values of all rows with their frame, as write_interactions of tree_shap.hpp.
void write_branch_interactions(const BranchTree& tree, const PlayedRows& rows, double* out);

// What splitting the answer for one row up costs.
SplitWork split_work(const BranchTree& tree);

}  // namespace gradus
