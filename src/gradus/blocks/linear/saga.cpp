#include "gradus/blocks/linear/saga.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "gradus/blocks/loss/loss.hpp"
#include "gradus/blocks/solver/minimum.hpp"
#include "gradus/blocks/solver/proximal.hpp"

namespace gradus {
namespace {

double one_move(double w, double gradient, const LaggedStep& how) {
  return soft_threshold(w - how.step * gradient, how.step * how.l1) / (1 + how.step * how.l2);
}

// How many moves w makes before it leaves its sign, along w_k = f + r^k (w - f) or, without l2,
// w_k = w - k step slope. A number of moves beyond any that are asked for: it never does.
double moves_until_crossing(double w, double slope, const LaggedStep& how) {
  constexpr double kNever = 1e300;
  const double towards_zero = w > 0 ? slope : -slope;
  if (!(towards_zero > 0)) return kNever;
  if (how.l2 == 0) return std::floor(std::abs(w) / (how.step * towards_zero));
  const double fixed = towards_zero / how.l2;  // how far beyond 0 the moves lead
  return std::floor(std::log1p(std::abs(w) / fixed) / std::log1p(how.step * how.l2));
}

double after_moves(double w, double slope, double moves, const LaggedStep& how) {
  if (how.l2 == 0) return w - moves * how.step * slope;
  const double fixed = -slope / how.l2;
  return fixed + std::exp(-moves * std::log1p(how.step * how.l2)) * (w - fixed);
}

class Saga {
 public:
  Saga(const SagaProblem& problem, std::vector<double> start, const SagaOptions& options)
      : problem_(problem), options_(options), k_(problem.outputs), w_(std::move(start)) {
    slopes_.assign(problem.rows * k_, 0.0);
    mean_.assign(w_.size(), 0.0);
    paid_.assign(problem.features, 0);
    scores_.resize(k_);
    change_.resize(k_);
    for (std::size_t i = 0; i < problem.rows; ++i) {
      if (weight(i) > 0) counted_.push_back(i);
    }
    double total = 0;
    for (const std::size_t i : counted_) total += weight(i);
    share_ = static_cast<double>(counted_.size()) / total;
    begin();
  }

  SagaSolution run() {
    SagaSolution out;
    out.step = step_;
    out.finite = std::isfinite(step_) && step_ > 0;
    out.values.push_back(value_as_met());
    while (out.finite && out.passes < options_.max_iter && !out.converged) {
      if (ends_after(out.passes)) break;
      Stream stream(options_.seed, static_cast<std::uint64_t>(out.passes));
      for (std::size_t n = 0; n < counted_.size(); ++n)
        visit(counted_[stream.below(counted_.size())]);
      settle();
      out.values.push_back(value_as_met());
      ++out.passes;
      const double steepness = largest_magnitude(subgradient());
      out.finite = std::isfinite(steepness);
      out.converged = steepness <= options_.tol;
      if (options_.observe) options_.observe(out.passes, w_);
    }
    out.w = std::move(w_);
    return out;
  }

 private:
  bool ends_after(int passes) const {
    if (options_.context == nullptr) return false;
    const auto done = static_cast<std::uint64_t>(passes);
    const auto most = static_cast<std::uint64_t>(options_.max_iter);
    options_.context->report("iterations", done, most);
    return options_.context->ends_here("iteration", done, most);
  }

  double weight(std::size_t i) const {
    return problem_.weights.empty() ? 1.0 : problem_.weights[i];
  }
  double* intercepts(std::vector<double>& of) const { return of.data() + problem_.features * k_; }
  static std::size_t column(const SagaRow& row, std::size_t at) {
    return row.index == nullptr ? at : row.index[at];
  }

  // The slopes of all rows at the start and their mean gradient, and the step length.
  void begin() {
    double largest = 0;
    const double share = 1 / static_cast<double>(counted_.size());
    for (const std::size_t i : counted_) {
      const SagaRow row = problem_.row(i, scratch_);
      double square = problem_.intercept ? 1 : 0;
      for (std::size_t at = 0; at < row.count; ++at) square += row.value[at] * row.value[at];
      largest = std::max(largest, square * weight(i) * share_);
      find_change(row, i);
      for (std::size_t at = 0; at < row.count; ++at) {
        double* mean = mean_.data() + column(row, at) * k_;
        for (std::size_t k = 0; k < k_; ++k) mean[k] += change_[k] * row.value[at] * share;
      }
      for (std::size_t k = 0; k < k_ && problem_.intercept; ++k) {
        intercepts(mean_)[k] += change_[k] * share;
      }
    }
    step_ = 1 / (3 * largest * (k_ == 1 ? 0.25 : 0.5));
  }

  // change = new slope - old slope of row i, and the new one is remembered.
  void find_change(const SagaRow& row, std::size_t i) {
    for (std::size_t k = 0; k < k_; ++k) {
      scores_[k] = problem_.intercept ? intercepts(w_)[k] : 0;
    }
    for (std::size_t at = 0; at < row.count; ++at) {
      const double* w = w_.data() + column(row, at) * k_;
      for (std::size_t k = 0; k < k_; ++k) scores_[k] += w[k] * row.value[at];
    }
    if (k_ == 1) {
      const LossAt at = loss_at({LossKind::logistic, 1}, scores_[0], problem_.targets[i]);
      met_loss_ += weight(i) * at.value;
      scores_[0] = at.slope;
    } else {
      softmax_rows(scores_.data(), 1, k_);
      double& own = scores_[static_cast<std::size_t>(problem_.targets[i])];
      met_loss_ -= weight(i) * std::log(std::fmax(own, std::numeric_limits<double>::min()));
      own -= 1;
    }
    met_weight_ += weight(i);
    const double factor = weight(i) * share_;
    double* old = slopes_.data() + i * k_;
    for (std::size_t k = 0; k < k_; ++k) {
      change_[k] = factor * scores_[k] - old[k];
      old[k] = factor * scores_[k];
    }
  }

  // The mean loss of the rows since the last time, as they were met, and the penalty as it is.
  double value_as_met() {
    double value = met_loss_ / met_weight_;
    for (std::size_t at = 0; at < problem_.features * k_; ++at) {
      const std::size_t j = at / k_;
      value +=
          problem_.penalty.l1[j] * std::abs(w_[at]) + problem_.penalty.l2[j] * w_[at] * w_[at] / 2;
    }
    met_loss_ = 0;
    met_weight_ = 0;
    return value;
  }

  LaggedStep how(std::size_t j) const {
    return {step_, problem_.penalty.l1[j], problem_.penalty.l2[j]};
  }

  // Column j makes the moves that it owes.
  void pay(std::size_t j) {
    const std::uint64_t owed = moves_ - paid_[j];
    if (owed == 0) return;
    paid_[j] = moves_;
    for (std::size_t at = j * k_; at < (j + 1) * k_; ++at) {
      w_[at] = lagged(w_[at], mean_[at], owed, how(j));
    }
  }

  void visit(std::size_t i) {
    const SagaRow row = problem_.row(i, scratch_);
    for (std::size_t at = 0; at < row.count; ++at) pay(column(row, at));
    find_change(row, i);
    const double share = 1 / static_cast<double>(counted_.size());
    for (std::size_t at = 0; at < row.count; ++at) {
      const std::size_t j = column(row, at);
      for (std::size_t k = 0; k < k_; ++k) {
        const double part = change_[k] * row.value[at];
        double& mean = mean_[j * k_ + k];
        double& w = w_[j * k_ + k];
        w = one_move(w, mean + part, how(j));
        mean += part * share;
      }
      paid_[j] = moves_ + 1;
    }
    for (std::size_t k = 0; k < k_ && problem_.intercept; ++k) {
      intercepts(w_)[k] -= step_ * (change_[k] + intercepts(mean_)[k]);
      intercepts(mean_)[k] += change_[k] * share;
    }
    ++moves_;
  }

  void settle() {
    for (std::size_t j = 0; j < problem_.features; ++j) pay(j);
  }

  // With the mean of the remembered slopes for the gradient, which is right in the end.
  std::vector<double> subgradient() const {
    std::vector<double> gradient = mean_;
    std::vector<double> l1(gradient.size(), 0.0);
    for (std::size_t at = 0; at < problem_.features * k_; ++at) {
      gradient[at] += problem_.penalty.l2[at / k_] * w_[at];
      l1[at] = problem_.penalty.l1[at / k_];
    }
    return least_subgradient(w_, gradient, l1);
  }

  const SagaProblem& problem_;
  const SagaOptions& options_;
  std::size_t k_;
  std::vector<double> w_;
  std::vector<double> mean_;          // of the remembered gradients, laid out as w
  std::vector<double> slopes_;        // rows x outputs
  std::vector<std::uint64_t> paid_;   // moves that each column has made
  std::vector<std::size_t> counted_;  // rows that weigh something
  std::vector<double> scores_;
  std::vector<double> change_;
  std::vector<double> scratch_;
  double share_ = 1;  // rows per weight
  double step_ = 0;
  double met_loss_ = 0;    // of the rows that were met since the last value
  double met_weight_ = 0;  // their weight
  std::uint64_t moves_ = 0;
};

}  // namespace

double lagged(double w, double gradient, std::uint64_t steps, const LaggedStep& how) {
  for (auto left = static_cast<double>(steps); left > 0;) {
    if (w == 0 && std::abs(gradient) <= how.l1) return 0;
    if (w != 0) {
      // All moves up to the one that reaches 0 at once; that one by itself.
      const double slope = gradient + std::copysign(how.l1, w);
      const double moves = std::min(left, moves_until_crossing(w, slope, how) - 1);
      if (moves > 0) {
        w = after_moves(w, slope, moves, how);
        left -= moves;
        if (!(left > 0)) return w;
      }
    }
    w = one_move(w, gradient, how);
    left -= 1;
  }
  return w;
}

SagaSolution minimise_saga(const SagaProblem& problem, std::vector<double> start,
                           const SagaOptions& options) {
  return Saga(problem, std::move(start), options).run();
}

}  // namespace gradus
