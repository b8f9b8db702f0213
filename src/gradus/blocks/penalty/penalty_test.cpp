#include "gradus/blocks/penalty/penalty.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gradus {
namespace {

TEST(Penalty, the_elastic_net_of_the_text_squares_the_second_norm) {
  const Penalty net = Penalty::uniform(2, {.l1 = 1, .l2 = 1});
  const double w[] = {3, -4};
  EXPECT_DOUBLE_EQ(net.value(w), 7 + 12.5);
}

TEST(Penalty, the_gradient_is_that_of_the_smooth_part) {
  const Penalty penalty{{0.5, 0, 0}, {2, 3, 0}};
  const double w[] = {1, -2, 7};
  double gradient[] = {10, 10, 10};
  penalty.add_gradient(w, gradient);
  EXPECT_EQ(gradient[0], 12);
  EXPECT_EQ(gradient[1], 4);
  EXPECT_EQ(gradient[2], 10) << "an intercept is not penalised";
  EXPECT_FALSE(penalty.smooth());
  EXPECT_TRUE(Penalty::uniform(3, {.l2 = 1}).smooth());
}

TEST(Penalty, the_proximal_point_is_the_least_of_its_objective) {
  const Penalty penalty{{0.7, 0.0, 0.7}, {0.4, 2.0, 0.0}};
  constexpr double kStep = 0.6;
  for (std::size_t j = 0; j < 3; ++j) {
    for (const double v : {-2.0, -0.3, 0.0, 0.41, 3.0}) {
      const auto objective = [&](double u) {
        return (u - v) * (u - v) / (2 * kStep) + penalty.l1[j] * std::abs(u) +
               penalty.l2[j] * u * u / 2;
      };
      const double best = penalty.proximal(j, v, kStep);
      for (const double other : {best + 1e-4, best - 1e-4, 0.0}) {
        EXPECT_LE(objective(best), objective(other) + 1e-15) << j << " " << v;
      }
    }
  }
}

TEST(Penalty, in_other_units_it_is_the_same_function) {
  const Penalty penalty = Penalty::uniform(2, {.l1 = 0.3, .l2 = 1.7});
  const double scales[] = {4, 0.5};
  const double c[] = {0.25, -6};
  const double w[] = {1, -3};
  EXPECT_DOUBLE_EQ(penalty.in_units(scales).value(c), penalty.value(w));
}

}  // namespace
}  // namespace gradus
