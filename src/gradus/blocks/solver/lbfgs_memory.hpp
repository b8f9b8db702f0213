// What L-BFGS remembers: the last few changes of the point, s, and of the gradient, y. They
// describe an inverse Hessian H without a matrix, and `direction` is -H g by the two-loop recursion
// (Nocedal and Wright, Numerical Optimization, algorithm 7.4).
//
//   LbfgsMemory memory;
//   memory.remember({before.at, before.gradient}, {now.at, now.gradient});
//   const std::vector<double> direction = memory.direction(now.gradient);
#pragma once

#include <deque>
#include <span>
#include <vector>

namespace gradus {

class LbfgsMemory {
 public:
  struct Place {
    std::span<const double> at;
    std::span<const double> gradient;
  };

  bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }
  // Only a step along which the function bends upwards is kept: it describes a convex model.
  void remember(const Place& before, const Place& now);
  std::vector<double> direction(std::span<const double> gradient) const;

 private:
  struct Pair {
    std::vector<double> s;
    std::vector<double> y;
    double inverse_product = 0;  // 1 / s'y
  };
  std::deque<Pair> pairs_;
};

}  // namespace gradus
