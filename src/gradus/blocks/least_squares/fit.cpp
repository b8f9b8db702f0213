#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/blocks/least_squares/explain.hpp"
#include "gradus/blocks/least_squares/least_squares.hpp"
#include "gradus/blocks/least_squares/model.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

constexpr std::size_t kResidualRows = 2048;

std::string feature_place(const TrainTask& task, std::size_t feature) {
  return "column " + in_quotes(task.signature.features[feature].name);
}

// c in scaled units to b in the units of the data. The scales are powers of two: only the exponent
// changes, and it must stay where doubles have all their digits.
double in_data_units(const TrainTask& task, double c, int exponent, std::size_t feature) {
  const double b = std::ldexp(c, exponent);
  if (c == 0 || (std::isfinite(b) && std::abs(b) >= std::numeric_limits<double>::min())) return b;
  throw Error(ErrorKind::numerical, feature_place(task, feature),
              fmt::format("its coefficient would be about 2^{}, outside the range of numbers",
                          std::ilogb(c) + exponent),
              "rescale this column or the target");
}

void take_coefficients(LinearRegressionModel& model, const LeastSquares& found,
                       const TrainTask& task) {
  const std::size_t d = task.features.cols();
  const std::size_t outputs = task.signature.outputs.size();
  model.coefficients = linalg::Matrix::zeros(outputs, d);
  model.intercept.assign(outputs, 0.0);
  for (std::size_t k = 0; k < outputs; ++k) {
    const int target_exponent = std::ilogb(found.scales[d + k]);
    for (std::size_t a = 0; a < found.active.size(); ++a) {
      const std::size_t j = found.active[a];
      const int exponent = std::ilogb(found.scales[j]) - target_exponent;
      model.coefficients(k, j) =
          in_data_units(task, found.solution.coefficients(a, k), exponent, j);
    }
    if (!model.has_intercept) continue;
    double explained = 0;
    for (std::size_t j = 0; j < d; ++j) explained += model.coefficients(k, j) * found.means[j];
    model.intercept[k] = found.means[d + k] - explained;
    if (!std::isfinite(model.intercept[k])) {
      throw Error(ErrorKind::numerical, "column " + in_quotes(task.signature.outputs[k]),
                  "the intercept would not be a finite number", "rescale the columns");
    }
  }
}

// residuals[k * rows + i] = y - prediction: what the model's own predictions leave.
std::vector<double> residuals_of(const LinearRegressionModel& model, const TrainTask& task,
                                 const Context& context) {
  const std::size_t outputs = task.signature.outputs.size();
  std::vector<double> out(task.rows() * outputs);
  parallel::for_each_block(context, task.rows(), kResidualRows, [&](parallel::Block block) {
    std::vector<double> scratch;
    std::vector<double> predicted(block.size() * outputs);
    model.predict(task.features.block(block.begin, block.end, scratch), predicted.data());
    for (std::size_t i = block.begin; i < block.end; ++i) {
      for (std::size_t k = 0; k < outputs; ++k) {
        out[k * task.rows() + i] =
            task.numbers[i * outputs + k] - predicted[(i - block.begin) * outputs + k];
      }
    }
  });
  return out;
}

// sqrt((X'WX)^-1_jj) in scaled units for the intercept and each feature; empty without inference.
// The intercept is the mean minus b'm: its variance is 1/W + m'(X'WX)^-1 m.
std::vector<double> deviations_of(const LinearRegressionModel& model, const LeastSquares& found,
                                  const TrainTask& task) {
  const linalg::Matrix& inverse = found.solution.inverse;
  const std::size_t active = found.active.size();
  std::vector<double> means(active);
  for (std::size_t a = 0; a < active; ++a) {
    means[a] = found.means[found.active[a]] * found.scales[found.active[a]];
  }
  std::vector<double> out;
  if (model.has_intercept) {
    double variance = 1 / found.weight;
    for (std::size_t a = 0; a < active; ++a) {
      variance += means[a] * simd::dot(inverse.row(a).data(), means.data(), active);
    }
    out.push_back(std::sqrt(variance));
  }
  for (std::size_t j = 0, a = 0; j < task.features.cols(); ++j) {
    const bool known = a < active && found.active[a] == j;
    out.push_back(known ? std::sqrt(inverse(a, a)) * found.scales[j]
                        : std::numeric_limits<double>::quiet_NaN());
    a += known ? 1 : 0;
  }
  return out;
}

std::int64_t rows_that_count(const TrainTask& task) {
  const auto zeros = std::count(task.weights.begin(), task.weights.end(), 0.0);
  return static_cast<std::int64_t>(task.rows()) - zeros;
}

// sqrt(w) * residual of the rows that count, for one output.
std::vector<double> weighted(std::span<const double> residuals, std::span<const double> weights) {
  if (weights.empty()) return {residuals.begin(), residuals.end()};
  std::vector<double> out;
  out.reserve(residuals.size());
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    if (weights[i] > 0) out.push_back(std::sqrt(weights[i]) * residuals[i]);
  }
  return out;
}

void take_statistics(LinearRegressionModel& model, const LeastSquaresOptions& learner,
                     const LeastSquares& found, const TrainTask& task, const Context& context) {
  const std::size_t d = task.features.cols();
  const std::vector<double> all = residuals_of(model, task, context);
  const bool inference = learner.alpha == 0 && model.rank == static_cast<std::int64_t>(d);
  const std::vector<double> deviations =
      inference ? deviations_of(model, found, task) : std::vector<double>();
  for (std::size_t k = 0; k < task.signature.outputs.size(); ++k) {
    std::vector<double> residuals =
        weighted({all.data() + k * task.rows(), task.rows()}, task.weights);
    const double scale = found.scales[d + k];
    std::vector<double> scaled(residuals.size());
    std::transform(residuals.begin(), residuals.end(), scaled.begin(),
                   [scale](double r) { return r * scale; });
    FitSummary summary{.rss = simd::dot(scaled.data(), scaled.data(), scaled.size()),
                       .tss = found.total[k],
                       .unit = 1 / scale,
                       .degrees_of_freedom = model.degrees_of_freedom,
                       .rank = model.rank,
                       .has_intercept = model.has_intercept,
                       .inference = inference,
                       .confidence = learner.confidence};
    std::vector<double> in_units = deviations;
    for (double& deviation : in_units) deviation /= scale;
    model.statistics.push_back(linear_statistics(summary, model.terms(k), in_units));
    LinearStatistics& statistics = model.statistics.back();
    statistics.residual_quantiles = five_numbers(residuals);
    // The line goes through the means, whatever its slope.
    if (inference && d == 1 && model.has_intercept) {
      statistics.line_covariance =
          -found.means[0] * statistics.standard_errors[1] * statistics.standard_errors[1];
    }
  }
}

}  // namespace

LinearRegressionModel fit_least_squares(const LeastSquaresOptions& options, const TrainTask& task,
                                        const Context& context) {
  const linalg::Design design =
      design_of(task, task.numbers, task.signature.outputs.size(), task.weights);
  const LeastSquares found = least_squares(options, design, task.signature, context);
  LinearRegressionModel model;
  model.has_intercept = options.fit_intercept;
  model.solver = found.solver;
  model.rank = static_cast<std::int64_t>(found.solution.rank);
  const bool constant_columns = found.active.size() < task.features.cols();
  model.condition_number =
      constant_columns ? std::numeric_limits<double>::infinity() : found.solution.condition;
  model.degrees_of_freedom = rows_that_count(task) - model.rank - (options.fit_intercept ? 1 : 0);
  take_coefficients(model, found, task);
  take_statistics(model, options, found, task, context);
  if (context.trace != nullptr) explain_fit(options, model, task, *context.trace);
  return model;
}

}  // namespace gradus
