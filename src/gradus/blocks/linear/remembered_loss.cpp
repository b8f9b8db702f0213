#include "gradus/blocks/linear/remembered_loss.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {

double RememberedLoss::weight() const {
  return std::accumulate(class_weights.begin(), class_weights.end(), 0.0);
}

void RememberedLoss::product(std::span<const double> v, std::span<double> out) const {
  const bool diagonal = hessian.height() == 1;
  for (std::size_t i = 0; i < v.size(); ++i) {
    out[i] =
        diagonal ? hessian.values[i] * v[i] : simd::dot(hessian.row(i).data(), v.data(), v.size());
  }
}

bool RememberedLoss::fits(std::size_t coefficients, std::size_t classes) const {
  return class_weights.size() == classes && gradient.size() == coefficients &&
         hessian.consistent() && hessian.width() == coefficients &&
         (hessian.height() == 1 || hessian.height() == coefficients) && all_finite(class_weights) &&
         all_finite(gradient) && all_finite(hessian.values);
}

std::vector<double> FunctionUnits::to_data(std::span<const double> c) const {
  const std::size_t d = units.scale.size();
  std::vector<double> out(c.begin(), c.end());
  for (std::size_t k = 0; k < outputs; ++k) {
    double* w = out.data() + k * width();
    for (std::size_t j = 0; j < d; ++j) {
      w[j] *= units.scale[j];
      if (intercept) w[d] -= w[j] * units.shift[j];
    }
  }
  return out;
}

std::vector<double> FunctionUnits::from_data(std::span<const double> w) const {
  const std::size_t d = units.scale.size();
  std::vector<double> out(w.begin(), w.end());
  for (std::size_t k = 0; k < outputs; ++k) {
    double* c = out.data() + k * width();
    for (std::size_t j = 0; j < d; ++j) {
      if (intercept) c[d] += c[j] * units.shift[j];
      c[j] = units.scale[j] > 0 ? c[j] / units.scale[j] : 0;
    }
  }
  return out;
}

std::vector<double> FunctionUnits::slope_from_data(std::span<const double> slope) const {
  const std::size_t d = units.scale.size();
  std::vector<double> out(slope.begin(), slope.end());
  for (std::size_t k = 0; k < outputs; ++k) {
    double* g = out.data() + k * width();
    for (std::size_t j = 0; j < d; ++j) {
      g[j] = units.scale[j] * (g[j] - (intercept ? units.shift[j] * g[d] : 0));
    }
  }
  return out;
}

std::vector<double> FunctionUnits::slope_to_data(std::span<const double> slope) const {
  const std::size_t d = units.scale.size();
  std::vector<double> out(slope.begin(), slope.end());
  for (std::size_t k = 0; k < outputs; ++k) {
    double* g = out.data() + k * width();
    for (std::size_t j = 0; j < d; ++j) {
      g[j] = units.scale[j] > 0 ? g[j] / units.scale[j] : 0;
      if (intercept) g[j] += units.shift[j] * g[d];
    }
  }
  return out;
}

linalg::Matrix hessian_to_data(const linalg::Matrix& hessian, const FunctionUnits& functions,
                               double factor) {
  const std::size_t n = functions.size();
  linalg::Matrix out = linalg::Matrix::zeros(n, n);
  std::vector<double> unit(n, 0.0);
  std::vector<double> bent(n);
  for (std::size_t at = 0; at < n; ++at) {
    unit[at] = 1;
    const std::vector<double> c = functions.from_data(unit);
    unit[at] = 0;
    for (std::size_t i = 0; i < n; ++i) {
      bent[i] = 0;
      for (std::size_t j = 0; j < n; ++j) bent[i] += c[j] * hessian(std::max(i, j), std::min(i, j));
    }
    const std::vector<double> column = functions.slope_to_data(bent);
    for (std::size_t i = 0; i < n; ++i) out(at, i) = factor * column[i];
  }
  return out;
}

void add_memory(const RememberedLoss& memory, std::span<const double> gradient,
                RememberedLoss& to) {
  const auto add = [](std::span<const double> from, std::vector<double>& sums) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += from[i];
  };
  add(memory.class_weights, to.class_weights);
  add(gradient, to.gradient);
  add(memory.hessian.values, to.hessian.values);
}

RememberedTerm::RememberedTerm(const RememberedLoss& memory, std::vector<double> at,
                               const FunctionUnits& functions, double divisor)
    : memory_(memory), at_(std::move(at)), functions_(functions), divisor_(divisor) {}

std::vector<double> RememberedTerm::change(std::span<const double> w) const {
  std::vector<double> out(w.begin(), w.end());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= at_[i];
  return out;
}

std::vector<double> RememberedTerm::gradient_at(std::span<const double> w) const {
  std::vector<double> out(w.size());
  memory_.product(change(w), out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += memory_.gradient[i];
  return out;
}

double RememberedTerm::value_at(std::span<const double> w) const {
  const std::vector<double> moved = change(w);
  const std::vector<double> slope = gradient_at(w);
  double total = 0;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    total += 0.5 * (slope[i] + memory_.gradient[i]) * moved[i];
  }
  return total;
}

double RememberedTerm::add(std::span<const double> c, std::span<double> gradient) const {
  const std::vector<double> w = functions_.to_data(c);
  const std::vector<double> slope = functions_.slope_from_data(gradient_at(w));
  for (std::size_t i = 0; i < slope.size(); ++i) gradient[i] += slope[i] / divisor_;
  return value_at(w) / divisor_;
}

void RememberedTerm::add_product(std::span<const double> v, std::span<double> out) const {
  const std::vector<double> w = functions_.to_data(v);
  std::vector<double> bent(w.size());
  memory_.product(w, bent);
  bent = functions_.slope_from_data(bent);
  for (std::size_t i = 0; i < bent.size(); ++i) out[i] += bent[i] / divisor_;
}

linalg::Matrix RememberedTerm::hessian() const {
  const std::size_t n = functions_.size();
  linalg::Matrix out = linalg::Matrix::zeros(n, n);
  std::vector<double> unit(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    unit[i] = 1;
    add_product(unit, out.row(i));
    unit[i] = 0;
  }
  return out;
}

}  // namespace gradus
