#include "gradus/models/linear/least_squares_classifier/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

// What still fits on a page.
constexpr std::size_t kMostFeatures = 8;
constexpr std::size_t kMostRows = 50;

// What one pass over the rows finds.
struct Sums {
  Matrix products;         // X'WX, the column of ones first
  Matrix right;            // X'WT
  double too_right = 0;    // half the squared error of rows beyond 1 on the right side
  double wrong = 0;        // weight of the rows whose largest output is another class
  Value::Array rows = {};  // of small tables
};

Sums pass(const LeastSquaresClassifier& learner, const LeastSquaresClassifierModel& model,
          const TrainTask& task) {
  const std::size_t classes = model.intercept.size();
  const std::size_t first = learner.fit_intercept ? 1 : 0;
  const std::size_t p = task.features.cols() + first;
  const bool small = p <= kMostFeatures + 1;
  Sums out{Matrix::zeros(small ? p : 0, small ? p : 0), Matrix::zeros(small ? p : 0, classes)};
  std::vector<double> scratch;
  std::vector<double> y(classes);
  std::vector<double> x(p, 1.0);
  for (std::size_t i = 0; i < task.rows(); ++i) {
    const RowBlock row = task.features.block(i, i + 1, scratch);
    const auto c = static_cast<std::size_t>(task.classes[i]);
    const double w = task.weight(i);
    model.predict(row, y.data());
    const auto best = static_cast<std::size_t>(std::max_element(y.begin(), y.end()) - y.begin());
    if (best != c) out.wrong += w;
    if (best == c && y[c] > 1) {
      for (std::size_t k = 0; k < classes; ++k) {
        const double gap = y[k] - (k == c ? 1 : 0);
        out.too_right += w * gap * gap / 2;
      }
    }
    if (small) {
      std::copy(row.row(0).begin(), row.row(0).end(),
                x.begin() + static_cast<std::ptrdiff_t>(first));
      for (std::size_t a = 0; a < p; ++a) {
        out.right(a, c) += w * x[a];
        for (std::size_t b = 0; b < p; ++b) out.products(a, b) += w * x[a] * x[b];
      }
    }
    if (task.rows() <= kMostRows) {
      out.rows.push_back(object({{"class", task.signature.classes[c]},
                                 {"outputs", by_name(task.signature.classes, y)},
                                 {"label", task.signature.classes[best]}}));
    }
  }
  return out;
}

Step equations_step(const LeastSquaresClassifier& learner, const Sums& sums) {
  Step step{.title = "Normal equations", .path = "normal_equations"};
  step.formula =
      fmt::format("(X'X{}) W = X'T,  X'X = {},  X'T = {}", learner.alpha > 0 ? " + αI" : "",
                  bracketed(sums.products), bracketed(sums.right));
  step.values = object({{"XtX", to_value(sums.products)}, {"XtT", to_value(sums.right)}});
  if (learner.alpha > 0) step.values["alpha"] = learner.alpha;
  step.text =
      "T has one column per class: 1 for rows of the class, 0 for the others. One factorisation "
      "serves all columns.";
  return step;
}

Step function_step(const LeastSquaresClassifierModel& model, const TrainTask& task, std::size_t k) {
  const std::string& name = task.signature.classes[k];
  Step step{.title = "The function of " + name, .path = "functions/" + name};
  step.formula = "y = " + readable(model.intercept[k]);
  step.values["intercept"] = model.intercept[k];
  for (std::size_t j = 0; j < model.coefficients.width(); ++j) {
    const std::string feature = task.signature.features[j].name;
    step.values[feature] = model.coefficients(k, j);
    if (j < kMostFeatures) step.formula += signed_term(model.coefficients(k, j), feature);
  }
  return step;
}

Step error_step(const LeastSquaresClassifierModel& model, Sums& sums) {
  Step step{.title = "Error and outliers", .path = "error"};
  const double share = model.error > 0 ? sums.too_right / model.error : 0;
  step.formula = fmt::format(
      "E = ½ Σ |t - W'x|² = {},  of which {} from rows with an output above 1 on the "
      "right side",
      readable(model.error), readable(sums.too_right));
  step.values = object({{"error", model.error},
                        {"too_right", sums.too_right},
                        {"too_right_share", share},
                        {"wrong", sums.wrong}});
  if (!sums.rows.empty()) step.values["rows"] = std::move(sums.rows);
  step.text = fmt::format(
      "{} % of the error is made by rows that are classified all too well: far rows pull the "
      "border towards themselves, which logistic_regression does not let them.",
      readable(100 * share, 3));
  return step;
}

}  // namespace

void explain_fit(const LeastSquaresClassifier& learner, const LeastSquaresClassifierModel& model,
                 const TrainTask& task, Trace& trace) {
  Sums sums = pass(learner, model, task);
  if (sums.products.height() > 0) trace.add(equations_step(learner, sums));
  for (std::size_t k = 0; k < model.intercept.size(); ++k) {
    trace.add(function_step(model, task, k));
  }
  trace.add(error_step(model, sums));
}

}  // namespace gradus
