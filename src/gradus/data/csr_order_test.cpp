#include "gradus/data/csr_order.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

// Rows of random columns, with repetitions where `repeated`.
CsrArrays scrambled(std::size_t rows, std::size_t cols, std::size_t longest, bool repeated) {
  CsrArrays matrix;
  matrix.cols = cols;
  Stream stream(7);
  for (std::size_t row = 0; row < rows; ++row) {
    std::map<std::size_t, bool> there;
    const std::size_t length = stream.below(longest + 1);
    for (std::size_t k = 0; k < length; ++k) {
      const std::size_t column = stream.below(cols);
      if (!repeated && !there.emplace(column, true).second) continue;
      matrix.index.push_back(static_cast<std::uint32_t>(column));
      matrix.value.push_back(stream.uniform());
    }
    matrix.row_begin.push_back(matrix.value.size());
  }
  return matrix;
}

// The same by the plainest means.
CsrArrays sorted_by_map(const CsrArrays& matrix) {
  CsrArrays out;
  out.cols = matrix.cols;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    std::map<std::uint32_t, double> cells;
    for (std::size_t k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k) {
      const auto [at, fresh] = cells.emplace(matrix.index[k], matrix.value[k]);
      if (!fresh) at->second += matrix.value[k];
    }
    for (const auto& [column, value] : cells) {
      out.index.push_back(column);
      out.value.push_back(value);
    }
    out.row_begin.push_back(out.value.size());
  }
  return out;
}

void expect_ordered_like_a_map(const CsrArrays& given) {
  const CsrArrays expected = sorted_by_map(given);
  const CsrMatrix ordered = ordered_rows(given, {});
  ordered.check();
  const CsrArrays matrix = ordered.arrays();
  EXPECT_EQ(matrix.row_begin, expected.row_begin);
  EXPECT_EQ(matrix.index, expected.index);
  EXPECT_EQ(matrix.value, expected.value);
}

TEST(CsrOrder, rows_of_every_length_are_put_in_order) {
  expect_ordered_like_a_map(scrambled(600, 5000, 300, false));
}

TEST(CsrOrder, values_of_a_repeated_column_are_added_up) {
  expect_ordered_like_a_map(scrambled(600, 400, 300, true));
}

TEST(CsrOrder, a_matrix_of_very_many_columns_is_put_in_order_by_comparing) {
  expect_ordered_like_a_map(scrambled(40, 3'000'000'000, 200, false));
}

TEST(CsrOrder, the_first_and_the_last_column_are_found) {
  for (const std::size_t cols : {64, 65, 4096, 4097}) {
    CsrArrays matrix;
    matrix.cols = cols;
    for (std::size_t column = cols; column-- > 0;) {
      matrix.index.push_back(static_cast<std::uint32_t>(column));
      matrix.value.push_back(static_cast<double>(column));
    }
    matrix.row_begin.push_back(cols);
    expect_ordered_like_a_map(matrix);
  }
}

TEST(CsrOrder, a_matrix_in_order_and_one_without_rows_stay_as_they_are) {
  CsrArrays matrix;
  matrix.cols = 3;
  EXPECT_EQ(ordered_rows(matrix, {}).rows(), 0U);
  matrix.index = {0, 2};
  matrix.value = {1, 5};
  matrix.row_begin = {0, 0, 2};
  expect_ordered_like_a_map(matrix);
}

TEST(CsrOrder, a_view_reads_the_memory_of_its_owner_and_keeps_it) {
  auto owner = std::make_shared<CsrArrays>(scrambled(5, 20, 10, false));
  const double* values = owner->value.data();
  const std::weak_ptr<const CsrArrays> watch = owner;
  std::optional<CsrMatrix> view(std::in_place, owner->cols, owner->row_begin, owner->index,
                                owner->value, owner);
  owner.reset();
  const CsrMatrix copy = *view;
  view.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(copy.value.data(), values);
  EXPECT_EQ(copy.arrays().row_begin, scrambled(5, 20, 10, false).row_begin);
}

}  // namespace
}  // namespace gradus
