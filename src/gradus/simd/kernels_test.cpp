#include "gradus/simd/kernels.hpp"
#include "gradus/simd/affine.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/scalar.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Equal in bits; any NaN equals any NaN.
bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Numbers of very different sizes, both signs: sums of them show every change of order.
std::vector<double> rugged(std::size_t size, std::uint64_t item) {
  Stream random(77, item);
  std::vector<double> out(size);
  for (double& x : out)
    x = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(60)) - 30);
  return out;
}

const std::vector<std::size_t>& sizes() {
  static const std::vector<std::size_t> all = [] {
    std::vector<std::size_t> list;
    for (std::size_t n = 0; n <= 70; ++n) list.push_back(n);
    for (const std::size_t n : {127, 128, 129, 255, 1000, 1023, 4099}) list.push_back(n);
    return list;
  }();
  return all;
}

// Every test runs once per instruction set of this machine.
class Kernels : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

TEST_P(Kernels, sums_equal_the_plain_twin_in_bits_for_every_size_and_alignment) {
  for (const std::size_t n : sizes()) {
    for (std::size_t offset = 0; offset < 4; ++offset) {
      const auto a = rugged(n + offset, 2 * n);
      const auto b = rugged(n + offset, 2 * n + 1);
      const double* x = a.data() + offset;
      const double* y = b.data() + offset;
      EXPECT_TRUE(same(dot(x, y, n), scalar::dot(x, y, n))) << n;
      EXPECT_TRUE(same(sum(x, n), scalar::sum(x, n))) << n;
      const std::vector<float> f(a.begin(), a.end());
      const std::vector<float> g(b.begin(), b.end());
      EXPECT_EQ(std::bit_cast<std::uint32_t>(dot(f.data() + offset, g.data() + offset, n)),
                std::bit_cast<std::uint32_t>(scalar::dot(f.data() + offset, g.data() + offset, n)));
    }
  }
}

TEST_P(Kernels, an_affine_map_is_an_intercept_and_a_dot_for_every_row_and_output) {
  for (const std::size_t cols : {1, 2, 4, 5, 9, 15, 16, 17, 28, 40}) {
    for (const std::size_t outputs : {1, 3}) {
      const std::size_t stride = cols + 2;
      auto rows = rugged(7 * stride, cols);
      rows[2 * stride + cols] = kNaN;  // behind the end of a row
      rows[3 * stride] = kInfinity;
      const auto w = rugged(outputs * cols, cols + 1);
      const std::vector<double> intercept = {0.5, -2, 1e10};
      std::vector<double> out(7 * outputs);
      affine({rows.data(), 7, stride}, {w.data(), intercept.data(), outputs, cols}, out.data());
      for (std::size_t i = 0; i < 7; ++i) {
        for (std::size_t k = 0; k < outputs; ++k) {
          const double expected = intercept[k] + dot(&rows[i * stride], &w[k * cols], cols);
          EXPECT_TRUE(same(out[i * outputs + k], expected)) << cols << " " << i << " " << k;
        }
      }
    }
  }
}

TEST_P(Kernels, a_sum_of_negative_zeros_and_of_special_values_is_that_of_the_plain_twin) {
  for (const double special : {-0.0, kInfinity, -kInfinity, kNaN, 5e-324}) {
    for (const std::size_t n : {1, 3, 16, 17, 40}) {
      auto x = rugged(n, n);
      x[n / 2] = special;
      const std::vector<double> zeros(n, -0.0);
      EXPECT_TRUE(same(sum(x.data(), n), scalar::sum(x.data(), n)));
      EXPECT_TRUE(same(dot(x.data(), x.data(), n), scalar::dot(x.data(), x.data(), n)));
      EXPECT_TRUE(same(sum(zeros.data(), n), scalar::sum(zeros.data(), n)));
    }
  }
}

TEST_P(Kernels, moments_of_groups_equal_the_plain_twin_in_bits) {
  constexpr std::size_t kRows = 23;
  constexpr std::size_t kGroups = 3;
  std::vector<std::int32_t> group;
  for (std::size_t i = 0; i < kRows; ++i)
    group.push_back(static_cast<std::int32_t>(i * i % kGroups));
  for (std::size_t cols = 1; cols <= 37; ++cols) {
    const std::size_t stride = cols + 2;
    const auto x = rugged(kRows * stride, cols);
    const auto weight = rugged(kRows, cols + 100);
    const auto origin = rugged(kGroups * stride, cols + 200);
    for (const double* weights : {static_cast<const double*>(nullptr), weight.data()}) {
      std::vector<double> fast(2 * kGroups * stride, 0.5);
      std::vector<double> plain = fast;
      const GroupedRows rows{{x.data(), kRows, stride}, cols, group.data(), weights};
      add_moments(rows, {origin.data(), fast.data(), &fast[kGroups * stride], stride});
      scalar::add_moments(rows, {origin.data(), plain.data(), &plain[kGroups * stride], stride});
      for (std::size_t i = 0; i < fast.size(); ++i) EXPECT_TRUE(same(fast[i], plain[i])) << cols;
    }
  }
}

TEST_P(Kernels, axpy_equals_the_plain_twin_in_bits) {
  for (const std::size_t n : sizes()) {
    const auto x = rugged(n, n);
    auto fast = rugged(n, n + 9000);
    auto plain = fast;
    axpy(1.0 / 3, x.data(), fast.data(), n);
    scalar::axpy(1.0 / 3, x.data(), plain.data(), n);
    EXPECT_EQ(fast, plain);
  }
}

TEST_P(Kernels, the_first_infinite_number_is_found_wherever_it_stands) {
  for (const std::size_t n : {1, 5, 16, 33, 100}) {
    std::vector<double> x(n, kNaN);
    std::vector<float> f(n, 1.0F);
    EXPECT_EQ(first_infinite(x.data(), n), n);
    EXPECT_EQ(first_infinite(f.data(), n), n);
    for (std::size_t at = n; at-- > 0;) {
      x[at] = at % 2 == 0 ? kInfinity : -kInfinity;
      f[at] = static_cast<float>(x[at]);
      EXPECT_EQ(first_infinite(x.data(), n), at);
      EXPECT_EQ(first_infinite(f.data(), n), at);
    }
  }
}

TEST_P(Kernels, distances_and_nearest_points_equal_the_plain_twin_in_bits) {
  for (const std::size_t features : {1, 2, 3, 7, 16, 51}) {
    for (const std::size_t count : {1, 2, 7, 8, 9, 24, 31}) {
      const std::size_t stride = features + 3;
      const std::size_t n = 13;
      const auto data = rugged(n * stride, features);
      const PointTable points(rugged(count * features, count).data(), count, features);
      const Rows rows{data.data(), n, stride};
      std::vector<double> fast(n * count), plain(n * count), far(n), far_plain(n);
      std::vector<std::int32_t> index(n), index_plain(n);
      squared_distances(rows, points, fast.data());
      scalar::squared_distances(rows, points, plain.data());
      EXPECT_EQ(fast, plain);
      nearest(rows, points, index.data(), far.data());
      scalar::nearest(rows, points, index_plain.data(), far_plain.data());
      EXPECT_EQ(index, index_plain);
      EXPECT_EQ(far, far_plain);
      argmin_rows({fast.data(), n, count}, count, index.data());
      EXPECT_EQ(index, index_plain);
    }
  }
}

TEST_P(Kernels, a_point_is_at_distance_zero_from_itself_however_far_from_the_origin) {
  const std::vector<double> points = {1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4};
  const PointTable table(points.data(), 2, 2);
  double out[4];
  squared_distances({points.data(), 2, 2}, table, out);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 8);
  EXPECT_EQ(out[3], 0);
}

TEST_P(Kernels, ties_go_to_the_lowest_index_and_nan_never_wins) {
  std::vector<double> points(20, 5.0);
  points[11] = points[3] = points[19] = 1.0;
  std::int32_t index = -1;
  double distance = -1;
  const double row[] = {1.0};
  nearest({row, 1, 1}, PointTable(points.data(), 20, 1), &index, &distance);
  EXPECT_EQ(index, 3);
  EXPECT_EQ(distance, 0);
  points[0] = kNaN;
  argmin_rows({points.data(), 1, 20}, 20, &index);
  EXPECT_EQ(index, 3);
  const double nothing[] = {kNaN, kInfinity, kNaN};
  argmin_rows({nothing, 1, 3}, 3, &index);
  EXPECT_EQ(index, 0);
  const double lost[] = {kNaN};
  nearest({lost, 1, 1}, PointTable(points.data(), 20, 1), &index, &distance);
  EXPECT_EQ(index, 0);
  EXPECT_EQ(distance, kInfinity);
}

// Numbers from all over the double range, and the borders where something changes.
std::vector<double> wide_arguments() {
  std::vector<double> x = {0.0,
                           -0.0,
                           1.0,
                           -1.0,
                           kInfinity,
                           -kInfinity,
                           kNaN,
                           5e-324,
                           1e-310,
                           1e-300,
                           709.78,
                           709.79,
                           -708.4,
                           -744.44,
                           -745.1,
                           -745.2,
                           -746.0,
                           710.0,
                           -800.0,
                           1e300,
                           -1e300,
                           0x1p-1022,
                           0x1.fffffffffffffp-1,
                           0x1.0000000000001p0,
                           1.7976931348623157e308};
  Stream random(5, 5);
  for (int i = 0; i < 200000; ++i) x.push_back(1460 * random.uniform() - 748);
  for (int i = 0; i < 50000; ++i) x.push_back(2 * random.uniform() - 1);
  for (int i = 0; i < 200000; ++i) {
    x.push_back(std::ldexp(1 + random.uniform(), static_cast<int>(random.below(2098)) - 1074));
  }
  return x;
}

// The distance to the exact value in units of the last place of the double result.
double ulps(double got, long double exact) {
  const double rounded = static_cast<double>(exact);
  if (same(got, rounded)) return 0;
  if (!std::isfinite(got) || !std::isfinite(rounded)) return kInfinity;
  const double magnitude = std::max(std::fabs(rounded), 0x1p-1022);
  const double unit = std::ldexp(1.0, std::ilogb(magnitude) - 52);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) / unit);
}

TEST_P(Kernels, exp_and_log_equal_the_plain_twin_in_bits) {
  const auto x = wide_arguments();
  std::vector<double> fast(x.size()), plain(x.size());
  exp(x.data(), fast.data(), x.size());
  scalar::exp(x.data(), plain.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_TRUE(same(fast[i], plain[i])) << x[i];
  log(x.data(), fast.data(), x.size());
  scalar::log(x.data(), plain.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_TRUE(same(fast[i], plain[i])) << x[i];
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Kernels, testing::ValuesIn(target_names()),
                         [](const auto& name) { return name.param; });

TEST(Elementary, exp_and_log_are_within_one_ulp_of_the_exact_value) {
  double worst_exp = 0;
  double worst_log = 0;
  for (const double x : wide_arguments()) {
    if (std::isnan(x)) continue;
    worst_exp = std::max(worst_exp, ulps(scalar::exp(x), std::exp(static_cast<long double>(x))));
    if (x >= 0) {
      worst_log = std::max(worst_log, ulps(scalar::log(x), std::log(static_cast<long double>(x))));
    }
  }
  EXPECT_LT(worst_exp, 1.0);
  EXPECT_LT(worst_log, 1.0);
  RecordProperty("exp_ulp", std::to_string(worst_exp));
  RecordProperty("log_ulp", std::to_string(worst_log));
}

TEST(Elementary, special_values_follow_the_standard) {
  EXPECT_EQ(scalar::exp(0.0), 1);
  EXPECT_EQ(scalar::exp(-0.0), 1);
  EXPECT_EQ(scalar::exp(kInfinity), kInfinity);
  EXPECT_EQ(scalar::exp(-kInfinity), 0);
  EXPECT_EQ(scalar::exp(709.79), kInfinity);
  EXPECT_EQ(scalar::exp(-745.2), 0);
  EXPECT_EQ(scalar::exp(-745.1), 5e-324);
  EXPECT_TRUE(std::isnan(scalar::exp(kNaN)));
  EXPECT_TRUE(same(scalar::log(1.0), 0.0));
  EXPECT_EQ(scalar::log(0.0), -kInfinity);
  EXPECT_EQ(scalar::log(-0.0), -kInfinity);
  EXPECT_EQ(scalar::log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(scalar::log(-1.0)));
  EXPECT_TRUE(std::isnan(scalar::log(kNaN)));
  EXPECT_NEAR(scalar::log(5e-324), -744.4400719213812, 1e-12);
}

}  // namespace
}  // namespace gradus::simd
