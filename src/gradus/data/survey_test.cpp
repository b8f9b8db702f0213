#include "gradus/data/survey.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The same numbers as columns of their own, and as columns of one row-major
// matrix.
struct TwoLayouts {
  explicit TwoLayouts(std::size_t rows, std::size_t cols = 5) {
    const auto matrix = std::make_shared<std::vector<double>>(rows * cols);
    for (std::size_t i = 0; i < matrix->size(); ++i) (*matrix)[i] = Stream(8, i).normal() + 1e6;
    std::vector<Column> own;
    std::vector<Column> views;
    for (std::size_t j = 0; j < cols; ++j) {
      std::vector<double> values(rows);
      for (std::size_t i = 0; i < rows; ++i) values[i] = (*matrix)[i * cols + j];
      const std::string name = "x" + std::to_string(j);
      own.push_back(Column::numeric(name, values));
      views.push_back(Column::numeric_view(name, ElementType::float64, matrix->data() + j, rows,
                                           static_cast<std::ptrdiff_t>(cols * sizeof(double)),
                                           matrix));
    }
    by_columns = Dataset(std::move(own));
    by_rows = Dataset(std::move(views));
  }
  Dataset by_columns;
  Dataset by_rows;
};

TEST(Survey, does_not_depend_on_the_layout_or_the_number_of_threads) {
  for (const std::size_t rows : {1U, 255U, 1000U, 40000U}) {
    const TwoLayouts data(rows);
    const Survey expected = survey(data.by_columns, {.threads = 1});
    for (const int threads : {1, 2, 8}) {
      const Survey got = survey(data.by_rows, {.threads = threads});
      EXPECT_EQ(got.fingerprint, expected.fingerprint);
      for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(got.columns[j].mean, expected.columns[j].mean);
    }
  }
}

TEST(Survey, floats_are_read_alike_from_columns_and_from_a_matrix_with_and_without_gaps) {
  constexpr std::size_t kRows = 700;
  constexpr std::size_t kCols = 70;  // more than are packed together
  for (const float strange : {0.0F, static_cast<float>(kNaN), -INFINITY}) {
    const auto matrix = std::make_shared<std::vector<float>>(kRows * kCols);
    for (std::size_t i = 0; i < matrix->size(); ++i) {
      (*matrix)[i] = static_cast<float>(Stream(9, i).normal());
    }
    (*matrix)[300 * kCols + 5] = strange;
    std::vector<Column> own;
    std::vector<Column> views;
    for (std::size_t j = 0; j < kCols; ++j) {
      std::vector<float> values(kRows);
      for (std::size_t i = 0; i < kRows; ++i) values[i] = (*matrix)[i * kCols + j];
      const std::string name = "x" + std::to_string(j);
      own.push_back(Column::numeric(name, values));
      views.push_back(Column::numeric_view(name, ElementType::float32, matrix->data() + j, kRows,
                                           kCols * sizeof(float), matrix));
    }
    const Survey expected = survey(Dataset(std::move(own)), {.threads = 1});
    const Survey got = survey(Dataset(std::move(views)), {.threads = 2});
    EXPECT_EQ(got.fingerprint, expected.fingerprint);
    EXPECT_EQ(got.columns[5].missing, std::isnan(strange) ? 1U : 0U);
    EXPECT_EQ(got.columns[5].infinite, std::isinf(strange) ? 1U : 0U);
    for (std::size_t j = 0; j < kCols; ++j) {
      if (got.columns[j].infinite > 0) continue;  // no mean
      EXPECT_EQ(got.columns[j].mean, expected.columns[j].mean) << j;
    }
  }
}

TEST(Survey, counts_missing_and_infinite_numbers_and_averages_the_others) {
  const Dataset data({Column::numeric("a", std::vector<double>{1, kNaN, 3}),
                      Column::numeric("b", std::vector<double>{INFINITY, 2, -INFINITY}),
                      Column::numeric("c", std::vector<double>{kNaN, kNaN, kNaN}),
                      Column::numeric("d", std::vector<float>{14.5F, 14.5F, 14.5F})});
  const Survey got = survey(data);
  EXPECT_EQ(got.columns[0].missing, 1U);
  EXPECT_EQ(got.columns[0].mean, 2);
  EXPECT_EQ(got.columns[1].infinite, 2U);
  EXPECT_EQ(got.columns[2].missing, 3U);
  EXPECT_EQ(got.columns[2].mean, 0);
  EXPECT_EQ(got.columns[3].mean, 14.5);
}

TEST(Survey, any_change_shows_in_the_fingerprint) {
  std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto print = [](const std::string& name, const std::vector<double>& values) {
    return survey(Dataset({Column::numeric(name, values)})).fingerprint;
  };
  const std::string first = print("x", x);
  EXPECT_EQ(print("x", x), first);
  EXPECT_NE(print("y", x), first);
  std::swap(x[2], x[5]);
  EXPECT_NE(print("x", x), first);
  std::swap(x[2], x[5]);
  x[7] = std::nextafter(8, 9);
  EXPECT_NE(print("x", x), first);
  const Column red = Column::nominal("x", {0, 1}, {"a", "b"});
  const Column blue = Column::nominal("x", {1, 0}, {"a", "b"});
  EXPECT_NE(survey(Dataset({red})).fingerprint, survey(Dataset({blue})).fingerprint);
}

}  // namespace
}  // namespace gradus
