// The lasso on the columns that enter is the lasso on all columns.
#include "gradus/blocks/linear/entering_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr std::size_t kRows = 1500;
constexpr std::size_t kColumns = 60;

// Neighbouring columns correlate, a tenth of them count, column 7 stands still; two targets.
struct ManyColumns {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> weights;
  std::vector<double> scales = std::vector<double>(kColumns + 2, 0.5);
  std::vector<std::size_t> constant = {7};

  ManyColumns() {
    for (std::size_t i = 0; i < kRows; ++i) {
      Stream stream(5, i);
      double before = 0;
      double first = 10;
      double second = -3;
      for (std::size_t j = 0; j < kColumns; ++j) {
        const double fresh = stream.normal();
        const double value = j == 7 ? 4 : fresh + before / 2 + 20;
        before = fresh;
        x.push_back(value);
        if (j % 10 == 0) first += (1 + static_cast<double>(j) / 10) * value;
        if (j % 20 == 5) second -= 2 * value;
      }
      y.push_back(first + stream.normal());
      y.push_back(second + stream.normal());
      weights.push_back(i % 9 == 0 ? 0 : stream.uniform() + 0.5);
    }
  }

  linalg::Design design() const {
    linalg::Design out;
    out.rows = kRows;
    out.features = kColumns;
    out.outputs = 2;
    out.block = [this](std::size_t begin, std::size_t, std::vector<double>&) {
      return x.data() + begin * kColumns;
    };
    out.targets = y;
    out.weights = weights;
    return out;
  }

  linalg::ColumnSums sums(const Context& context) const {
    linalg::ColumnSums out = linalg::column_sums(design(), linalg::Centre::mean, scales, context);
    out.squares[7] = out.cross(0, 7) = out.cross(1, 7) = 0;
    return out;
  }

  EnteredLine solve(const Penalty& penalty, std::size_t output, const CoordinateOptions& options,
                    const Context& context = {}) const {
    const linalg::Design all = design();
    const linalg::ColumnSums sums = this->sums(context);
    EnteringColumns columns({all, {sums.means, scales}, sums, constant, context});
    return columns.solve({penalty, output}, std::vector<double>(kColumns, 0.0), options);
  }

  CoordinateResult solve_all(const Penalty& penalty, std::size_t output) const {
    linalg::Moments moments = linalg::moments(design(), linalg::Centre::mean, scales, {});
    linalg::Matrix products = linalg::Matrix::zeros(kColumns, kColumns);
    std::vector<double> right(kColumns, 0.0);
    for (std::size_t i = 0; i < kColumns; ++i) {
      for (std::size_t j = 0; j < kColumns && i != 7; ++j) {
        products(i, j) = j == 7 ? 0 : moments.products(i, j);
      }
      if (i != 7) right[i] = moments.products(i, kColumns + output);
    }
    const double square = moments.products(kColumns + output, kColumns + output);
    return descend_gram({products, right, square}, penalty, std::vector<double>(kColumns, 0.0),
                        {.tol = 1e-14});
  }
};

void expect_same_line(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], 1e-6) << j;
}

TEST(ColumnSums, are_the_diagonal_and_the_last_columns_of_the_moments) {
  const ManyColumns table;
  const linalg::Moments all =
      linalg::moments(table.design(), linalg::Centre::mean, table.scales, {});
  const linalg::ColumnSums sums =
      linalg::column_sums(table.design(), linalg::Centre::mean, table.scales, {});
  EXPECT_NEAR(sums.weight, all.weight, 1e-9);
  for (std::size_t j = 0; j < kColumns + 2; ++j) {
    EXPECT_NEAR(sums.means[j], all.means[j], 1e-10 * std::abs(all.means[j])) << j;
    EXPECT_NEAR(sums.squares[j], all.products(j, j), 1e-10 * all.products(j, j)) << j;
    for (std::size_t k = 0; k < 2 && j < kColumns; ++k) {
      EXPECT_NEAR(sums.cross(k, j), all.products(j, kColumns + k), 1e-7) << j;
    }
  }
}

TEST(EnteringColumns, find_the_line_of_all_columns) {
  const ManyColumns table;
  for (const double l2 : {0.0, 40.0}) {
    const Penalty penalty = Penalty::uniform(kColumns, {.l1 = 60, .l2 = l2});
    for (const std::size_t output : {0, 1}) {
      const EnteredLine found = table.solve(penalty, output, {.tol = 1e-12});
      ASSERT_FALSE(found.too_many);
      EXPECT_TRUE(found.result.converged);
      EXPECT_EQ(found.result.w[7], 0);
      expect_same_line(found.result.w, table.solve_all(penalty, output).w);
    }
  }
}

TEST(EnteringColumns, take_columns_without_penalty_from_the_start) {
  const ManyColumns table;
  Penalty penalty = Penalty::uniform(kColumns, {.l1 = 200});
  penalty.l1[3] = penalty.l1[44] = 0;
  const EnteredLine found = table.solve(penalty, 1, {.tol = 1e-12});
  ASSERT_FALSE(found.too_many);
  EXPECT_NE(found.result.w[3], 0);
  EXPECT_NE(found.result.w[44], 0);
  expect_same_line(found.result.w, table.solve_all(penalty, 1).w);
}

TEST(EnteringColumns, say_so_when_most_columns_enter) {
  const ManyColumns table;
  EXPECT_TRUE(table.solve(Penalty::uniform(kColumns, {.l1 = 1e-6}), 0, {}).too_many);
}

TEST(EnteringColumns, leave_everything_out_under_a_large_penalty) {
  const ManyColumns table;
  const EnteredLine found = table.solve(Penalty::uniform(kColumns, {.l1 = 1e9}), 0, {});
  EXPECT_TRUE(found.result.converged);
  EXPECT_EQ(found.result.sweeps, 1);
  EXPECT_EQ(found.result.w, std::vector<double>(kColumns, 0.0));
  EXPECT_DOUBLE_EQ(found.square, table.sums({}).squares[kColumns]);
}

TEST(EnteringColumns, tell_steps_of_the_columns_themselves) {
  const ManyColumns table;
  const Penalty penalty = Penalty::uniform(kColumns, {.l1 = 60});
  std::vector<double> last(kColumns, 0.0);
  int sweep = 0;
  const EnteredLine found = table.solve(penalty, 0, {.observe = [&](const CoordinateStep& step) {
                                          EXPECT_EQ(step.before, last[step.coordinate]);
                                          EXPECT_GE(step.sweep, sweep);
                                          sweep = step.sweep;
                                          last[step.coordinate] = step.after;
                                        }});
  EXPECT_EQ(found.result.w, last);
  EXPECT_LE(sweep, found.result.sweeps);
}

TEST(EnteringColumns, are_the_same_bytes_for_any_number_of_threads) {
  const ManyColumns table;
  const Penalty penalty = Penalty::uniform(kColumns, {.l1 = 60});
  Context one;
  one.threads = 1;
  Context three;
  three.threads = 3;
  EXPECT_EQ(table.solve(penalty, 0, {}, one).result.w, table.solve(penalty, 0, {}, three).result.w);
}

}  // namespace
}  // namespace gradus
