#include "gradus/blocks/gaussian/discriminant.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

// Two classes of three rows each: means (0, 0) and (4, 2), scatter within diag(2, 8).
ClassScatter two_classes() {
  ClassScatter out;
  out.weights = {3, 3};
  out.means = Matrix::zeros(2, 2);
  out.means.values = {0, 0, 4, 2};
  out.overall = {2, 1};
  out.scales = {1, 0.5};
  out.scatter = {Matrix::zeros(2, 2)};
  out.scatter[0].values = {2, 0, 0, 2};  // scaled by 1 and 1/2
  return out;
}

TEST(Discriminant, priors_are_given_or_the_shares) {
  EXPECT_EQ(priors_or_shares({}, two_classes()), (std::vector<double>{0.5, 0.5}));
  const std::vector<double> given = {0.25, 0.75};
  EXPECT_EQ(priors_or_shares(given, two_classes()), given);
  EXPECT_NO_THROW(check_classes_and_priors(2, given));
  EXPECT_THROW(check_classes_and_priors(3, given), Error);
  EXPECT_THROW(check_classes_and_priors(1, {}), Error);
}

TEST(Discriminant, shrinkage_moves_towards_the_mean_variance_in_the_units_of_the_data) {
  const ClassScatter sums = two_classes();
  Matrix covariance = sums.scatter[0];
  shrink(covariance, sums.scales, 1);  // variances 2 and 8 in the data, mean 5
  EXPECT_NEAR(covariance(0, 0), 5, 1e-14);
  EXPECT_NEAR(covariance(1, 1), 5 * 0.25, 1e-14);
}

TEST(Discriminant, scatter_between_the_classes_and_back_to_units) {
  const ClassScatter sums = two_classes();
  Signature signature;
  signature.features = FeatureNames({{"a"}, {"b"}});
  const Matrix between = in_data_units(between_scatter(sums), sums.scales, signature);
  EXPECT_NEAR(between(0, 0), 24, 1e-12);
  EXPECT_NEAR(between(0, 1), 12, 1e-12);
  EXPECT_NEAR(between(1, 1), 6, 1e-12);
}

TEST(Discriminant, the_direction_is_that_of_the_inverse_covariance) {
  const ClassScatter sums = two_classes();
  Matrix covariance = sums.scatter[0];
  for (double& x : covariance.values) x /= 6;
  const Whitening white = whitened(covariance, 1e-8);
  const Directions found = discriminant_directions(sums, white, std::vector<double>{0.5, 0.5});
  ASSERT_EQ(found.columns.width(), 1U);
  // S^-1 (4, 2) with S = diag(2, 8) / 6 is along (2, 1/4).
  EXPECT_NEAR(found.columns(0, 0) / found.columns(1, 0), 8, 1e-10);
  EXPECT_GT(found.columns(0, 0), 0);
  // The Mahalanobis distance of the means, 16 * 3 + 4 * 3/4 = 51, over 4.
  EXPECT_NEAR(found.squares[0], 51.0 / 4, 1e-9);
}

TEST(Discriminant, shares_add_up_to_one) {
  EXPECT_EQ(as_shares(std::vector<double>{3, 1}, 2), (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(as_shares(std::vector<double>{0, 0}, 1), (std::vector<double>{0}));
}

}  // namespace
}  // namespace gradus
