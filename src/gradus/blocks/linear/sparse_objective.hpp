// The objective of linear functions over sparse rows,
//   f(c) = sum_i w_i L(row i) / W + l2 sum_j w_j^2 / 2,
// with value, gradient and products with the Hessian, at a cost that grows with the stored numbers.
//
// The coefficients of all outputs for one feature stand side by side (feature by feature, the
// intercepts last): a stored number meets a short contiguous run of them. Scores are computed row
// by row, gradients column by column from a transposed copy, so that no thread needs a gradient of
// its own and the bytes do not depend on the number of threads.
//
// c are coefficients in comfortable units z_j = (x_j - shift_j) scale_j, where the shift is applied
// to the sums and never to a zero, and scale_j = 1 / sqrt(q var_j + l2) brings the diagonal of the
// Hessian to about 1 (q bounds the curvature of the loss): rare and common columns bend alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/linear/leads.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/blocks/loss/loss.hpp"
#include "gradus/core/context.hpp"
#include "gradus/data/csr.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

// Several outputs: one softmax over all, or a loss of two classes for each against the rest.
enum class Outputs { softmax, one_vs_rest };

struct SparseProblem {
  const CsrMatrix& matrix;
  std::span<const double> targets;       // numbers, 0 or 1, or class codes for several outputs
  std::span<const double> weights = {};  // empty: all 1
  Loss loss = {};                        // not used by a softmax
  std::size_t outputs = 1;
  Outputs kind = Outputs::softmax;
  bool intercept = true;
  double l2 = 0;            // in units of the data, divided by W
  double intercept_l2 = 0;  // of b^2 / 2, if it is not free; columns are not shifted then
  double curvature = 0.25;  // q
  // What others add to the curvature along each feature, in units of the data, divided by W: it
  // joins q var_j in the scales. Empty: nothing.
  std::span<const double> extra = {};
};

class SparseObjective {
 public:
  // The matrix, targets and weights are borrowed.
  SparseObjective(const SparseProblem& problem, const Context& context);

  std::size_t size() const { return (features_ + (problem_.intercept ? 1 : 0)) * outputs_; }
  double weight() const { return weight_; }

  double operator()(std::span<const double> c, std::span<double> gradient);
  // out = H v at the point of the last evaluation.
  void product(std::span<const double> v, std::span<double> out);

  double penalty(std::span<const double> c) const;
  // Takes the gradient of the penalty out of that of f.
  void take_out_penalty(std::span<const double> c, std::span<double> gradient) const;
  // The diagonal of the Hessian of the summed losses in units of the data, at the point of the last
  // evaluation: outputs x (features, intercept).
  std::vector<double> diagonal() const;
  const Leads& leads() const { return leads_; }  // of the last evaluation

  // Coefficients in units of the data: outputs x features, and one intercept per output.
  void to_data(std::span<const double> c, linalg::Matrix& w, std::vector<double>& intercept) const;
  const Units& units() const { return units_; }
  // The same numbers output by output, the intercept last in each.
  std::vector<double> by_output(std::span<const double> c) const;
  std::vector<double> by_feature(std::span<const double> c) const;  // and back

 private:
  struct RowPart;

  void transpose();
  void take_units(const Context& context);
  // Constants of the outputs: c_0 - sum_j shift_j scale_j c_j.
  std::vector<double> constants(std::span<const double> c) const;
  void scores(std::span<const double> c, std::span<const double> constant, std::size_t row,
              double* out) const;
  RowPart losses(std::span<const double> c, std::span<const double> constant, std::size_t begin,
                 std::size_t end);
  void separate_losses(std::size_t begin, std::size_t end, RowPart& part);
  void softmax_losses(std::size_t begin, std::size_t end, RowPart& part);
  // Curvatures of a row per output, its weight included.
  double bend_of(std::size_t row, std::size_t output) const;
  void bend(std::size_t row, const double* change, double* out) const;
  // out = (sum_i z_i r_i) / W + l2 c, with r the rows of `factors` and `totals` their sum.
  void collect(std::span<const double> totals, std::span<const double> c, std::span<double> out);

  double weight_of(std::size_t row) const {
    return problem_.weights.empty() ? 1.0 : problem_.weights[row];
  }

  SparseProblem problem_;
  Context context_;
  std::size_t features_ = 0;
  std::size_t outputs_ = 0;
  double weight_ = 0;
  Units units_;
  std::vector<double> offset_;  // shift_j scale_j
  std::vector<double> l2_;      // per feature, in comfortable units
  Leads leads_;

  std::vector<double> value_;                // x_ij scale_j, row by row
  std::vector<std::uint64_t> column_begin_;  // features + 1
  std::vector<std::uint32_t> column_row_;
  std::vector<double> column_value_;  // x_ij scale_j, column by column

  std::vector<double> factor_;  // rows x outputs: slopes, or curved changes
  std::vector<double> curve_;   // rows x outputs: probabilities of a softmax, or curvatures
};

}  // namespace gradus
