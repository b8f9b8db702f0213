// The table of a linear model in comfortable units: z_j = (x_j - shift_j) * scale_j.
//
// Shift and scale only make the problem well conditioned; coefficients go back to the units of the
// data, so neither has to be exact. For long tables they come from every k-th row. Without an
// intercept nothing is shifted. A column without any spread gets the scale 0: it takes no part; one
// whose spread is not a finite number gets NaN.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"
#include "gradus/linalg/gram.hpp"

namespace gradus {

// The features of a task with targets (rows x outputs, may be empty) and weights.
linalg::Design design_of(const TrainTask& task, std::span<const double> targets,
                         std::size_t outputs, std::span<const double> weights);

struct Units {
  std::vector<double> shift;
  std::vector<double> scale;
  std::vector<double> reach = {};  // about the largest distance from one row, a power of two

  // Coefficients of x from coefficients of z: w_j = c_j scale_j, and what the shifts add up to.
  // `constant` is the intercept for z in, for x out.
  void to_data(std::span<const double> c, std::span<double> w, double& constant) const;
};

// Where most columns reach about as far as the furthest, they are measured in one unit (pixels,
// counts, columns that somebody has standardised), and all get the same scale. Methods that know
// the curvature by its largest parts alone need it: a pixel that is dark in nearly all images would
// stand out by hundreds of its own deviations, and such columns would take all iterations. (MNIST,
// 20 iterations of L-BFGS: mean loss 0.25 instead of 0.74.)
void share_one_scale(Units& units);

enum class Shift { mean, none };
Units comfortable_units(const linalg::Design& design, Shift shift, const Context& context);

// A part of the table, copied: every `stride`-th row.
struct Sample {
  std::vector<double> rows;
  std::vector<double> targets;
  std::vector<double> weights;
  linalg::Design design() const;
  std::size_t count = 0;
  std::size_t features = 0;
  std::size_t outputs = 0;
};
Sample every_nth_row(const linalg::Design& design, std::size_t stride, const Context& context);

}  // namespace gradus
