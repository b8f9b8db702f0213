#include "gradus/blocks/penalty/lq.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gradus {
namespace {

TEST(Lq, has_the_values_of_the_textbook) {
  const std::vector<double> w = {3, -4, 0};
  EXPECT_NEAR(lq_value(w, 0.5), 3.732050808, 1e-9);
  EXPECT_EQ(lq_value(w, 1), 7);
  EXPECT_EQ(lq_value(w, 2), 25);
  EXPECT_EQ(lq_value(w, 4), 337);
}

double objective(double u, double a, double c, double l, double q) {
  return a * u * u / 2 - c * u + l * std::pow(std::abs(u), q);
}

TEST(Lq, the_minimum_is_the_lowest_of_a_fine_grid) {
  for (const double q : {0.3, 0.5, 0.9, 1.0, 1.2, 1.7, 2.0, 3.0, 4.0}) {
    for (const double l : {0.0, 0.1, 1.0, 5.0}) {
      for (const double c : {-3.0, 0.2, 2.0, 8.0}) {
        const double a = 1.5;
        const double u = lq_minimum(a, c, l, q);
        const double here = objective(u, a, c, l, q);
        for (int i = -8000; i <= 8000; ++i) {
          EXPECT_GE(objective(i * 1e-3, a, c, l, q), here - 1e-12) << q << " " << l << " " << c;
        }
      }
    }
  }
}

TEST(Lq, a_group_is_nothing_or_solves_its_equations) {
  const std::vector<double> values = {4, 1, 0};
  const std::vector<double> along = {3, 0.5, 0};
  EXPECT_EQ(group_length(values, along, 5), 0);
  const double l = 0.7;
  const double t = group_length(values, along, l);
  double square = 0;
  for (std::size_t r = 0; r < 3; ++r) square += std::pow(along[r] * t / (values[r] * t + l), 2);
  EXPECT_NEAR(std::sqrt(square), t, 1e-12);
  EXPECT_GT(t, 0);
}

}  // namespace
}  // namespace gradus
