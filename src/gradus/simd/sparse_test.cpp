#include "gradus/simd/sparse.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/kernels.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

struct Row {
  std::vector<std::uint32_t> index;
  std::vector<double> value;
  SparseRow view() const { return {index.data(), value.data(), index.size()}; }
};

Row random_row(std::uint64_t item, std::size_t cols) {
  Stream stream(7, item);
  Row row;
  for (std::uint32_t j = 0; j < cols; ++j) {
    if (stream.uniform() > 0.3) continue;
    row.index.push_back(j);
    row.value.push_back(stream.uniform() - 0.5);
  }
  return row;
}

std::vector<double> random_numbers(std::uint64_t item, std::size_t count) {
  Stream stream(8, item);
  std::vector<double> out(count);
  for (double& x : out) x = stream.uniform() - 0.5;
  return out;
}

TEST(SparseRow, every_instruction_set_adds_scaled_rows_like_the_plain_twin) {
  constexpr std::size_t kCols = 60;
  for (const std::size_t width : {1, 2, 3, 4, 7, 8, 20, 33, 70}) {
    const Row row = random_row(width, kCols);
    const std::vector<double> table = random_numbers(width, kCols * width);
    const std::vector<double> start = random_numbers(width + 100, width);
    std::vector<double> expected = start;
    scalar::add_scaled_rows(row.view(), table.data(), width, expected.data());
    for (const std::string& name : target_names()) {
      const OnlyTarget only(name);
      std::vector<double> out = start;
      add_scaled_rows(row.view(), table.data(), width, out.data());
      EXPECT_EQ(out, expected) << name << ", width " << width;
    }
  }
}

TEST(SparseRow, adding_to_the_rows_of_a_table_gives_the_same_bytes_on_every_machine) {
  constexpr std::size_t kCols = 60;
  for (const std::size_t width : {1, 2, 3, 4, 7, 8, 20, 33, 70}) {
    const Row row = random_row(width, kCols);
    const std::vector<double> change = random_numbers(width, width);
    const std::vector<double> start = random_numbers(width + 100, kCols * width);
    std::vector<double> expected = start;
    scalar::add_to_rows(row.view(), change.data(), width, expected.data());
    EXPECT_NE(expected, start);
    for (const std::string& name : target_names()) {
      const OnlyTarget only(name);
      std::vector<double> table = start;
      add_to_rows(row.view(), change.data(), width, table.data());
      EXPECT_EQ(table, expected) << name << ", width " << width;
    }
  }
}

TEST(SparseRow, a_stored_zero_and_a_missing_number_silence_an_infinite_number_of_the_table) {
  const std::vector<double> table(10, -std::numeric_limits<double>::infinity());
  const Row row{{0, 1}, {0.0, std::numeric_limits<double>::quiet_NaN()}};
  std::vector<double> out(5, 2.0);
  add_scaled_rows(row.view(), table.data(), 5, out.data());
  EXPECT_EQ(out, std::vector<double>(5, 2.0));
}

TEST(SparseRow, the_dot_product_has_the_bytes_of_the_dense_row) {
  for (const std::size_t cols : {1, 15, 16, 17, 100, 1000}) {
    const Row row = random_row(cols, cols);
    std::vector<double> dense(cols, 0.0);
    for (std::size_t k = 0; k < row.index.size(); ++k) dense[row.index[k]] = row.value[k];
    const std::vector<double> other = random_numbers(cols, cols);
    EXPECT_EQ(dot(row.view(), other.data()), dot(dense.data(), other.data(), cols)) << cols;
  }
}

TEST(SparseRow, many_dot_products_at_once_have_the_bytes_of_each_alone) {
  for (const std::size_t width : {1, 2, 3, 4, 7, 8, 20, 33}) {
    constexpr std::size_t kCols = 300;
    const Row row = random_row(width, kCols);
    const std::vector<double> table = random_numbers(width, kCols * width);
    std::vector<double> lanes(16 * width);
    std::vector<double> out(width);
    dots(row.view(), table.data(), width, lanes.data(), out.data());
    for (std::size_t c = 0; c < width; ++c) {
      std::vector<double> column(kCols);
      for (std::size_t j = 0; j < kCols; ++j) column[j] = table[j * width + c];
      EXPECT_EQ(out[c], dot(row.view(), column.data())) << width << " columns, number " << c;
    }
  }
}

}  // namespace
}  // namespace gradus::simd
