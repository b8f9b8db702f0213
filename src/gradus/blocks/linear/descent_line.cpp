#include "gradus/blocks/linear/descent_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/blocks/linear/line.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

Line line_of(const DescentLineModel& model) {
  return {model.intercept, model.coefficients,
          model.has_intercept ? Intercept::present : Intercept::absent};
}

class LineDescent {
 public:
  LineDescent(const DescentProblem& problem, const TrainTask& task, const Context& context)
      : p_(problem), s_(problem.sums), task_(task), context_(context), d_(task.features.cols()) {
    model_.has_intercept = problem.has_intercept;
    w_.assign(d_, 0.0);
    for (std::size_t j = 0; j < d_; ++j) rest_.push_back(s_.products(j, d_));
  }

  DescentLineModel run() {
    const double unit = std::sqrt(std::max(s_.products(d_, d_), 1e-300));
    model_.converged = false;
    while (!model_.converged && model_.n_iter < p_.max_iter) {
      context_.stop_if_cancelled();
      ++model_.n_iter;
      model_.converged = sweep() <= p_.tol * unit;
      if (context_.trace != nullptr) tell();
    }
    take_line();
    return std::move(model_);
  }

 private:
  // Returns the largest change, each as the length that it adds to the fit.
  double sweep() {
    double largest = 0;
    std::vector<double> c;
    std::vector<double> next;
    for (std::size_t b = 0; b < p_.blocks.size(); ++b) {
      const std::vector<std::size_t>& columns = p_.blocks[b].columns;
      c.assign(columns.size(), 0.0);
      next.assign(columns.size(), 0.0);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        c[i] = rest_[columns[i]];
        for (const std::size_t k : columns) c[i] += s_.products(columns[i], k) * w_[k];
      }
      p_.best(b, c, next);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::size_t j = columns[i];
        const double change = next[i] - w_[j];
        if (change == 0) continue;
        simd::axpy(-change, s_.products.row(j).data(), rest_.data(), d_);
        largest = std::max(largest, std::abs(change) * std::sqrt(s_.products(j, j)));
        w_[j] = next[i];
      }
    }
    return largest;
  }

  double in_data(std::size_t j) const { return w_[j] * (s_.scales[j] / s_.scales[d_]); }

  void take_line() {
    model_.coefficients.clear();
    model_.intercept = s_.means[d_];
    for (std::size_t j = 0; j < d_; ++j) {
      const double b = w_[j] == 0 ? 0 : in_data(j);
      if (!std::isfinite(b)) {
        throw Error(ErrorKind::numerical, column_place(task_.signature, j),
                    "its coefficient would be outside the range of numbers",
                    "rescale this column or the target");
      }
      model_.coefficients.push_back(b);
      model_.intercept -= b * s_.means[j];
    }
    if (!model_.has_intercept) model_.intercept = 0;
    const double total = s_.products(d_, d_);
    double left = total;
    for (std::size_t j = 0; j < d_; ++j) left -= w_[j] * (s_.products(j, d_) + rest_[j]);
    left = std::max(0.0, left);
    model_.r2 = total > 0 ? 1 - left / total : std::numeric_limits<double>::quiet_NaN();
    const double unit = s_.scales[d_];
    model_.objective = left / unit / unit / 2 / s_.weight + p_.penalty(model_.coefficients);
  }

  void tell() const {
    if (!context_.trace->wants_more() || d_ > 20) return;
    Step step{.title = fmt::format("Sweep {}", model_.n_iter),
              .path = fmt::format("sweep {}", model_.n_iter)};
    std::vector<double> w;
    for (std::size_t j = 0; j < d_; ++j) w.push_back(w_[j] == 0 ? 0 : in_data(j));
    step.formula = "w = " + bracketed(w);
    step.values = by_name(coefficient_names(Intercept::absent, task_.signature), w);
    context_.trace->add(std::move(step));
  }

  const DescentProblem& p_;
  const SafeMoments& s_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t d_;
  std::vector<double> w_;     // in the units of the sums
  std::vector<double> rest_;  // X'(y - X w)
  DescentLineModel model_;
};

}  // namespace

void DescentLineModel::predict(const RowBlock& rows, double* out) const {
  predict_line(line_of(*this), rows, out);
}

Value DescentLineModel::fitted(const Signature& signature) const {
  const auto nonzero =
      std::count_if(coefficients.begin(), coefficients.end(), [](double b) { return b != 0; });
  Value out = object({{"coefficients", line_by_name(line_of(*this), signature)},
                      {"nonzero", nonzero},
                      {"objective", number_or_null(objective)},
                      {"r2", number_or_null(r2)},
                      {"n_iter", n_iter}});
  if (!converged) out["note"] = "max_iter was reached before the coefficients stood still.";
  return out;
}

void DescentLineModel::check(const Signature& signature) const {
  if (!line_fits(line_of(*this), signature)) {
    throw Error(ErrorKind::bad_data, "model", "the coefficients do not fit the features");
  }
}

void DescentLineModel::explain(std::span<const double> row, const Signature& signature,
                               Trace& trace) const {
  explain_line(line_of(*this), row, signature, 0, trace);
}

DescentLineModel descend_line(const DescentProblem& problem, const TrainTask& task,
                              const Context& context) {
  DescentLineModel model = LineDescent(problem, task, context).run();
  if (context.trace != nullptr) {
    Step step{.title = "The line", .path = "coefficients"};
    step.formula = line_formula(line_of(model), task.signature, task.signature.outputs[0]);
    step.values = model.fitted(task.signature);
    step.text = fmt::format("The objective is {} after {}.", readable(model.objective),
                            counted(static_cast<std::size_t>(model.n_iter), "sweep"));
    context.trace->add(std::move(step));
  }
  return model;
}

}  // namespace gradus
