#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/linear/descent_line.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/blocks/penalty/lq.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/linear/bridge_regression/params.hpp"

namespace gradus {

template const Entry& entry<BridgeRegression>();

void BridgeRegression::check(const TrainTask& task) const {
  if (penalty_factor.empty()) return;
  const bool good = std::all_of(penalty_factor.begin(), penalty_factor.end(),
                                [](double f) { return f >= 0 && std::isfinite(f); });
  if (good && penalty_factor.size() == task.features.cols()) return;
  throw Error(ErrorKind::usage, "--penalty_factor",
              fmt::format("penalty_factor must be {} numbers from 0 on, one per feature, got {}",
                          task.features.cols(), penalty_factor.size()),
              "give one factor per feature, encoded levels counting one by one");
}

DescentLineModel BridgeRegression::fit(const TrainTask& task, const Context& context) const {
  const linalg::Design design = design_of(task, task.numbers, 1, task.weights);
  const auto centre = descent.fit_intercept ? linalg::Centre::mean : linalg::Centre::origin;
  const SafeMoments sums = safe_moments(design, centre, task.signature, context);
  const std::size_t d = task.features.cols();
  const auto factor = [&](std::size_t j) { return penalty_factor.empty() ? 1 : penalty_factor[j]; };
  DescentProblem problem{.sums = sums, .max_iter = descent.max_iter, .tol = descent.tol};
  problem.has_intercept = descent.fit_intercept;
  for (std::size_t j = 0; j < d; ++j) {
    if (!sums.constant[j]) problem.blocks.push_back({{j}});
  }
  // In scaled units c = w t / s the penalty W alpha |w|^q t^2 is W alpha t^(2-q) s^q |c|^q.
  problem.best = [&](std::size_t block, std::span<const double> c, std::span<double> w) {
    const std::size_t j = problem.blocks[block].columns[0];
    const double t = sums.scales[d];
    const double unit = std::pow(sums.scales[j] / t, q) * t * t;
    const double l = std::min(sums.weight * alpha * factor(j) * unit, 1e100);
    w[0] = lq_minimum(sums.products(j, j), c[0], l, q);
  };
  problem.penalty = [&](std::span<const double> w) {
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += factor(j) * lq_value(w.subspan(j, 1), q);
    return alpha * sum;
  };
  return descend_line(problem, task, context);
}

}  // namespace gradus
