// Everything happens along the eigenvectors of X'X, in which the posterior falls apart into single
// numbers: one decomposition serves every round of the search for the variances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "gradus/blocks/linear/line.hpp"
#include "gradus/blocks/linear/safe_moments.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/lapack.hpp"
#include "gradus/models/linear/bayesian_linear_regression/model.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// A noise below this share of the target's variance cannot be told from none.
constexpr double kLeastNoise = 1e-20;

class Fit {
 public:
  Fit(const BayesianLinearRegression& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        d_(task.features.cols()),
        ones_(learner.fit_intercept && learner.prior_on_intercept ? 1 : 0),
        flat_(learner.fit_intercept && !learner.prior_on_intercept) {}

  BayesianLinearRegressionModel run() {
    sum_up();
    decompose();
    find_variances();
    take_posterior();
    take_evidence();
    if (context_.trace != nullptr) tell(*context_.trace);
    return std::move(model_);
  }

 private:
  // X'X and X'y of all coefficients that have the prior, in one unit x_ for the features and one,
  // y_, for the target.
  void sum_up() {
    const linalg::Design design = design_of(task_, task_.numbers, 1, task_.weights);
    const auto centre = flat_ ? linalg::Centre::mean : linalg::Centre::origin;
    sums_ = in_common_units(safe_moments(design, centre, task_.signature, context_), d_);
    x_ = sums_.scales.empty() || d_ == 0 ? 1 : sums_.scales[0];
    y_ = sums_.scales[d_];
    n_ = sums_.weight;
    square_ = sums_.products(d_, d_);
    const std::size_t p = d_ + ones_;
    products_ = Matrix::zeros(p, p);
    right_.assign(p, 0.0);
    for (std::size_t i = 0; i < d_; ++i) {
      for (std::size_t j = 0; j < d_; ++j) products_(i + ones_, j + ones_) = sums_.products(i, j);
      right_[i + ones_] = sums_.products(i, d_);
    }
    if (ones_ == 1) add_ones(design);
  }

  // The column of ones as a feature of its own.
  void add_ones(const linalg::Design& design) {
    const std::vector<double> sums = linalg::column_means(design, sums_.scales, context_);
    products_(0, 0) = n_ * x_ * x_;
    for (std::size_t j = 0; j < d_; ++j) {
      products_(0, j + 1) = products_(j + 1, 0) = sums[j] * n_ * x_ * x_;
    }
    right_[0] = sums[d_] * y_ * n_ * x_;
    if (!std::isfinite(products_(0, 0)) || !std::isfinite(right_[0])) {
      throw Error(ErrorKind::numerical, "--prior_on_intercept",
                  "the columns are too small beside the column of ones",
                  "rescale the columns, or leave the intercept without a prior");
    }
  }

  void decompose() {
    const linalg::Svd parts = linalg::svd(products_);
    axes_ = parts.vt;
    values_ = parts.s;
    const double least = values_.empty() ? 0 : values_[0] * kEpsilon * static_cast<double>(d_ + 1);
    for (double& v : values_) v = v > least ? v : 0;
    along_.assign(values_.size(), 0.0);
    for (std::size_t r = 0; r < values_.size(); ++r) {
      // Along an axis without variance X'y is rounding.
      for (std::size_t j = 0; values_[r] > 0 && j < right_.size(); ++j) {
        along_[r] += axes_(r, j) * right_[j];
      }
    }
  }

  // Variances in scaled units: noise of y times y_, prior of w times y_ / x_.
  double noise_unit() const { return y_ * y_; }
  double prior_unit() const { return y_ / x_ * (y_ / x_); }

  // The posterior mean along axis r, given noise and prior.
  double mean(std::size_t r) const { return along_[r] / (values_[r] + noise_ / prior_); }

  double residual() const {
    double rest = square_;
    for (std::size_t r = 0; r < values_.size(); ++r) {
      rest += mean(r) * (values_[r] * mean(r) - 2 * along_[r]);
    }
    return std::max(0.0, rest);
  }

  double gamma() const {
    double sum = 0;
    for (const double v : values_) sum += v / (v + noise_ / prior_);
    return sum;
  }

  void find_variances() {
    // A constant target has no noise to speak of.
    const double spread = square_ > 0 ? square_ / n_ : 2 * kLeastNoise;
    noise_ = learner_.noise_variance ? *learner_.noise_variance * noise_unit() : spread / 2;
    const double width = values_.empty() || values_[0] == 0 ? 1 : values_[0] / n_;
    prior_ = learner_.prior_variance ? *learner_.prior_variance * prior_unit() : spread / width;
    if (!std::isfinite(noise_) || !std::isfinite(prior_) || noise_ <= 0 || prior_ <= 0) {
      throw Error(ErrorKind::numerical, "--prior_variance",
                  "the variances are too far from the units of the data to compute with",
                  "rescale the columns, or leave the variances to the evidence");
    }
    if (learner_.noise_variance && learner_.prior_variance) return;
    if (square_ == 0 || values_.empty() || values_[0] == 0) return;
    model_.converged = false;
    for (int round = 1; round <= learner_.max_iter && !model_.converged; ++round) {
      context_.stop_if_cancelled();
      model_.n_iter = round;
      model_.converged = one_round(spread) <= learner_.tol;
    }
  }

  // Returns the largest relative change.
  double one_round(double spread) {
    const double g = gamma();
    double length = 0;
    for (std::size_t r = 0; r < values_.size(); ++r) length += mean(r) * mean(r);
    const double rest = residual();
    const double noise = noise_;
    const double prior = prior_;
    if (!learner_.noise_variance)
      noise_ = std::max(rest / std::max(n_ - g, kEpsilon), kLeastNoise * spread);
    if (!learner_.prior_variance && g > 0) {
      // A prior that leaves nothing: no direction is determined by the data.
      prior_ = std::max(length / g, kLeastNoise * spread / values_[0] * n_);
    }
    return std::max(std::abs(noise_ / noise - 1), std::abs(prior_ / prior - 1));
  }

  void take_posterior() {
    const std::size_t p = right_.size();
    std::vector<double> w(p, 0.0);
    model_.factor = Matrix::zeros(p, values_.size());
    for (std::size_t r = 0; r < values_.size(); ++r) {
      const double deviation = 1 / std::sqrt(values_[r] / noise_ + 1 / prior_);
      for (std::size_t j = 0; j < p; ++j) {
        w[j] += axes_(r, j) * mean(r);
        model_.factor(j, r) = axes_(r, j) * deviation * (x_ / y_);
      }
    }
    model_.has_intercept = learner_.fit_intercept;
    model_.noise_variance = noise_ / y_ / y_;
    model_.prior_variance = prior_ / prior_unit();
    model_.determined = gamma();
    for (std::size_t j = ones_; j < p; ++j) model_.coefficients.push_back(w[j] * (x_ / y_));
    if (ones_ == 1) model_.intercept = w[0] * (x_ / y_);
    model_.centre.assign(d_, 0.0);
    if (flat_) {
      model_.centre.assign(sums_.means.begin(),
                           sums_.means.begin() + static_cast<std::ptrdiff_t>(d_));
      model_.intercept = sums_.means[d_];
      for (std::size_t j = 0; j < d_; ++j) {
        model_.intercept -= model_.coefficients[j] * model_.centre[j];
      }
      model_.centre_variance = model_.noise_variance / n_;
    }
    if (!std::isfinite(model_.intercept) || !all_finite(model_.coefficients) ||
        !all_finite(model_.factor.values) || !std::isfinite(model_.noise_variance)) {
      throw Error(ErrorKind::numerical, "", "the posterior would not have finite numbers",
                  "rescale the columns");
    }
  }

  // ln N(y | 0, sigma^2 I + tau^2 X X'), in the units of the data.
  void take_evidence() {
    double log_determinant = 0;
    double length = 0;
    for (std::size_t r = 0; r < values_.size(); ++r) {
      log_determinant += std::log1p(values_[r] * (prior_ / noise_));
      length += mean(r) * mean(r);
    }
    const double quadratic = residual() / noise_ + length / prior_;
    model_.log_evidence = -(n_ * std::log(2 * std::numbers::pi) + n_ * std::log(noise_) +
                            log_determinant + quadratic) /
                              2 +
                          n_ * std::log(y_);
  }

  void tell(Trace& trace) const {
    const Line line{model_.intercept, model_.coefficients,
                    learner_.fit_intercept ? Intercept::present : Intercept::absent};
    Step variances{.title = "Noise and prior", .path = "variances"};
    variances.formula = fmt::format(
        "σ² = {},  τ² = {},  λ = σ²/τ² = {}", readable(model_.noise_variance),
        readable(model_.prior_variance), readable(model_.noise_variance / model_.prior_variance));
    variances.values = object({{"noise_variance", model_.noise_variance},
                               {"prior_variance", model_.prior_variance},
                               {"lambda", model_.noise_variance / model_.prior_variance},
                               {"well_determined", model_.determined},
                               {"rounds", model_.n_iter}});
    variances.text = fmt::format(
        "The data determine γ = {} of {} directions. The posterior mean is ridge regression with "
        "the "
        "penalty λ.",
        readable(model_.determined), values_.size());
    trace.add(std::move(variances));
    Step posterior{.title = "The posterior", .path = "posterior"};
    posterior.formula = "A = X'X/σ² + I/τ²,  m = A⁻¹X'y/σ²:  " +
                        line_formula(line, task_.signature, task_.signature.outputs[0]);
    posterior.values = model_.fitted(task_.signature);
    posterior.text = "A⁻¹ is the covariance of the coefficients.";
    trace.add(std::move(posterior));
    Step evidence{.title = "The evidence", .path = "evidence"};
    evidence.formula =
        fmt::format("ln p(y) = ln N(y; 0, σ²I + τ²XX') = {}", readable(model_.log_evidence));
    evidence.values = object({{"log_evidence", model_.log_evidence}});
    evidence.text =
        "The larger it is, the better prior and noise suit the data: it compares models "
        "without a validation set.";
    trace.add(std::move(evidence));
  }

  const BayesianLinearRegression& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t d_;
  std::size_t ones_;  // 1 when the intercept has the prior
  bool flat_;         // the intercept has none
  SafeMoments sums_;
  double x_ = 1;
  double y_ = 1;
  double n_ = 0;
  double square_ = 0;  // y'y
  Matrix products_;
  std::vector<double> right_;
  Matrix axes_;                 // eigenvectors, as rows
  std::vector<double> values_;  // eigenvalues of X'X
  std::vector<double> along_;   // X'y along them
  double noise_ = 1;
  double prior_ = 1;
  BayesianLinearRegressionModel model_;
};

}  // namespace

BayesianLinearRegressionModel BayesianLinearRegression::fit(const TrainTask& task,
                                                            const Context& context) const {
  return Fit(*this, task, context).run();
}

}  // namespace gradus
