// Going downhill by the gradient alone.
//
// Batch: w <- w - step * g(w), the step fixed (`constant`), falling as t0 / (t0 + t) (`falling`),
// or halved from twice the last one until f falls by half of what the slope promises
// (`backtracking`). Mini-batch: the gradient of a few rows drawn without replacement per epoch,
// with plain steps, momentum (v <- 0.9 v + g), Adagrad (each coordinate divided by the root of its
// summed squares) or Adam (running means of g and g^2 with their bias taken out; Kingma and Ba
// 2015).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/solver/minimum.hpp"
#include "gradus/blocks/solver/step_rule.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

struct StepSize {
  StepRule rule = StepRule::backtracking;
  double rate = 0.1;  // the fixed step, or the first one
  double t0 = 10;     // falling: step t is rate * t0 / (t0 + t)
};

Minimum minimise_descent(const SmoothFunction& function, std::vector<double> start,
                         const StepSize& step, const SolverOptions& options);

// Writes the mean gradient over the rows given; returns their mean value.
using RowsFunction = std::function<double(
    std::span<const double> at, std::span<const std::size_t> rows, std::span<double> gradient)>;

struct StochasticOptions {
  std::size_t rows = 0;
  std::size_t batch = 32;
  Update update = Update::adam;
  StepSize step = {StepRule::falling, 0.01, 10};  // t counts epochs; backtracking: as constant
  Seed seed = 0;
};

// `whole` is the full function, asked once per epoch to see whether the work is done.
Minimum minimise_stochastic(const RowsFunction& part, const SmoothFunction& whole,
                            std::vector<double> start, const StochasticOptions& how,
                            const SolverOptions& options);

}  // namespace gradus
