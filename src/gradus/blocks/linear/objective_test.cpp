#include "gradus/blocks/linear/objective.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

// A table of random rows far from the origin, with weights, in memory.
struct Table {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> w;

  Table(std::size_t n, std::size_t d, std::size_t classes) : rows(n), cols(d) {
    for (std::size_t i = 0; i < n; ++i) {
      Stream stream(9, i);
      for (std::size_t j = 0; j < d; ++j) {
        x.push_back(stream.normal() * (1 + static_cast<double>(j)) + 10);
      }
      y.push_back(static_cast<double>(stream.below(classes)));
      w.push_back(static_cast<double>(stream.below(3)));
    }
  }
  linalg::Design design() const {
    linalg::Design out;
    out.rows = rows;
    out.features = cols;
    out.outputs = 1;
    out.block = [this](std::size_t begin, std::size_t, std::vector<double>&) {
      return x.data() + begin * cols;
    };
    out.targets = y;
    out.weights = w;
    return out;
  }
};

class Objective : public testing::TestWithParam<std::size_t> {};

TEST_P(Objective, gradient_and_hessian_are_the_numeric_derivatives) {
  const std::size_t outputs = GetParam();
  const Table table(700, 3, outputs == 1 ? 2 : outputs);
  const linalg::Design design = table.design();
  const Context context;
  const Units units = comfortable_units(design, Shift::mean, context);
  const std::size_t size = outputs * 4;
  Penalty penalty = Penalty::uniform(size, {.l2 = 0.3});
  LinearObjective objective(design, units, {.loss = {LossKind::logistic, 1}, .outputs = outputs},
                            penalty, context);
  ASSERT_EQ(objective.size(), size);
  std::vector<double> c(size);
  for (std::size_t j = 0; j < size; ++j) c[j] = std::sin(static_cast<double>(j) + 1);
  std::vector<double> gradient(size), above(size), below(size);
  linalg::Matrix hessian = linalg::Matrix::zeros(size, size);
  const double value = objective(c, gradient, hessian);
  std::vector<double> without(size);
  EXPECT_EQ(objective(c, without), value);
  EXPECT_EQ(without, gradient);
  constexpr double kStep = 1e-5;
  for (std::size_t j = 0; j < size; ++j) {
    std::vector<double> moved = c;
    moved[j] += kStep;
    const double up = objective(moved, above);
    moved[j] -= 2 * kStep;
    const double down = objective(moved, below);
    EXPECT_NEAR(gradient[j], (up - down) / (2 * kStep), 1e-9);
    for (std::size_t i = j; i < size; ++i) {
      EXPECT_NEAR(hessian(i, j), (above[i] - below[i]) / (2 * kStep), 1e-8) << i << " " << j;
    }
  }
}

TEST_P(Objective, batches_add_up_to_the_whole) {
  const std::size_t outputs = GetParam();
  const Table table(60, 2, outputs == 1 ? 2 : outputs);
  const linalg::Design design = table.design();
  const Context context;
  const Units units = comfortable_units(design, Shift::mean, context);
  const std::size_t size = outputs * 3;
  const Penalty penalty = Penalty::uniform(size, {.l2 = 0.1});
  LinearObjective objective(design, units, {.loss = {LossKind::logistic, 1}, .outputs = outputs},
                            penalty, context);
  const std::vector<double> c(size, 0.4);
  std::vector<double> whole(size), part(size), sum(size, 0.0);
  const double value = objective(c, whole);
  double total = 0;
  for (std::size_t begin = 0; begin < 60; begin += 20) {
    std::vector<std::size_t> rows;
    for (std::size_t i = begin; i < begin + 20; ++i) rows.push_back(i);
    total += objective.over(rows, c, part) / 3;
    for (std::size_t j = 0; j < size; ++j) sum[j] += part[j] / 3;
  }
  EXPECT_NEAR(total, value, 1e-12);
  for (std::size_t j = 0; j < size; ++j) EXPECT_NEAR(sum[j], whole[j], 1e-12);
}

INSTANTIATE_TEST_SUITE_P(OneOutputAndClasses, Objective, testing::Values(1, 3),
                         [](const auto& one) { return std::to_string(one.param); });

TEST(LinearObjective, knows_when_a_point_separates_the_classes) {
  Table table(4, 1, 2);
  table.x = {1, 2, 3, 4};
  table.y = {0, 0, 1, 1};
  table.w = {1, 1, 1, 1};
  const linalg::Design design = table.design();
  const Context context;
  const Units units{{2.5}, {1}};
  const Penalty penalty = Penalty::uniform(2, {});
  LinearObjective objective(design, units, {.loss = {LossKind::logistic, 1}}, penalty, context);
  std::vector<double> gradient(2);
  objective(std::vector<double>{2, 0}, gradient);
  EXPECT_EQ(objective.leads().least, 1);
  EXPECT_EQ(objective.leads().largest, 3);
  objective(std::vector<double>{-2, 0}, gradient);
  EXPECT_EQ(objective.leads().least, -3);
}

TEST(Units, bring_columns_to_mean_0_and_deviation_1_and_back) {
  Table table(500, 3, 2);
  for (std::size_t i = 0; i < 500; ++i) table.x[i * 3 + 1] = 14.62;
  const Context context;
  const Units units = comfortable_units(table.design(), Shift::mean, context);
  EXPECT_NEAR(units.shift[0], 10, 0.3);
  EXPECT_NEAR(1 / units.scale[0], 1, 0.1);
  EXPECT_NEAR(1 / units.scale[2], 3, 0.3);
  EXPECT_EQ(units.scale[1], 0) << "a constant column takes no part";
  const double c[] = {2, 0, 1};
  double w[3];
  double constant = 5;
  units.to_data(c, w, constant);
  const double x[] = {11, 14.62, 4};
  const double by_units =
      5 + 2 * (11 - units.shift[0]) * units.scale[0] + (4 - units.shift[2]) * units.scale[2];
  EXPECT_NEAR(constant + w[0] * x[0] + w[1] * x[1] + w[2] * x[2], by_units, 1e-12);
  EXPECT_EQ(comfortable_units(table.design(), Shift::none, context).shift[0], 0);
}

TEST(Units, of_a_long_table_find_the_column_that_moves_only_once) {
  Table table(40000, 2, 2);
  for (std::size_t i = 0; i < table.rows; ++i) table.x[i * 2 + 1] = i == 777 ? 1 : 0;
  table.w.assign(table.rows, 1.0);
  const Units units = comfortable_units(table.design(), Shift::mean, {});
  EXPECT_GT(units.scale[1], 0);
  EXPECT_NEAR(units.shift[1], 1.0 / 40000, 1e-12);
}

TEST(Units, of_columns_in_one_unit_are_one_scale) {
  // Deviations 0.5, 0.1, 0.02 in one unit, one column that stands still, one that is faint.
  Units pixels{std::vector<double>(5, 0.0), {2, 10, 50, 0, 1000}, {1, 1, 0.5, 1024, 0.001}};
  share_one_scale(pixels);
  const double expected = 1 / std::sqrt((0.25 + 0.01 + 0.0004 + 1e-6) / 4);
  for (const std::size_t j : {0U, 1U, 2U, 4U}) EXPECT_NEAR(pixels.scale[j], expected, 1e-12) << j;
  EXPECT_EQ(pixels.scale[3], 0);
}

TEST(Units, of_columns_in_units_of_their_own_stay) {
  const std::vector<double> own = {2, 1e-4, 50};
  Units apart{std::vector<double>(3, 0.0), own, {1, 32768, 0.125}};
  share_one_scale(apart);
  EXPECT_EQ(apart.scale, own);
  Units constant{{0.0}, {0.0}, {1.0}};
  share_one_scale(constant);
  EXPECT_EQ(constant.scale, std::vector<double>{0.0});
}

TEST(Sample, holds_every_nth_row_with_its_target_and_weight) {
  const Table table(1003, 2, 2);
  const Sample sample = every_nth_row(table.design(), 10, {});
  ASSERT_EQ(sample.count, 101U);
  const linalg::Design design = sample.design();
  std::vector<double> scratch;
  for (std::size_t i = 0; i < sample.count; ++i) {
    EXPECT_EQ(design.block(i, i + 1, scratch)[1], table.x[i * 10 * 2 + 1]);
    EXPECT_EQ(design.targets[i], table.y[i * 10]);
    EXPECT_EQ(design.weights[i], table.w[i * 10]);
  }
}

}  // namespace
}  // namespace gradus
