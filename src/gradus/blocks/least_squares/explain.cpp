#include "gradus/blocks/least_squares/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/lapack.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

// What still fits on a page.
constexpr std::size_t kMostFeatures = 10;
constexpr std::size_t kMostRows = 50;

// One output of one fit, and the rows behind it.
class Explainer {
 public:
  Explainer(const LeastSquaresOptions& learner, const LinearRegressionModel& model,
            const TrainTask& task, Trace& trace, std::size_t output)
      : learner_(learner), model_(model), task_(task), trace_(trace), output_(output) {}

  void run() {
    const std::size_t d = task_.features.cols();
    const bool textbook = d == 1 && model_.has_intercept && learner_.alpha == 0;
    if (d <= kMostFeatures) {
      sum_up();
      if (textbook && model_.rank == 1) {
        add_means();
        add_slope();
      } else {
        add_normal_equations();
        add_solution();
      }
    }
    add_line();
    add_fit();
    add_inference();
  }

 private:
  const LinearStatistics& statistics() const { return model_.statistics[output_]; }
  const std::string& target() const { return task_.signature.outputs[output_]; }
  std::string feature(std::size_t j) const { return task_.signature.features[j].name; }
  double y(std::size_t row) const {
    return task_.numbers[row * task_.signature.outputs.size() + output_];
  }
  std::string path(const std::string& where) const {
    return task_.signature.outputs.size() == 1 ? where : target() + "/" + where;
  }

  template <class Body>
  void for_each_row(Body&& body) const {
    constexpr std::size_t kBlock = 512;
    std::vector<double> scratch;
    for (std::size_t begin = 0; begin < task_.rows(); begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, task_.rows());
      const RowBlock block = task_.features.block(begin, end, scratch);
      for (std::size_t i = begin; i < end; ++i) body(i, block.row(i - begin));
    }
  }

  // X'WX and X'Wy with a column of ones first when there is an intercept.
  void sum_up() {
    const std::size_t first = model_.has_intercept ? 1 : 0;
    const std::size_t p = task_.features.cols() + first;
    products_ = Matrix::zeros(p, p);
    right_ = Matrix::zeros(p, 1);
    std::vector<double> row(p, 1.0);
    for_each_row([&](std::size_t i, std::span<const double> x) {
      std::copy(x.begin(), x.end(), row.begin() + static_cast<std::ptrdiff_t>(first));
      weight_ += task_.weight(i);
      mean_y_ += task_.weight(i) * y(i);
      for (std::size_t a = 0; a < p; ++a) {
        right_(a, 0) += task_.weight(i) * row[a] * y(i);
        for (std::size_t b = 0; b < p; ++b) products_(a, b) += task_.weight(i) * row[a] * row[b];
      }
    });
    mean_y_ /= weight_;
    if (model_.has_intercept) mean_x_ = products_(0, p - 1) / weight_;
  }

  void add_means() {
    Step step{.title = "Means", .path = path("means")};
    step.formula = fmt::format("x̄ = {}/{} = {},  ȳ = {}/{} = {}", readable(products_(0, 1)),
                               readable(weight_), readable(mean_x_), readable(right_(0, 0)),
                               readable(weight_), readable(mean_y_));
    step.values = object({{"n", weight_}, {"mean_x", mean_x_}, {"mean_y", mean_y_}});
    step.text = fmt::format("The line goes through the point of the means of {} and {}.",
                            feature(0), target());
    trace_.add(std::move(step));
  }

  // b = Sxy / Sxx, a = mean of y - b * mean of x.
  void add_slope() {
    Step step{.title = "Slope", .path = path("slope")};
    double sxy = 0;
    double sxx = 0;
    double syy = 0;
    Value::Array table;
    for_each_row([&](std::size_t i, std::span<const double> x) {
      const double dx = x[0] - mean_x_;
      const double dy = y(i) - mean_y_;
      sxy += task_.weight(i) * dx * dy;
      sxx += task_.weight(i) * dx * dx;
      syy += task_.weight(i) * dy * dy;
      if (task_.rows() > kMostRows) return;
      table.push_back(object({{"x", x[0]},
                              {"y", y(i)},
                              {"x-mean", dx},
                              {"y-mean", dy},
                              {"product", dx * dy},
                              {"square", dx * dx}}));
    });
    const double b = model_.coefficients(output_, 0);
    step.formula =
        fmt::format("Sxy = Σ(x-x̄)(y-ȳ) = {},  Sxx = Σ(x-x̄)² = {},  b = Sxy/Sxx = {}/{} = {}",
                    readable(sxy), readable(sxx), readable(sxy), readable(sxx), readable(b));
    step.values = object({{"sxy", sxy}, {"sxx", sxx}, {"syy", syy}, {"slope", b}});
    if (syy > 0) step.values["correlation"] = sxy / std::sqrt(sxx * syy);
    if (weight_ > 1) {
      step.values["covariance"] = sxy / (weight_ - 1);
      step.values["variance_x"] = sxx / (weight_ - 1);
    }
    if (!table.empty()) step.values["rows"] = std::move(table);
    step.text = fmt::format("One more {} goes with {} more {}.", feature(0), readable(b), target());
    trace_.add(std::move(step));
  }

  void add_normal_equations() {
    Step step{.title = "Normal equations", .path = path("normal_equations")};
    const bool weights = !task_.weights.empty();
    const std::string product = weights ? "X'WX" : "X'X";
    step.formula = fmt::format("({}{}) b = {},  {} = {},  {} = {}", product,
                               learner_.alpha > 0 ? " + αI" : "", weights ? "X'Wy" : "X'y", product,
                               bracketed(products_), weights ? "X'Wy" : "X'y", bracketed(right_));
    step.values = object({{"XtX", to_value(products_)}, {"Xty", right_.values}});
    if (learner_.alpha > 0) step.values["alpha"] = learner_.alpha;
    step.text = model_.has_intercept
                    ? "The first row and column belong to the intercept, a column of ones."
                    : "There is no intercept.";
    trace_.add(std::move(step));
  }

  // The textbook's way to the solution; the fit itself works with centred columns.
  void add_solution() {
    Matrix factor = products_;
    for (std::size_t j = model_.has_intercept ? 1 : 0; j < factor.height(); ++j) {
      factor(j, j) += learner_.alpha;
    }
    Step step{.title = "Solve by Cholesky", .path = path("solve")};
    const bool full = model_.rank == model_.coefficients.cols || learner_.alpha > 0;
    if (!full || !linalg::cholesky(factor)) {
      step.title = "Shortest solution";
      step.formula = fmt::format("rank(X) = {} < {}", model_.rank, model_.coefficients.cols);
      step.values = object({{"rank", model_.rank}});
      step.text =
          "The columns depend on each other, so many lines fit equally well; the singular "
          "value decomposition gives the one with the smallest coefficients.";
      trace_.add(std::move(step));
      return;
    }
    for (std::size_t i = 0; i < factor.height(); ++i) {
      for (std::size_t j = i + 1; j < factor.width(); ++j) factor(i, j) = 0;
    }
    Matrix z = right_;
    linalg::solve_lower(factor, z);
    Matrix b = z;
    linalg::solve_lower_transposed(factor, b);
    step.formula = fmt::format("L = {},  L z = X'y gives z = {},  L'b = z gives b = {}",
                               bracketed(factor), bracketed(z), bracketed(b));
    step.values = object({{"L", to_value(factor)},
                          {"z", z.values},
                          {"b", b.values},
                          {"inverse", to_value(linalg::inverse_from_cholesky(factor))}});
    trace_.add(std::move(step));
  }

  void add_line() {
    Step step{.title = "The line", .path = path("coefficients")};
    std::string formula = target() + " =";
    if (model_.has_intercept) {
      formula += " " + readable(model_.intercept[output_]);
      step.values["intercept"] = model_.intercept[output_];
    }
    for (std::size_t j = 0; j < model_.coefficients.width(); ++j) {
      const double b = model_.coefficients(output_, j);
      step.values[feature(j)] = b;
      if (j < kMostFeatures) formula += signed_term(b, feature(j));
    }
    if (model_.coefficients.width() > kMostFeatures) formula += " + …";
    step.formula = std::move(formula);
    step.text =
        fmt::format("Rank {} of {} columns, condition number {}, solved by {}.", model_.rank,
                    model_.coefficients.cols, readable(model_.condition_number, 3),
                    enum_names(model_.solver)[static_cast<std::size_t>(model_.solver)]);
    trace_.add(std::move(step));
  }

  void add_fit() {
    const LinearStatistics& s = statistics();
    Step step{.title = "Residuals and R²", .path = path("fit")};
    step.formula =
        fmt::format("SSE = Σ(y-ŷ)² = {},  SST = {} = {},  R² = 1 - SSE/SST = {}",
                    readable(s.residual_sum_of_squares), model_.has_intercept ? "Σ(y-ȳ)²" : "Σy²",
                    readable(s.total_sum_of_squares), readable(s.r2));
    step.values =
        object({{"sse", s.residual_sum_of_squares}, {"sst", s.total_sum_of_squares}, {"r2", s.r2}});
    add_likelihood(step);
    if (task_.rows() <= kMostRows) {
      Value& rows = step.values["rows"] = Value(Value::Array{});
      for_each_row([&](std::size_t i, std::span<const double> x) {
        std::vector<double> predicted(task_.signature.outputs.size());
        model_.predict({x.data(), 1, x.size()}, predicted.data());
        rows.push_back(object({{"y", y(i)},
                               {"predicted", predicted[output_]},
                               {"residual", y(i) - predicted[output_]}}));
      });
    }
    step.text = std::isnan(s.r2) ? "The target is constant: R² is not defined."
                                 : fmt::format("The line explains {} % of the variance of {}.",
                                               readable(100 * s.r2, 4), target());
    trace_.add(std::move(step));
  }

  // Normal noise of precision beta = n / SSE makes the targets most likely.
  void add_likelihood(Step& step) const {
    const double sse = statistics().residual_sum_of_squares;
    if (!(sse > 0) || !task_.weights.empty()) return;
    const auto n = static_cast<double>(task_.rows());
    step.values["beta"] = n / sse;
    step.values["log_likelihood"] = -n / 2 * (std::log(2 * std::numbers::pi * sse / n) + 1);
  }

  void add_inference() {
    const LinearStatistics& s = statistics();
    if (std::isnan(s.residual_standard_error)) return;
    Step step{.title = "How sure the numbers are", .path = path("inference")};
    step.formula =
        fmt::format("s = √(SSE/{}) = {},  se(b) = s √((X'X)⁻¹)ⱼⱼ,  t = b/se,  F = {} (p = {})",
                    model_.degrees_of_freedom, readable(s.residual_standard_error),
                    readable(s.f_statistic), readable(s.f_p_value, 3));
    step.values = object({{"degrees_of_freedom", model_.degrees_of_freedom},
                          {"residual_standard_error", s.residual_standard_error},
                          {"f_statistic", s.f_statistic},
                          {"f_p_value", s.f_p_value}});
    const std::size_t first = model_.has_intercept ? 1 : 0;
    for (std::size_t i = 0; i < s.standard_errors.size(); ++i) {
      const std::string name = i < first ? "intercept" : feature(i - first);
      step.values["coefficients"][name] = object({{"standard_error", s.standard_errors[i]},
                                                  {"t", s.t_values[i]},
                                                  {"p", s.p_values[i]},
                                                  {"low", s.interval_low[i]},
                                                  {"high", s.interval_high[i]}});
    }
    step.text = fmt::format(
        "The interval of each coefficient holds the true one in {} % of all "
        "samples, if the errors are independent and normal.",
        readable(100 * learner_.confidence));
    trace_.add(std::move(step));
  }

  const LeastSquaresOptions& learner_;
  const LinearRegressionModel& model_;
  const TrainTask& task_;
  Trace& trace_;
  std::size_t output_;
  Matrix products_;
  Matrix right_;
  double weight_ = 0;
  double mean_x_ = 0;
  double mean_y_ = 0;
};

}  // namespace

void explain_fit(const LeastSquaresOptions& learner, const LinearRegressionModel& model,
                 const TrainTask& task, Trace& trace) {
  for (std::size_t k = 0; k < task.signature.outputs.size(); ++k) {
    Explainer(learner, model, task, trace, k).run();
  }
}

void LinearRegressionModel::explain(std::span<const double> row, const Signature& signature,
                                    Trace& trace) const {
  std::vector<double> predicted(intercept.size());
  predict({row.data(), 1, row.size()}, predicted.data());
  for (std::size_t k = 0; k < intercept.size(); ++k) {
    const std::string& name = signature.outputs[k];
    Step step{.title = "Predict " + name, .path = "row/" + name};
    std::string formula = name + " =";
    if (has_intercept) {
      formula += " " + readable(intercept[k]);
      step.values["intercept"] = intercept[k];
    }
    Value& terms = step.values["terms"] = object();
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double b = coefficients(k, j);
      terms[signature.features[j].name] =
          object({{"coefficient", b}, {"value", row[j]}, {"product", b * row[j]}});
      formula += signed_term(b, "· " + readable(row[j]));
    }
    step.formula = formula + " = " + readable(predicted[k]);
    step.values["prediction"] = predicted[k];
    step.text = fmt::format("The prediction for {} is {}.", name, readable(predicted[k]));
    trace.add(std::move(step));
  }
}

}  // namespace gradus
