#include "gradus/blocks/linear/objective.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/linalg/lapack.hpp"
#include "gradus/linalg/products.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/blocks.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

// Numbers of a block that stay in the second-level cache, and its bounds in rows.
constexpr std::size_t kBlockNumbers = 16384;
constexpr std::size_t kFewestRows = 32;
constexpr std::size_t kMostRows = 256;
// Rows per parallel part, at least.
constexpr std::size_t kPartRows = 2048;

bool has_classes(const LinearShape& shape) {
  return shape.outputs > 1 || shape.loss.kind == LossKind::logistic;
}

}  // namespace

// What a part of the rows adds.
struct LinearObjective::Part {
  double value = 0;
  Leads leads;
  std::vector<double> gradient;
  linalg::Matrix hessian;
};

// The work on one block of rows, with its memory.
class LinearObjective::Pass {
 public:
  Pass(const LinearObjective& owner, std::span<const double> c, Part& part)
      : owner_(owner),
        c_(c),
        part_(part),
        p_(owner.width_),
        k_(owner.shape_.outputs),
        rows_(std::clamp(kBlockNumbers / p_, kFewestRows, kMostRows)),
        z_(rows_ * p_),
        scores_(rows_ * k_),
        slopes_(rows_ * k_),
        value_(rows_),
        curvature_(rows_) {}

  std::size_t rows() const { return rows_; }

  // `x` holds `count` rows; targets and weights (may be null) belong to them.
  void add(const double* x, std::size_t count, const double* targets, const double* weights) {
    count_ = count;
    targets_ = targets;
    weights_ = weights;
    take_rows(x, nullptr);
    linalg::multiply({z_.data(), count, p_}, c_.data(), k_, scores_.data());
    if (has_classes(owner_.shape_)) find_leads();
    k_ == 1 ? one_output() : softmax();
    linalg::add_cross_products({slopes_.data(), count, k_}, {z_.data(), count, p_},
                               part_.gradient.data(), p_);
    if (part_.hessian.values.empty()) return;
    k_ == 1 ? add_curvature(x) : add_softmax_curvature();
  }

 private:
  // z = (x - shift) * scale * factor, and the column of ones (times factor) for the intercept.
  void take_rows(const double* x, const double* factor) {
    const std::size_t d = owner_.design_.features;
    simd::centred({x, count_, d}, d,
                  {owner_.units_.shift.data(), owner_.units_.scale.data(), factor}, z_.data(), p_);
    if (!owner_.shape_.intercept) return;
    for (std::size_t i = 0; i < count_; ++i) {
      z_[i * p_ + d] = factor == nullptr ? 1.0 : factor[i];
    }
  }

  double weight(std::size_t i) const { return weights_ == nullptr ? 1.0 : weights_[i]; }

  void find_leads() {
    for (std::size_t i = 0; i < count_; ++i) {
      if (weight(i) != 0) part_.leads.add(scores_.data() + i * k_, k_, targets_[i]);
    }
  }

  void one_output() {
    loss_block(owner_.shape_.loss, scores_.data(), targets_, count_,
               {value_.data(), slopes_.data(), curvature_.data()});
    for (std::size_t i = 0; i < count_ && weights_ != nullptr; ++i) {
      slopes_[i] *= weights_[i];
      curvature_[i] *= weights_[i];
    }
    sum_values();
  }

  void softmax() {
    cross_entropy_block(scores_.data(), targets_, count_, k_, value_.data());
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t k = 0; k < k_; ++k) slopes_[i * k_ + k] = weight(i) * scores_[i * k_ + k];
      slopes_[i * k_ + static_cast<std::size_t>(targets_[i])] -= weight(i);
    }
    sum_values();
  }

  void sum_values() {
    // A row of weight 0 may have any loss, also an infinite one.
    for (std::size_t i = 0; i < count_; ++i) {
      if (weight(i) != 0) part_.value += weight(i) * value_[i];
    }
  }

  void add_curvature(const double* x) {
    for (std::size_t i = 0; i < count_; ++i) curvature_[i] = std::sqrt(curvature_[i]);
    take_rows(x, curvature_.data());
    linalg::add_products(z_.data(), count_, p_, part_.hessian.values.data());
  }

  void add_softmax_curvature() {
    std::vector<double> scaled(count_ * p_);
    for (std::size_t k = 0; k < k_; ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        for (std::size_t i = 0; i < count_; ++i) {
          const double* row = scores_.data() + i * k_;
          const double r = weight(i) * row[k] * ((k == l ? 1.0 : 0.0) - row[l]);
          for (std::size_t j = 0; j < p_; ++j) scaled[i * p_ + j] = r * z_[i * p_ + j];
        }
        double* to = part_.hessian.values.data() + (k * p_) * (k_ * p_) + l * p_;
        linalg::add_cross_products({z_.data(), count_, p_}, {scaled.data(), count_, p_}, to,
                                   k_ * p_);
      }
    }
  }

  const LinearObjective& owner_;
  std::span<const double> c_;
  Part& part_;
  std::size_t p_;
  std::size_t k_;
  std::size_t rows_;
  std::vector<double> z_;
  std::vector<double> scores_;
  std::vector<double> slopes_;
  std::vector<double> value_;
  std::vector<double> curvature_;
  std::size_t count_ = 0;
  const double* targets_ = nullptr;
  const double* weights_ = nullptr;
};

LinearObjective::LinearObjective(const linalg::Design& design, const Units& units,
                                 const LinearShape& shape, const Penalty& penalty,
                                 const Context& context)
    : design_(design),
      units_(units),
      shape_(shape),
      penalty_(penalty),
      context_(context),
      width_(design.features + (shape.intercept ? 1 : 0)) {
  weight_ = design.weights.empty() ? static_cast<double>(design.rows)
                                   : simd::sum(design.weights.data(), design.weights.size());
}

double LinearObjective::operator()(std::span<const double> c, std::span<double> gradient) {
  return evaluate(c, gradient, nullptr);
}

double LinearObjective::operator()(std::span<const double> c, std::span<double> gradient,
                                   linalg::Matrix& hessian) {
  return evaluate(c, gradient, &hessian);
}

double LinearObjective::evaluate(std::span<const double> c, std::span<double> gradient,
                                 linalg::Matrix* hessian) {
  const auto body = [&](parallel::Block block) {
    Part part;
    part.gradient.assign(size(), 0.0);
    if (hessian != nullptr) part.hessian = linalg::Matrix::zeros(size(), size());
    Pass pass(*this, c, part);
    std::vector<double> scratch;
    for (std::size_t begin = block.begin; begin < block.end; begin += pass.rows()) {
      const std::size_t end = std::min(begin + pass.rows(), block.end);
      const double* weights = design_.weights.empty() ? nullptr : design_.weights.data() + begin;
      pass.add(design_.block(begin, end, scratch), end - begin, design_.targets.data() + begin,
               weights);
    }
    return part;
  };
  const auto join = [](Part& total, Part&& part) {
    total.value += part.value;
    total.leads.join(part.leads);
    simd::axpy(1, part.gradient.data(), total.gradient.data(), total.gradient.size());
    simd::axpy(1, part.hessian.values.data(), total.hessian.values.data(),
               total.hessian.values.size());
  };
  const Part total = parallel::reduce_ordered<Part>(context_, design_.rows, kPartRows, body, join);
  leads_ = total.leads;
  for (std::size_t j = 0; j < size(); ++j) gradient[j] = total.gradient[j] / weight_;
  penalty_.add_gradient(c, gradient);
  if (hessian != nullptr) {
    *hessian = total.hessian;
    for (double& x : hessian->values) x /= weight_;
    for (std::size_t j = 0; j < size(); ++j) (*hessian)(j, j) += penalty_.l2[j];
  }
  return total.value / weight_ + penalty_.value(c);
}

double LinearObjective::over(std::span<const std::size_t> rows, std::span<const double> c,
                             std::span<double> gradient) {
  Part part;
  part.gradient.assign(size(), 0.0);
  Pass pass(*this, c, part);
  std::vector<double> scratch;
  for (const std::size_t row : rows) {
    const double* weights = design_.weights.empty() ? nullptr : design_.weights.data() + row;
    pass.add(design_.block(row, row + 1, scratch), 1, design_.targets.data() + row, weights);
  }
  // The mean of many such gradients is the full one, whatever the weights.
  const double mean_weight = weight_ / static_cast<double>(design_.rows);
  const double share = 1 / (mean_weight * static_cast<double>(rows.size()));
  for (std::size_t j = 0; j < size(); ++j) gradient[j] = part.gradient[j] * share;
  penalty_.add_gradient(c, gradient);
  return part.value * share + penalty_.value(c);
}

}  // namespace gradus
