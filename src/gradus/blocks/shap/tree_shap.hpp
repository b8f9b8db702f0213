// Exact Shapley values of trees: what each feature adds to the answer for one row.
//
// The game: v(S) is the answer of the tree when only the features of S are known, the others being
// answered by the shares of the training rows (the path-dependent expectation of Lundberg, Erion,
// Lee 2018). A leaf of value w is reached with the probability Π over the features j of its path,
// where j gives o_j (1 when the row passes all its questions on the path, else 0) if it is known,
// and z_j (the product of the shares of rows) if it is not. So the leaf's share in φ_i is
//
//   w (o_i − z_i) ∫₀¹ Π_{j≠i} (o_j t + z_j (1 − t)) dt,
//
// because a coalition of k of the m features counts k! (m−1−k)!/m! = ∫ t^k (1 − t)^(m−1−k) dt. The
// integrand is a polynomial of degree m − 1: ⌈m/2⌉ Gauss-Legendre nodes give it exactly, with
// factors in [0, 1] and no factorials. Interaction values leave out two factors and take half of
// the integral. Cost: leaves x (path + features on it squared) per row and tree.
//
//   add_contributions({trees, trees.cover}, rows, 1, phi);
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "gradus/blocks/tree/trees.hpp"
#include "gradus/contract/played_rows.hpp"

namespace gradus {

struct CoveredTrees {
  const Trees& trees;
  std::span<const double> cover;  // node: the weight of the training rows in it, above 0
  // Which way a row goes where that is not for the question alone to say; empty: it is.
  std::function<bool(std::size_t node, std::span<const double> row)> goes_left = {};
};

// Adds the values of all trees: phi[(row * outputs + k) * (players + 1) + j] is what player j (a
// feature, or several that become known together) adds to output k, and j = players the mean
// answer. Together they are the answer for the row. Trees share the outputs as in
// Trees::add_values.
void add_contributions(const CoveredTrees& model, const PlayedRows& rows, std::size_t outputs,
                       double* phi);

// Adds the interaction values of the first row: phi[(k * players + i) * players + j]. Off the
// diagonal half of what the pair does together, on it what the player does alone; line i adds up to
// φ_i.
void add_interactions(const CoveredTrees& model, const PlayedRows& rows, std::size_t outputs,
                      double* phi);

// The interaction values of all rows with their frame: rows x outputs x (players + 1) x
// (players + 1) numbers are written, the mean answer into the last place of each square.
void write_interactions(const CoveredTrees& model, const PlayedRows& rows, std::size_t outputs,
                        double* out);

// What splitting the answer for one row up costs.
SplitWork split_work(const Trees& trees);

}  // namespace gradus
