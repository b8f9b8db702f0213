// Running sums of the two sides of a sweep, one struct per criterion.
//
// `move` takes a row from the right side to the left (`add` a class and a weight); `rest` is
// W_L·I(L) + W_R·I(R), the impurity that a cut here leaves (up to a constant that `offset`
// corrects).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/node_sample.hpp"

namespace gradus {

// The counts of the classes on both sides.
struct ClassSides {
  std::span<double> left;
  std::span<double> right;
  double left_weight = 0;
  double right_weight = 0;

  ClassSides(const NodeState& state, std::vector<double>& l, std::vector<double>& r) {
    l.assign(state.counts.size(), 0.0);
    r = state.counts;
    left = l;
    right = r;
    right_weight = state.weight;
  }
  void shift(std::size_t k, double w) {
    left[k] += w;
    right[k] -= w;
    left_weight += w;
    right_weight -= w;
  }
};

struct GiniSums {
  ClassSides sides;
  double left_squares = 0;
  double right_squares = 0;

  explicit GiniSums(ClassSides s) : sides(s) {
    for (const double c : s.right) right_squares += c * c;
  }
  void move(const NodeSample& sample, std::size_t i) {
    add(static_cast<std::size_t>(sample.codes[i]), sample.weights[i]);
  }
  void add(std::size_t k, double w) {
    left_squares += w * (2 * sides.left[k] + w);
    right_squares -= w * (2 * sides.right[k] - w);
    sides.shift(k, w);
  }
  double left_weight() const { return sides.left_weight; }
  double right_weight() const { return sides.right_weight; }
  double rest() const {
    return (sides.left_weight - left_squares / sides.left_weight) +
           (sides.right_weight - right_squares / sides.right_weight);
  }
};

inline double x_log2_x(double x) { return x > 0 ? x * std::log2(x) : 0; }

struct EntropySums {
  ClassSides sides;
  double left_logs = 0;
  double right_logs = 0;

  explicit EntropySums(ClassSides s) : sides(s) {
    for (const double c : s.right) right_logs += x_log2_x(c);
  }
  void move(const NodeSample& sample, std::size_t i) {
    add(static_cast<std::size_t>(sample.codes[i]), sample.weights[i]);
  }
  void add(std::size_t k, double w) {
    left_logs -= x_log2_x(sides.left[k]);
    right_logs -= x_log2_x(sides.right[k]);
    sides.shift(k, w);
    left_logs += x_log2_x(sides.left[k]);
    right_logs += x_log2_x(sides.right[k]);
  }
  double left_weight() const { return sides.left_weight; }
  double right_weight() const { return sides.right_weight; }
  double rest() const {
    return (x_log2_x(sides.left_weight) - left_logs) + (x_log2_x(sides.right_weight) - right_logs);
  }
};

struct MissSums {
  ClassSides sides;

  explicit MissSums(ClassSides s) : sides(s) {}
  void move(const NodeSample& sample, std::size_t i) {
    add(static_cast<std::size_t>(sample.codes[i]), sample.weights[i]);
  }
  void add(std::size_t k, double w) { sides.shift(k, w); }
  double left_weight() const { return sides.left_weight; }
  double right_weight() const { return sides.right_weight; }
  double rest() const {
    return (sides.left_weight - *std::max_element(sides.left.begin(), sides.left.end())) +
           (sides.right_weight - *std::max_element(sides.right.begin(), sides.right.end()));
  }
};

// Sums of the target around the node's mean, so that nothing large cancels.
struct SquaredSums {
  double center;
  double whole;  // W·I of the node
  double left_w = 0;
  double right_w;
  double left_sum = 0;
  double right_sum;

  explicit SquaredSums(const NodeState& state)
      : center(state.center),
        whole(state.weight * state.impurity),
        right_w(state.weight),
        right_sum(state.excess) {}
  void move(const NodeSample& sample, std::size_t i) {
    const double w = sample.weights[i];
    add(w, w * (sample.numbers[i] - center));
  }
  // Of several rows: their weight, and Σ w (y − center).
  void add(double w, double moved) {
    left_w += w;
    right_w -= w;
    left_sum += moved;
    right_sum -= moved;
  }
  double left_weight() const { return left_w; }
  double right_weight() const { return right_w; }
  double rest() const {
    return whole - (left_sum * left_sum / left_w + right_sum * right_sum / right_w);
  }
};

// The deviance of a side is 2 (Σ w y log y − S log(S/W)); only the second term depends on the cut.
struct PoissonSums {
  double whole;
  double left_w = 0;
  double right_w;
  double left_sum = 0;
  double right_sum = 0;

  PoissonSums(const NodeState& state, const NodeSample&)
      : whole(state.weight * state.impurity + 2 * term(state.weight * state.center, state.weight)),
        right_w(state.weight),
        right_sum(state.weight * state.center) {}
  void move(const NodeSample& sample, std::size_t i) {
    const double w = sample.weights[i];
    left_w += w;
    right_w -= w;
    left_sum += w * sample.numbers[i];
    right_sum -= w * sample.numbers[i];
  }
  double left_weight() const { return left_w; }
  double right_weight() const { return right_w; }
  double rest() const { return whole - 2 * (term(left_sum, left_w) + term(right_sum, right_w)); }

 private:
  static double term(double sum, double weight) {
    return sum > 0 && weight > 0 ? sum * std::log(sum / weight) : 0;
  }
};

}  // namespace gradus
