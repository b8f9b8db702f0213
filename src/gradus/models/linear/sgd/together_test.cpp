// Classes side by side learn what each would learn alone.
#include "gradus/models/linear/sgd/together.hpp"

#include <gtest/gtest.h>

#include "gradus/api/fit.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/sgd/model.hpp"

namespace gradus {
namespace {

constexpr std::int32_t kClasses = 6;

struct Groups {
  std::vector<std::vector<double>> x = std::vector<std::vector<double>>(3);
  std::vector<std::int32_t> y;

  explicit Groups(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      Stream stream(12, i);
      y.push_back(static_cast<std::int32_t>(stream.below(kClasses)));
      x[0].push_back(y[i] + stream.normal() / 2);
      x[1].push_back(y[i] * 5 % 6 + stream.normal() / 2);
      x[2].push_back(stream.below(2) == 0 ? 0 : stream.normal());
    }
  }

  Dataset all() const { return table(Column::nominal("y", y, {"a", "b", "c", "d", "e", "f"})); }

  // Class k or not.
  Dataset one(std::int32_t k) const {
    std::vector<std::int32_t> is;
    for (const std::int32_t code : y) is.push_back(code == k ? 1 : 0);
    return table(Column::nominal("y", is, {"no", "yes"}));
  }

 private:
  Dataset table(Column target) const {
    return Dataset({Column::numeric("x1", x[0]), Column::numeric("x2", x[1]),
                    Column::numeric("x3", x[2]), std::move(target)});
  }
};

// Short steps: long ones would let a difference in rounding decide which rows are within a margin.
Sgd in_order(SgdLoss loss, SgdRate rate) {
  return {.loss = loss,
          .learning_rate = rate,
          .max_iter = 30,
          .tol = 1e-2,
          .n_iter_no_change = 2,
          .shuffle = false};
}

TEST(SgdTogether, each_class_learns_what_it_learns_alone) {
  const Groups groups(200);
  for (const SgdLoss loss : {SgdLoss::hinge, SgdLoss::logistic, SgdLoss::squared_hinge}) {
    for (const SgdRate rate : {SgdRate::falling, SgdRate::adaptive}) {
      const Sgd learner = in_order(loss, rate);
      const auto all = fit(learner, groups.all(), "y");
      for (std::int32_t k = 0; k < kClasses; ++k) {
        const auto c = static_cast<std::size_t>(k);
        const auto alone = fit(learner, groups.one(k), "y");
        const LinearFunctions& one = alone.model().functions;
        EXPECT_EQ(all.model().n_iter[c], alone.model().n_iter[0]);
        EXPECT_EQ(all.model().steps[c], alone.model().steps[0]);
        EXPECT_NEAR(all.model().mean_loss[c], alone.model().mean_loss[0], 1e-9);
        EXPECT_NEAR(all.model().functions.intercept[c], one.intercept[0], 1e-8);
        for (std::size_t j = 0; j < 3; ++j) {
          EXPECT_NEAR(all.model().functions.coefficients(c, j), one.coefficients(0, j), 1e-8);
        }
      }
    }
  }
}

TEST(SgdTogether, the_number_of_threads_and_a_trace_change_no_class) {
  const Groups groups(150);
  const Sgd learner{.max_iter = 4};
  Context one;
  one.threads = 1;
  Context four;
  four.threads = 4;
  Recorder recorder;
  four.trace = &recorder;
  const auto a = fit(learner, groups.all(), "y", one);
  const auto b = fit(learner, groups.all(), "y", four);
  EXPECT_EQ(a.model().functions.coefficients.values, b.model().functions.coefficients.values);
  EXPECT_EQ(a.model().functions.intercept, b.model().functions.intercept);
}

TEST(SgdTogether, serves_plain_steps_with_an_l2_penalty) {
  EXPECT_TRUE(SgdTogether::serves({}));
  EXPECT_TRUE(SgdTogether::serves({.penalty = SgdPenalty::none}));
  EXPECT_FALSE(SgdTogether::serves({.penalty = SgdPenalty::l1}));
  EXPECT_FALSE(SgdTogether::serves({.average = true}));
  EXPECT_FALSE(SgdTogether::serves({.update_rule = Update::adam}));
}

}  // namespace
}  // namespace gradus
