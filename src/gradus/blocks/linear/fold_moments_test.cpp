#include "gradus/blocks/linear/fold_moments.hpp"

#include <gtest/gtest.h>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

struct Table {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> w;
  explicit Table(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      Stream stream(4, i);
      x.push_back(stream.normal() + 3);
      x.push_back(stream.normal() * 2 - 7);
      y.push_back(x[2 * i] - 2 * x[2 * i + 1] + stream.normal());
      w.push_back(stream.uniform());
    }
  }
  linalg::Design design() const {
    linalg::Design out;
    out.rows = y.size();
    out.features = 2;
    out.outputs = 1;
    out.block = [this](std::size_t begin, std::size_t, std::vector<double>&) {
      return x.data() + begin * 2;
    };
    out.targets = y;
    out.weights = w;
    return out;
  }
};

const std::vector<double> kScales = {0.5, 0.25, 2};

TEST(FoldMoments, join_to_the_moments_of_the_whole) {
  const Table table(101);
  const linalg::Design design = table.design();
  const auto folds = fold_moments(design, 5, linalg::Centre::mean, kScales, {});
  ASSERT_EQ(folds.size(), 5U);
  const linalg::Moments whole = linalg::moments(design, linalg::Centre::mean, kScales, {});
  const linalg::Moments together = joined(folds, 5, kScales);
  EXPECT_NEAR(together.weight, whole.weight, 1e-10);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(together.means[i], whole.means[i], 1e-10);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(together.products(i, j), whole.products(i, j), 1e-8);
    }
  }
}

TEST(FoldMoments, leaving_one_fold_out_is_the_table_without_its_rows) {
  const Table table(50);
  const linalg::Design design = table.design();
  const auto folds = fold_moments(design, 5, linalg::Centre::mean, kScales, {});
  const linalg::Moments training = joined(folds, 4, kScales);
  const linalg::Moments direct =
      linalg::moments(rows_between(design, 0, 40), linalg::Centre::mean, kScales, {});
  EXPECT_NEAR(training.weight, direct.weight, 1e-12);
  EXPECT_NEAR(training.products(2, 0), direct.products(2, 0), 1e-9);
  EXPECT_NEAR(training.products(0, 2), direct.products(0, 2), 1e-9);
}

TEST(FoldMoments, give_the_squared_error_of_any_line) {
  const Table table(50);
  const linalg::Design design = table.design();
  const auto folds = fold_moments(design, 5, linalg::Centre::mean, kScales, {});
  const linalg::Moments training = joined(folds, 4, kScales);
  const std::vector<double> c = {1.5, -9};
  // In scaled units: t y = t b + sum c_j s_j x_j, the line through the means of the training rows.
  double direct = 0;
  for (std::size_t i = 40; i < 50; ++i) {
    double gap = (table.y[i] - training.means[2]) * kScales[2];
    for (std::size_t j = 0; j < 2; ++j) {
      gap -= c[j] * (table.x[2 * i + j] - training.means[j]) * kScales[j];
    }
    direct += table.w[i] * gap * gap;
  }
  EXPECT_NEAR(squared_error(folds[4], training, c, kScales), direct, 1e-8 * direct);
}

}  // namespace
}  // namespace gradus
