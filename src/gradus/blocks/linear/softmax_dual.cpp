#include "gradus/blocks/linear/softmax_dual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"
#include "gradus/simd/sparse.hpp"

namespace gradus {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
// Rounds of Newton's method for one row, at most, and the change of q p that ends them: the next
// would be about its square.
constexpr int kMostRounds = 50;
constexpr double kSmallChange = 1e-3;
// The same for the log odds of two classes.
constexpr double kSmallStep = 1e-8;
// A step of ln p beyond this is taken in p instead: e^step would shoot over the aim.
constexpr double kLongStep = 0.5;
// Rows that are together this share of the allowed gap away from their best are left alone.
constexpr double kNegligible = 0.01;
// The reach of the intercepts: how many steps of Newton's method lead from b0 to b.
constexpr double kReach = 32;
// What the sums of the intercepts should shrink to when b0 follows b (squared), and how much
// further it reaches when they do not.
constexpr double kContraction = 0.25;
constexpr double kBoost = 4;
// The least curvature along an intercept, as a share of that of all costs.
constexpr double kLeastCurvature = 1e-12;
// A gap of this share of the objective is rounding.
constexpr double kRoundingShare = 1e-14;
// How many visits ahead a row is asked for.
constexpr std::size_t kAhead = 2;
constexpr std::size_t kGapRows = 256;

// 1 / (1 + e^-z).
double sigmoid(double z) { return 1 / (1 + std::exp(-z)); }
// ln(1 + e^z).
double softplus(double z) { return std::fmax(z, 0) + std::log1p(std::exp(-std::abs(z))); }

// Losses and gaps of rows.
struct Sums {
  double loss = 0;
  double gap = 0;
};

// The Newton rounds of one row, with their memory. Vectors of `classes` numbers.
class SimplexStep {
 public:
  explicit SimplexStep(std::size_t classes)
      : q_(classes), fixed_(classes), exp_(classes), bend_(classes) {}

  // q of each class, to be set before.
  double& q(std::size_t k) { return q_[k]; }

  // Finds `log_p` from its present value; `p` gets the probabilities.
  void solve(const double* scores, const double* old_p, double* log_p, double* p) {
    const std::size_t n = fixed_.size();
    for (std::size_t k = 0; k < n; ++k) fixed_[k] = scores[k] + q_[k] * old_p[k];
    bool ended = false;
    for (int round = 0; round < kMostRounds && !ended; ++round) ended = advance(log_p);
    if (!ended) bisect(log_p);
    simd::exp(log_p, p, n);
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += p[k];
    const double log_sum = std::log(sum);
    for (std::size_t k = 0; k < n; ++k) {
      p[k] /= sum;
      log_p[k] -= log_sum;
    }
  }

 private:
  // One round for ln p and nu together; true when q p hardly changed. ln p + q p - c is convex in
  // ln p and concave in p: from above in ln p and from below in p, a step stays short of its aim.
  bool advance(double* log_p) {
    const std::size_t n = fixed_.size();
    simd::exp(log_p, exp_.data(), n);
    double missing = 1;
    double numerator = 0;
    double denominator = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double p = exp_[k];
      bend_[k] = 1 / (1 + q_[k] * p);
      missing -= p;
      numerator += p * bend_[k] * residual(k, log_p);
      denominator += p * bend_[k];
    }
    const double nu = (missing + numerator) / denominator;
    double largest = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double step = (nu - residual(k, log_p)) * bend_[k];
      largest = std::fmax(largest, (1 + q_[k]) * exp_[k] * std::abs(step));
      log_p[k] = std::fmin(log_p[k] + (step > kLongStep ? std::log1p(step) : step), 0.0);
    }
    return largest <= kSmallChange;
  }

  // The sum of all p rises with nu, and is at most 1 where the largest is 1 / n, at least 1 where
  // the largest is 1: slow, and always at its end.
  void bisect(double* log_p) {
    const auto n = static_cast<double>(fixed_.size());
    double low = kUnbounded;
    double high = kUnbounded;
    for (std::size_t k = 0; k < fixed_.size(); ++k) {
      low = std::fmin(low, q_[k] / n - std::log(n) - fixed_[k]);
      high = std::fmin(high, q_[k] - fixed_[k]);
    }
    while (true) {
      const double nu = low + (high - low) / 2;
      double sum = 0;
      for (std::size_t k = 0; k < fixed_.size(); ++k) {
        log_p[k] = solved_for(fixed_[k] + nu, q_[k]);
        sum += std::exp(log_p[k]);
      }
      if (nu <= low || nu >= high) return;
      (sum > 1 ? high : low) = nu;
    }
  }

  // t with t + q e^t = c, from above; t is at most 0.
  static double solved_for(double c, double q) {
    double t = std::fmin(c, 0);
    for (int round = 0; round < kMostRounds; ++round) {
      const double p = std::exp(t);
      const double step = (t + q * p - c) / (1 + q * p);
      t -= step;
      if (!(step > kRoundingShare * std::abs(t))) break;
    }
    return t;
  }

  double residual(std::size_t k, const double* log_p) const {
    return log_p[k] + q_[k] * exp_[k] - fixed_[k];
  }

  std::vector<double> q_;
  std::vector<double> fixed_;  // z + q old p
  std::vector<double> exp_;
  std::vector<double> bend_;
};

// s with s + q (sigmoid(s) - old_p) = z. The left side rises, and its root lies between z and
// z + q (old_p - sigmoid(z)).
double solve_two(double z, double q, double old_p, double start) {
  const double other = z + q * (old_p - sigmoid(z));
  double low = std::fmin(z, other);
  double high = std::fmax(z, other);
  double s = std::clamp(start, low, high);
  for (int round = 0; round < kMostRounds; ++round) {
    const double p = sigmoid(s);
    const double value = s + q * (p - old_p) - z;
    (value > 0 ? high : low) = s;
    double next = s - value / (1 + q * p * (1 - p));
    if (!(next >= low && next <= high)) next = low + (high - low) / 2;
    const double change = std::abs(next - s);
    s = next;
    if (change <= kSmallStep * (1 + std::abs(s))) break;
  }
  return s;
}

class SoftmaxDescent {
 public:
  SoftmaxDescent(const SoftmaxDualProblem& problem, const SoftmaxDualOptions& options)
      : problem_(problem),
        options_(options),
        n_(problem.outputs),
        features_(problem.rows.features()),
        w_(features_ * n_, 0.0),
        p_(problem.rows.rows() * n_, 0.0),
        log_p_(p_.size()),
        squares_(problem.rows.rows()),
        centre_(n_, 0.0),
        reach_(n_, 0.0),
        sum_(n_, 0.0),
        scores_(n_),
        next_(n_),
        next_log_(n_),
        change_(n_),
        step_(n_) {
    options.context.require_memory((w_.size() + 2 * p_.size()) * sizeof(double),
                                   "the probabilities of dual descent");
    order_.assign(problem.order.begin(), problem.order.end());
    std::erase_if(order_, [&](std::size_t i) { return !(problem.costs[i] > 0); });
    for (std::size_t i = 0; i < problem.rows.rows(); ++i) p_[i * n_ + own(i)] = target(i);
    for (const std::size_t i : order_) {
      squares_[i] = problem.rows.square(i);
      total_cost_ += problem.costs[i];
    }
    const auto classes = static_cast<double>(std::max<std::size_t>(2, n_));
    if (problem.intercept) {
      const double curvature = total_cost_ * (1 - 1 / classes) / classes;
      std::fill(reach_.begin(), reach_.end(), kReach / curvature);
    }
    // The value at w = 0: never below the least one.
    primal_ = total_cost_ * std::log(classes);
  }

  SoftmaxDualSolution run() {
    SoftmaxDualSolution out;
    out.converged = order_.empty();
    gap_ = order_.empty() ? 0 : kUnbounded;
    out.values.push_back(primal_);
    bool follows = false;
    while (out.sweeps < options_.max_iter && !out.converged) {
      if (ends_after(out.sweeps)) break;
      if (follows) follow();
      sweep(++out.sweeps);
      out.values.push_back(met_ + square() / 2);
      if (options_.observe) options_.observe(out.sweeps, flat());
      const double allowed = std::fmax(options_.tol, kRoundingShare);
      const bool near = estimate_ + 2 * pull() <= allowed * primal_;
      if (near && settled()) {
        measure();
        out.converged = gap_ + 2 * pull() <= allowed * primal_;
      }
      follows = problem_.intercept && (near || estimate_ <= pull());
    }
    if (!out.converged) measure();
    if (out.sweeps > 0) out.values.back() = primal_;
    out.w = flat();
    out.p = std::move(p_);
    out.primal = primal_;
    out.gap = gap_ + 2 * pull();
    return out;
  }

 private:
  bool ends_after(int sweeps) const {
    const auto done = static_cast<std::uint64_t>(sweeps);
    const auto most = static_cast<std::uint64_t>(options_.max_iter);
    options_.context.report("iterations", done, most);
    return options_.context.ends_here("iteration", done, most);
  }

  // Two classes: the one function is that of class 1.
  std::size_t own(std::size_t i) const {
    return n_ == 1 ? 0 : static_cast<std::size_t>(problem_.targets[i]);
  }
  double target(std::size_t i) const { return n_ == 1 ? problem_.targets[i] : 1; }

  double square() const { return simd::dot(w_.data(), w_.data(), w_.size()); }
  double intercept(std::size_t k) const { return centre_[k] + reach_[k] * sum_[k]; }

  // (b - b0)^2 / (2 s^2).
  double pull() const {
    double out = 0;
    for (std::size_t k = 0; k < n_; ++k) out += reach_[k] * sum_[k] * sum_[k] / 2;
    return out;
  }

  // How far the sums are from 0.
  double imbalance() const { return simd::dot(sum_.data(), sum_.data(), n_); }
  // Whether the last move of b0 has brought them near to it, so that the next is the smaller one.
  bool settled() const { return !problem_.intercept || imbalance() <= kContraction * last_; }

  // b0 becomes b. s^2 is measured by the curvature of the least objective along b, which is about
  // sum_i 1 / (1 / d_i + x_i'x_i) with d = C p (1 - p), and grows where that does not bring b far.
  void follow() {
    if (!settled()) boost_ *= kBoost;
    last_ = imbalance();
    std::vector<double> curvature(n_, kLeastCurvature * total_cost_);
    for (const std::size_t i : order_) {
      const double* p = p_.data() + i * n_;
      for (std::size_t k = 0; k < n_; ++k) {
        const double d = problem_.costs[i] * p[k] * (1 - p[k]);
        curvature[k] += d / (1 + d * squares_[i]);
      }
    }
    for (std::size_t k = 0; k < n_; ++k) {
      centre_[k] = intercept(k);
      reach_[k] = boost_ * kReach / curvature[k];
    }
  }

  std::vector<double> flat() const {
    std::vector<double> out = w_;
    for (std::size_t k = 0; k < n_ && problem_.intercept; ++k) {
      out.push_back(intercept(k));
    }
    return out;
  }

  void score(std::size_t i, double* out) const {
    for (std::size_t k = 0; k < n_; ++k) out[k] = intercept(k);
    if (n_ == 1) {
      out[0] += problem_.rows.dot(i, w_.data());
    } else {
      simd::add_scaled_rows(problem_.rows.stored_row(i), w_.data(), n_, out);
    }
  }

  void sweep(int number) {
    sweep_ = number;
    Stream stream(options_.seed, static_cast<std::uint64_t>(number));
    stream.shuffle(std::span(order_));
    const double allowed = std::fmax(options_.tol, kRoundingShare) * primal_;
    negligible_ = kNegligible * allowed / (boost_ * static_cast<double>(order_.size()));
    estimate_ = 0;
    met_ = 0;
    for (std::size_t at = 0; at < order_.size(); ++at) {
      if (at + kAhead < order_.size()) problem_.rows.fetch(order_[at + kAhead]);
      const std::size_t i = order_[at];
      score(i, scores_.data());
      const double whole = log_sum(scores_.data(), next_.data());
      met_ += loss_of(i, scores_.data(), whole);
      const double gap = gap_of(i, scores_.data(), whole);
      estimate_ += gap;
      if (gap > negligible_) n_ == 1 ? visit_two(i) : visit_many(i);
    }
  }

  // C KL(p || softmax(z)). Before its first visit p is at a corner, and the loss itself is the gap.
  double gap_of(std::size_t i, const double* z, double log_sum) const {
    if (sweep_ == 1) return kUnbounded;
    const double* p = p_.data() + i * n_;
    const double* log_p = log_p_.data() + i * n_;
    double gap = log_sum - (n_ == 1 ? softplus(log_p[0]) : 0);
    for (std::size_t k = 0; k < n_; ++k) gap += p[k] * (log_p[k] - z[k]);
    return problem_.costs[i] * std::fmax(gap, 0);
  }

  // ln sum_k e^z_k; `scratch` may be z. Of two classes the other score is 0.
  double log_sum(const double* z, double* scratch) const {
    if (n_ == 1) return softplus(z[0]);
    const double largest = *std::max_element(z, z + n_);
    for (std::size_t k = 0; k < n_; ++k) scratch[k] = z[k] - largest;
    simd::exp(scratch, scratch, n_);
    double sum = 0;
    for (std::size_t k = 0; k < n_; ++k) sum += scratch[k];
    return largest + std::log(sum);
  }

  double bend(std::size_t i, std::size_t k) const {
    return problem_.costs[i] * (squares_[i] + reach_[k]);
  }

  // C (ln sum_k e^z_k - z_y).
  double loss_of(std::size_t i, const double* z, double log_sum) const {
    return problem_.costs[i] * (log_sum - target(i) * z[own(i)]);
  }

  void visit_two(std::size_t i) {
    const double start = sweep_ == 1 ? scores_[0] : log_p_[i];
    next_log_[0] = solve_two(scores_[0], bend(i, 0), p_[i], start);
    next_[0] = sigmoid(next_log_[0]);
    take(i);
  }

  void visit_many(std::size_t i) {
    const double* p = p_.data() + i * n_;
    if (sweep_ == 1) {
      std::fill(next_log_.begin(), next_log_.end(), -std::log(static_cast<double>(n_)));
    } else {
      std::copy_n(log_p_.data() + i * n_, n_, next_log_.data());
    }
    for (std::size_t k = 0; k < n_; ++k) step_.q(k) = bend(i, k);
    step_.solve(scores_.data(), p, next_log_.data(), next_.data());
    take(i);
  }

  void take(std::size_t i) {
    double* p = p_.data() + i * n_;
    const double before = p[own(i)];
    for (std::size_t k = 0; k < n_; ++k) {
      change_[k] = problem_.costs[i] * (p[k] - next_[k]);
      sum_[k] += change_[k];
      p[k] = next_[k];
      log_p_[i * n_ + k] = next_log_[k];
    }
    if (n_ == 1) {
      problem_.rows.add(i, change_[0], w_.data());
    } else {
      simd::add_to_rows(problem_.rows.stored_row(i), change_.data(), n_, w_.data());
    }
    if (options_.visit) options_.visit({sweep_, i, scores_[own(i)], before, p[own(i)]});
  }

  Sums measured(std::size_t i, double* z, double* scratch) const {
    score(i, z);
    const double whole = log_sum(z, scratch);
    return {loss_of(i, z, whole), gap_of(i, z, whole)};
  }

  // Objective and gap, exactly; after the first sweep every row has been visited.
  void measure() {
    sweep_ = std::max(sweep_, 2);
    const Sums sums = parallel::reduce_ordered<Sums>(
        options_.context, order_.size(), kGapRows,
        [&](parallel::Block block) {
          std::vector<double> z(n_);
          std::vector<double> scratch(n_);
          Sums part;
          for (std::size_t at = block.begin; at < block.end; ++at) {
            const Sums row = measured(order_[at], z.data(), scratch.data());
            part.loss += row.loss;
            part.gap += row.gap;
          }
          return part;
        },
        [](Sums& total, Sums&& part) {
          total.loss += part.loss;
          total.gap += part.gap;
        });
    primal_ = sums.loss + square() / 2;
    gap_ = sums.gap;
  }

  const SoftmaxDualProblem& problem_;
  const SoftmaxDualOptions& options_;
  std::size_t n_;
  std::size_t features_;
  std::vector<double> w_;      // features x outputs
  std::vector<double> p_;      // rows x outputs
  std::vector<double> log_p_;  // of two classes the log odds
  std::vector<double> squares_;
  std::vector<double> centre_;  // b0
  std::vector<double> reach_;   // s^2; 0: no intercept
  std::vector<double> sum_;     // sum_i C_i ([y = k] - p_ik), which is (b - b0) / s^2
  double boost_ = 1;            // of s^2
  double last_ = kUnbounded;    // the imbalance when b0 followed b
  std::vector<std::size_t> order_;
  double total_cost_ = 0;
  int sweep_ = 0;
  double estimate_ = 0;  // of the gap, from the visits of a sweep
  double met_ = 0;       // the losses of the rows of a sweep
  double negligible_ = 0;
  double primal_ = 0;
  double gap_ = 0;
  // Of the row that is visited.
  std::vector<double> scores_;
  std::vector<double> next_;
  std::vector<double> next_log_;
  std::vector<double> change_;
  SimplexStep step_;
};

}  // namespace

SoftmaxDualSolution descend_softmax_dual(const SoftmaxDualProblem& problem,
                                         const SoftmaxDualOptions& options) {
  return SoftmaxDescent(problem, options).run();
}

}  // namespace gradus
