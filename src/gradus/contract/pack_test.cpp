#include "gradus/contract/pack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gradus {
namespace {

constexpr std::size_t kRows = 20000;
constexpr std::size_t kCols = 3;

template <class T>
std::vector<T> row_major_numbers() {
  std::vector<T> out(kRows * kCols);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(i) / 4;
  return out;
}

template <class T>
Features features_over(const std::vector<T>& matrix, ElementType type, double fill) {
  std::vector<FeatureColumn> columns;
  for (std::size_t j = 0; j < kCols; ++j) {
    Recipe recipe;
    recipe.fill = fill;
    columns.push_back(
        {Column::numeric_view("x", type, reinterpret_cast<const std::byte*>(&matrix[j]), kRows,
                              kCols * sizeof(T), nullptr),
         recipe});
  }
  return {kRows, columns};
}

TEST(PackedRows, points_into_a_matrix_that_lies_as_it_is_read) {
  const std::vector<double> matrix = row_major_numbers<double>();
  const PackedRows packed(features_over(matrix, ElementType::float64, std::nan("")), {});
  EXPECT_EQ(packed.table().data, matrix.data());
  EXPECT_EQ(packed.table().rows, kRows);
}

TEST(PackedRows, widens_floats_and_fills_what_is_missing_in_any_number_of_threads) {
  std::vector<float> matrix = row_major_numbers<float>();
  matrix[7] = std::nanf("");
  matrix[kRows * kCols - 1] = std::nanf("");
  for (const int threads : {1, 2, 8}) {
    const PackedRows packed(features_over(matrix, ElementType::float32, -1.0),
                            Context{.threads = threads});
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      const double expected = std::isnan(matrix[i]) ? -1.0 : static_cast<double>(matrix[i]);
      ASSERT_EQ(packed.table().data[i], expected) << i;
    }
  }
}

TEST(PackedRows, copies_a_matrix_of_doubles_when_a_late_cell_is_missing) {
  std::vector<double> matrix = row_major_numbers<double>();
  matrix.back() = std::nan("");
  const PackedRows packed(features_over(matrix, ElementType::float64, 5.0), {});
  EXPECT_NE(packed.table().data, matrix.data());
  EXPECT_EQ(packed.table().data[kRows * kCols - 1], 5.0);
  EXPECT_EQ(packed.table().data[4], 1.0);
}

TEST(Features, give_floats_where_they_are_unless_a_missing_one_could_have_to_be_filled) {
  const std::vector<float> matrix = row_major_numbers<float>();
  Features as_is = features_over(matrix, ElementType::float32, std::nan(""));
  EXPECT_EQ(as_is.floats(5, 9).data, matrix.data() + 5 * kCols);
  EXPECT_EQ(as_is.floats(5, 9).rows, 4U);
  EXPECT_EQ(as_is.floats(5, 9).row(1)[2], matrix[6 * kCols + 2]);
  Features filled = features_over(matrix, ElementType::float32, -1.0);
  EXPECT_EQ(filled.floats(0, kRows).data, nullptr);
  filled.promise_complete();
  EXPECT_EQ(filled.floats(0, kRows).data, matrix.data());
  const std::vector<double> wide = row_major_numbers<double>();
  EXPECT_EQ(features_over(wide, ElementType::float64, 0).floats(0, 1).data, nullptr);
}

}  // namespace
}  // namespace gradus
