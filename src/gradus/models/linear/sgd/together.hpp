// Stochastic gradient descent for several classes, each against the rest, side by side.
//
// Plain steps with an l2 penalty: a row is read once for all classes, whose coefficients for one
// column stand beside each other. All classes follow one order of the rows; what a class learns
// does not depend on those beside it. As in descent.hpp, w = scale * v for each class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/linear/class_table.hpp"
#include "gradus/blocks/linear/rows.hpp"
#include "gradus/models/linear/sgd/descent.hpp"
#include "gradus/models/linear/sgd/pace.hpp"

namespace gradus {

struct SgdClasses {
  const LinearRows& rows;
  std::span<const std::int32_t> codes;  // the class of each row
  std::size_t first = 0;                // classes [first, first + count)
  std::size_t count = 0;
  std::span<const double> weights;  // empty: all 1
  Loss loss = {};
  SgdRate rate = SgdRate::optimal;
  double intercept_pace = 1;
};

class SgdTogether {
 public:
  // Whether these steps are among those that can be taken side by side.
  static bool serves(const Sgd& learner);

  SgdTogether(const Sgd& learner, const SgdClasses& problem);

  void start_from(std::size_t c, std::span<const double> w, double b, std::int64_t steps);
  // Over the rows given, in the order of pass `pass`; the mean loss of each class as they were met.
  std::vector<double> run_pass(std::vector<std::uint32_t>& order, int pass);
  std::vector<double> mean_loss(std::span<const std::uint32_t> rows);
  // Of other rows, with the class of each.
  std::vector<double> mean_loss(const SgdJudged& others, std::span<const std::int32_t> codes) const;
  void divide_rate(std::size_t c, double by) { states_[c].divisor *= by; }
  double rate_divisor(std::size_t c) const { return states_[c].divisor; }
  // A class that has ended stays as it is.
  void end(std::size_t c) { states_[c].live = false; }
  bool live(std::size_t c) const { return states_[c].live; }

  // After each step of class `first + c`: c and the step.
  void watch(std::function<void(std::size_t, const SgdStep&)> observe) {
    observe_ = std::move(observe);
  }
  std::int64_t steps(std::size_t c) const { return states_[c].steps; }
  void w(std::size_t c, std::span<double> out) const { v_.get(c, states_[c].scale, out); }
  double b(std::size_t c) const { return states_[c].b; }

 private:
  struct State {
    double scale = 1;
    double b = 0;
    double divisor = 1;
    std::int64_t steps = 0;
    bool live = true;
    double total = 0;  // of the losses of this pass
  };

  double target(std::size_t i, std::size_t c) const {
    return static_cast<std::size_t>(problem_.codes[i]) == problem_.first + c ? 1 : 0;
  }
  double weight(std::size_t i) const { return problem_.weights.empty() ? 1 : problem_.weights[i]; }
  void take_scores(std::size_t i);
  void visit(std::size_t i, double weight);
  bool step(std::size_t i, std::size_t c, double weight);

  const Sgd& learner_;
  const SgdClasses& problem_;
  SgdPace pace_;
  ClassTable v_;
  std::vector<double> square_;  // |x|^2 + 1, where steps are limited by it
  std::vector<double> scores_;
  std::vector<double> change_;
  std::vector<State> states_;
  std::vector<SgdStep> told_;  // of the present row, where somebody watches
  std::function<void(std::size_t, const SgdStep&)> observe_;
};

}  // namespace gradus
