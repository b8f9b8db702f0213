#include "gradus/blocks/least_squares/sweep.hpp"

#include <algorithm>
#include <utility>

namespace gradus {
namespace {

// What the others leave of a column, relative to the whole; less is rounding.
constexpr double kLeastLeft = 1e-10;

}  // namespace

SweptSums::SweptSums(linalg::Matrix products)
    : s_(std::move(products)), in_(s_.height() - 1, false) {
  for (std::size_t j = 0; j < in_.size(); ++j) diagonal_.push_back(s_(j, j));
}

bool SweptSums::can_enter(std::size_t j) const {
  return !in_[j] && diagonal_[j] > 0 && s_(j, j) > kLeastLeft * diagonal_[j];
}

double SweptSums::residual() const { return std::max(0.0, s_(in_.size(), in_.size())); }

double SweptSums::residual_with(std::size_t j) const {
  const std::size_t y = in_.size();
  return std::max(0.0, s_(y, y) - s_(j, y) * s_(j, y) / s_(j, j));
}

std::vector<double> SweptSums::coefficients() const {
  std::vector<double> out(in_.size(), 0.0);
  for (std::size_t i = 0; i < in_.size(); ++i) {
    if (in_[i]) out[i] = s_(i, in_.size());
  }
  return out;
}

std::vector<double> SweptSums::coefficients_with(std::size_t j) const {
  const std::size_t y = in_.size();
  const double b = s_(j, y) / s_(j, j);
  std::vector<double> out(y, 0.0);
  for (std::size_t i = 0; i < y; ++i) {
    if (in_[i] && i != j) out[i] = s_(i, y) - s_(i, j) * b;
  }
  if (!in_[j]) out[j] = b;
  return out;
}

// The block of the columns that are in holds minus the inverse of their products, so that the
// matrix stays symmetric and both directions differ in one sign.
void SweptSums::sweep(std::size_t j) {
  const std::size_t size = s_.height();
  const double pivot = s_(j, j);
  std::vector<double> column(size);
  for (std::size_t i = 0; i < size; ++i) column[i] = s_(i, j);
  for (std::size_t i = 0; i < size; ++i) {
    if (i == j) continue;
    for (std::size_t k = 0; k < size; ++k) {
      if (k != j) s_(i, k) -= column[i] * column[k] / pivot;
    }
  }
  const double sign = in_[j] ? -1 : 1;
  for (std::size_t i = 0; i < size; ++i) {
    if (i != j) s_(i, j) = s_(j, i) = sign * column[i] / pivot;
  }
  s_(j, j) = -1 / pivot;
  in_[j] = !in_[j];
  count_ = in_[j] ? count_ + 1 : count_ - 1;
}

}  // namespace gradus
