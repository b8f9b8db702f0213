#include "gradus/blocks/gaussian/class_scatter.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

// Two classes of random rows with weights, as a task.
struct Table {
  std::vector<double> x[2];
  std::vector<std::int32_t> y;
  std::vector<double> w;
  Signature signature;
  Features features;

  explicit Table(std::size_t n, double scale = 1, double shift = 0) {
    for (std::size_t i = 0; i < n; ++i) {
      Stream stream(17, i);
      y.push_back(static_cast<std::int32_t>(i % 2));
      w.push_back(static_cast<double>(stream.below(4)));
      x[0].push_back(scale * (stream.normal() + y.back()) + shift);
      x[1].push_back(scale * (stream.normal() - 3 * y.back()) + x[0].back());
    }
    signature.features = FeatureNames({{"a"}, {"b"}});
    signature.classes = {"no", "yes"};
    features = Features(n, {{Column::numeric("a", x[0]), {}}, {Column::numeric("b", x[1]), {}}});
  }
  TrainTask task() const { return {features, signature, y, {}, w}; }
};

void expect_direct(const Table& table, const ClassScatter& found, double tolerance) {
  for (std::size_t k = 0; k < 2; ++k) {
    double weight = 0;
    double mean[2] = {0, 0};
    for (std::size_t i = 0; i < table.y.size(); ++i) {
      if (table.y[i] != static_cast<std::int32_t>(k)) continue;
      weight += table.w[i];
      for (std::size_t j = 0; j < 2; ++j)
        mean[j] += (table.x[j][i] - mean[j]) * (weight > 0 ? table.w[i] / weight : 0);
    }
    EXPECT_NEAR(found.weights[k], weight, 1e-9);
    double cross = 0;
    for (std::size_t i = 0; i < table.y.size(); ++i) {
      if (table.y[i] != static_cast<std::int32_t>(k)) continue;
      cross += table.w[i] * (table.x[0][i] - mean[0]) * (table.x[1][i] - mean[1]);
    }
    EXPECT_NEAR(found.means(k, 1), mean[1], tolerance * std::abs(mean[1]));
    const double scaled = found.scatter[k](0, 1) / found.scales[0] / found.scales[1];
    EXPECT_NEAR(scaled, cross, tolerance * std::abs(cross));
  }
}

TEST(ClassScatter, sums_products_about_the_mean_of_each_class) {
  for (const std::size_t n : {20U, 9000U}) {
    const Table table(n);
    expect_direct(table, class_scatter(table.task(), Scatter::by_class, {}), 1e-9);
  }
}

TEST(ClassScatter, large_means_and_tiny_or_huge_units_lose_no_digits) {
  expect_direct(Table(500, 1, 1e8), class_scatter(Table(500, 1, 1e8).task(), Scatter::by_class, {}),
                1e-6);
  for (const double scale : {1e-170, 1e120}) {
    const Table table(500, scale);
    const ClassScatter found = class_scatter(table.task(), Scatter::pooled, {});
    const ClassScatter plain = class_scatter(Table(500).task(), Scatter::pooled, {});
    const double ratio = found.scatter[0](0, 1) / found.scales[0] / scale / found.scales[1] / scale;
    EXPECT_NEAR(ratio, plain.scatter[0](0, 1) / plain.scales[0] / plain.scales[1],
                1e-9 * std::abs(ratio));
  }
}

TEST(ClassScatter, the_pooled_matrix_is_the_sum_of_the_classes) {
  const Table table(300);
  const ClassScatter pooled = class_scatter(table.task(), Scatter::pooled, {});
  const ClassScatter each = class_scatter(table.task(), Scatter::by_class, {});
  EXPECT_NEAR(pooled.scatter[0](1, 1), each.scatter[0](1, 1) + each.scatter[1](1, 1), 1e-9);
}

TEST(ClassScatter, one_class_is_refused) {
  Table table(10);
  for (std::size_t i = 0; i < 10; ++i) table.w[i] = table.y[i] == 0 ? 1 : 0;
  EXPECT_THROW(class_scatter(table.task(), Scatter::pooled, {}), Error);
}

TEST(Whitening, makes_the_covariance_the_identity) {
  linalg::Matrix covariance = linalg::Matrix::zeros(2, 2);
  covariance.values = {4, 1.2, 1.2, 9};
  const Whitening found = whitened(covariance, 1e-8);
  ASSERT_EQ(found.rank(), 2U);
  EXPECT_NEAR(found.log_determinant, std::log(4 * 9 - 1.44), 1e-12);
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) {
      double value = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 2; ++j) {
          value += found.transform(i, a) * covariance(i, j) * found.transform(j, b);
        }
      }
      EXPECT_NEAR(value, a == b ? 1 : 0, 1e-12);
    }
  }
}

TEST(Whitening, drops_directions_without_variance) {
  linalg::Matrix covariance = linalg::Matrix::zeros(3, 3);
  covariance.values = {1, 1, 0, 1, 1, 0, 0, 0, 0};
  EXPECT_EQ(whitened(covariance, 1e-8).rank(), 1U);
}

}  // namespace
}  // namespace gradus
