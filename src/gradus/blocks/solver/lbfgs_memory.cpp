#include "gradus/blocks/solver/lbfgs_memory.hpp"

#include <cmath>
#include <utility>

#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

constexpr std::size_t kMostPairs = 10;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return simd::dot(a.data(), b.data(), a.size());
}

}  // namespace

void LbfgsMemory::remember(const Place& before, const Place& now) {
  Pair pair;
  pair.s.resize(now.at.size());
  pair.y.resize(now.at.size());
  for (std::size_t j = 0; j < now.at.size(); ++j) {
    pair.s[j] = now.at[j] - before.at[j];
    pair.y[j] = now.gradient[j] - before.gradient[j];
  }
  const double curvature = product(pair.s, pair.y);
  if (!(curvature > 1e-300) || !std::isfinite(1 / curvature)) return;
  pair.inverse_product = 1 / curvature;
  pairs_.push_back(std::move(pair));
  if (pairs_.size() > kMostPairs) pairs_.pop_front();
}

std::vector<double> LbfgsMemory::direction(std::span<const double> gradient) const {
  std::vector<double> q(gradient.begin(), gradient.end());
  std::vector<double> alpha(pairs_.size());
  for (std::size_t i = pairs_.size(); i-- > 0;) {
    alpha[i] = pairs_[i].inverse_product * product(pairs_[i].s, q);
    simd::axpy(-alpha[i], pairs_[i].y.data(), q.data(), q.size());
  }
  if (!pairs_.empty()) {
    const Pair& last = pairs_.back();
    const double scale = 1 / (last.inverse_product * product(last.y, last.y));
    for (double& x : q) x *= scale;
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const double beta = pairs_[i].inverse_product * product(pairs_[i].y, q);
    simd::axpy(alpha[i] - beta, pairs_[i].s.data(), q.data(), q.size());
  }
  for (double& x : q) x = -x;
  return q;
}

}  // namespace gradus
