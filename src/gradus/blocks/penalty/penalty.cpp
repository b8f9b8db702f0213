#include "gradus/blocks/penalty/penalty.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

double soft_threshold(double v, double threshold) {
  const double rest = std::abs(v) - threshold;
  return rest > 0 ? std::copysign(rest, v) : 0.0;
}

Penalty Penalty::uniform(std::size_t size, PenaltyStrength strength) {
  return {std::vector<double>(size, strength.l1), std::vector<double>(size, strength.l2)};
}

bool Penalty::smooth() const {
  return std::all_of(l1.begin(), l1.end(), [](double x) { return x == 0; });
}

Penalty Penalty::in_units(std::span<const double> scales) const {
  Penalty out = *this;
  for (std::size_t j = 0; j < scales.size(); ++j) {
    out.l1[j] *= scales[j];
    out.l2[j] *= scales[j] * scales[j];
  }
  return out;
}

double Penalty::value(std::span<const double> w) const {
  double total = 0;
  for (std::size_t j = 0; j < size(); ++j) {
    total += l1[j] * std::abs(w[j]) + 0.5 * l2[j] * w[j] * w[j];
  }
  return total;
}

void Penalty::add_gradient(std::span<const double> w, std::span<double> gradient) const {
  for (std::size_t j = 0; j < size(); ++j) gradient[j] += l2[j] * w[j];
}

double Penalty::proximal(std::size_t j, double v, double step) const {
  return soft_threshold(v, step * l1[j]) / (1 + step * l2[j]);
}

}  // namespace gradus
