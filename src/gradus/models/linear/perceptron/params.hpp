// The perceptron: a line that is corrected by every row it gets wrong (Rosenblatt 1958).
//
// With y = +-1 and z = w'x + b, the rules are
//   perceptron  w += rate * y x         when y z <= 0: add or subtract the row;
//   threshold   w += rate * (y - o) x   with o = 1 if z > 0, else -1: the same, twice as far;
//   delta       w += rate * (y - z) x   unthresholded: every row pulls, towards least squares.
// The first two end, after at most (R / gamma)^2 mistakes, exactly when a plane separates the
// classes: R is the length of the longest row, gamma the margin of the best plane. For classes that
// overlap, `averaged` (the mean of all w passed through) and `pocket` (the w that made the fewest
// errors) give an answer. More than two classes: each against the rest.
//
//   auto model = fit(Perceptron{.variant = PerceptronVariant::averaged}, train, "spam");
#pragma once

#include <array>
#include <string_view>

#include "gradus/blocks/linear/warm_start.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

struct PerceptronModel;

enum class PerceptronRule { perceptron, threshold, delta };
constexpr std::array<std::string_view, 3> enum_names(PerceptronRule) {
  return {"perceptron", "threshold", "delta"};
}

enum class PerceptronVariant { last, averaged, pocket };
constexpr std::array<std::string_view, 3> enum_names(PerceptronVariant) {
  return {"last", "averaged", "pocket"};
}

enum class PerceptronStart { zero, random };
constexpr std::array<std::string_view, 2> enum_names(PerceptronStart) { return {"zero", "random"}; }

struct Perceptron {
  using Model = PerceptronModel;

  PerceptronRule rule = PerceptronRule::perceptron;
  PerceptronVariant variant = PerceptronVariant::last;
  double eta0 = 1;
  int batch_size = 1;
  int max_iter = 1000;
  double tol = 1e-6;
  PerceptronStart start = PerceptronStart::zero;
  bool shuffle = true;
  bool fit_intercept = true;
  bool test_separability = false;
  Seed random_state = 0;
  WarmStart warm = {};

  static constexpr Info info{.name = "perceptron",
                             .family = "linear",
                             .summary = "A line that is corrected by every row it gets wrong.",
                             .tasks = Task::classify,
                             .accepts = Accept::numeric | Accept::sparse | Accept::weights,
                             .gives = Give::explains_fit | Give::explains_row | Give::partial,
                             .encode = Encoding::dummy};

  template <class L = Perceptron>
  static constexpr auto describe() {
    return Members{
        param(&L::rule, "rule",
              "perceptron adds or subtracts a row that is wrong or on the border; threshold moves "
              "by (target - output) of rows that are wrong; delta by (target - z) of every row."),
        param(&L::variant, "variant",
              "Which w is the result: the last one, the mean of all (averaged), or the one with "
              "the fewest errors (pocket)."),
        param(&L::eta0, "eta0",
              "How far a correction moves w. It matters to delta, which needs a small one, and to "
              "a random start.")
            .above(0)
            .aka("learning_rate", "eta")
            .tune(1e-4, 1, log_scale),
        param(&L::batch_size, "batch_size",
              "Rows whose corrections are added up before w moves; 0: all rows.")
            .at_least(0),
        param(&L::max_iter, "max_iter", "Most passes over the rows.")
            .at_least(1)
            .aka("epochs", "n_iterations"),
        param(&L::tol, "tol",
              "delta stops when a pass lowers the mean squared error by less than this share.")
            .at_least(0)
            .when("rule", "delta"),
        param(&L::start, "start", "The first w: zero, or small random numbers."),
        param(&L::shuffle, "shuffle", "Whether each pass has an order of its own, by chance."),
        param(&L::fit_intercept, "fit_intercept", "Whether the functions have a constant term."),
        param(&L::test_separability, "test_separability",
              "Whether a linear program tells if a plane can separate the classes."),
        param(&L::random_state, "random_state",
              "Seed of the order of the rows and of a random start.")
            .aka("seed"),
        group(&L::warm)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
