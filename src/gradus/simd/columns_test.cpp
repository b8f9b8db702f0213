#include "gradus/simd/columns.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class ColumnKernels : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

struct Totals {
  explicit Totals(std::size_t cols) : sum(cols), missing(cols), infinite(cols), check(cols) {}
  ColumnTotals view() { return {sum.data(), missing.data(), infinite.data(), check.data()}; }
  std::vector<double> sum, missing, infinite;
  std::vector<std::uint64_t> check;
};

TEST_P(ColumnKernels, equal_the_plain_twin_in_bits) {
  for (const std::size_t cols : {1, 3, 4, 9, 17}) {
    const std::size_t rows = 37;
    Stream random(2, cols);
    std::vector<double> data(rows * cols), origin(cols);
    std::vector<std::uint64_t> keys(rows);
    for (double& x : data) x = random.normal();
    for (double& x : origin) x = random.normal();
    for (std::uint64_t& key : keys) key = random.next();
    data[cols] = kNaN;
    data[2 * cols] = -kInfinity;
    Totals fast(cols), plain(cols);
    look_at_columns({data.data(), rows, cols}, cols, origin.data(), keys.data(), fast.view());
    scalar::look_at_columns({data.data(), rows, cols}, cols, origin.data(), keys.data(),
                            plain.view());
    EXPECT_EQ(fast.sum, plain.sum);
    EXPECT_EQ(fast.missing, plain.missing);
    EXPECT_EQ(fast.infinite, plain.infinite);
    EXPECT_EQ(fast.check, plain.check);
    EXPECT_EQ(fast.missing[0], 1);
    EXPECT_EQ(fast.infinite[0], 1);
  }
}

TEST_P(ColumnKernels, finite_columns_are_looked_at_as_any_others) {
  for (const std::size_t cols : {1, 3, 4, 9, 17}) {
    const std::size_t rows = 37;
    Stream random(3, cols);
    std::vector<double> data(rows * cols), origin(cols);
    std::vector<std::uint64_t> keys(rows);
    for (double& x : data) x = random.normal();
    for (double& x : origin) x = random.normal();
    for (std::uint64_t& key : keys) key = random.next();
    Totals fast(cols), plain(cols);
    look_at_finite_columns({data.data(), rows, cols}, cols, origin.data(), keys.data(),
                           fast.view());
    scalar::look_at_columns({data.data(), rows, cols}, cols, origin.data(), keys.data(),
                            plain.view());
    EXPECT_EQ(fast.sum, plain.sum);
    EXPECT_EQ(fast.check, plain.check);
    EXPECT_EQ(fast.missing, std::vector<double>(cols, 0.0));
    EXPECT_EQ(fast.infinite, std::vector<double>(cols, 0.0));
  }
}

TEST_P(ColumnKernels, a_nan_is_found_wherever_it_stands) {
  for (const std::size_t size : {1, 7, 16, 40}) {
    std::vector<double> x(size, kInfinity);
    EXPECT_FALSE(any_nan(x.data(), size));
    for (std::size_t i = 0; i < size; ++i) {
      x[i] = kNaN;
      EXPECT_TRUE(any_nan(x.data(), size));
      x[i] = 0;
    }
  }
}

template <class T>
void expect_strange_numbers_are_found() {
  for (const std::size_t size : {0, 1, 7, 16, 40, 130}) {
    std::vector<T> x(size, std::numeric_limits<T>::max());
    EXPECT_TRUE(all_finite(x.data(), size));
    EXPECT_TRUE(scalar::all_finite(x.data(), size));
    for (std::size_t i = 0; i < size; ++i) {
      for (const double strange : {kNaN, kInfinity, -kInfinity}) {
        x[i] = static_cast<T>(strange);
        EXPECT_FALSE(all_finite(x.data(), size));
        EXPECT_FALSE(scalar::all_finite(x.data(), size));
      }
      x[i] = 0;
    }
  }
}

TEST_P(ColumnKernels, a_number_that_is_not_finite_is_found_wherever_it_stands) {
  expect_strange_numbers_are_found<double>();
  expect_strange_numbers_are_found<float>();
}

TEST_P(ColumnKernels, floats_become_doubles_of_the_same_value) {
  for (const std::size_t size : {0, 1, 3, 4, 9, 33}) {
    std::vector<float> x(size);
    for (std::size_t i = 0; i < size; ++i) x[i] = 0.1F * static_cast<float>(i) - 1.0F;
    std::vector<double> out(size + 1, -7.0);
    widen(x.data(), size, out.data());
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(out[i], static_cast<double>(x[i]));
    EXPECT_EQ(out[size], -7.0);
  }
}

TEST_P(ColumnKernels, columns_become_rows_whatever_their_number) {
  for (const std::size_t cols : {1, 2, 3, 4, 5, 8, 11}) {
    for (const std::size_t rows : {1, 3, 4, 9, 16}) {
      std::vector<std::vector<double>> columns(cols, std::vector<double>(rows));
      std::vector<const double*> starts;
      for (std::size_t j = 0; j < cols; ++j) {
        for (std::size_t i = 0; i < rows; ++i) columns[j][i] = static_cast<double>(100 * i + j);
        starts.push_back(columns[j].data());
      }
      const std::size_t stride = cols + 1;
      std::vector<double> out(rows * stride, -1.0);
      rows_from_columns(starts.data(), cols, rows, out.data(), stride);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
          EXPECT_EQ(out[i * stride + j], static_cast<double>(100 * i + j));
        }
        EXPECT_EQ(out[i * stride + cols], -1.0) << "written beyond the row";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, ColumnKernels, testing::ValuesIn(target_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace gradus::simd
