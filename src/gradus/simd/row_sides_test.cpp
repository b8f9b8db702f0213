#include "gradus/simd/row_sides.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

class RowSides : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

TEST_P(RowSides, ranges_and_sums_are_the_bytes_of_the_plain_twin) {
  Stream stream(5);
  for (const std::size_t stride : {std::size_t{8}, std::size_t{24}}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{301}}) {
      std::vector<double> cells(count * stride);
      std::vector<double> weight(count);
      std::vector<double> moved(count);
      for (double& x : cells) x = stream.below(4) == 0 ? 0.5 : stream.normal();
      for (double& x : weight) x = stream.uniform();
      for (double& x : moved) x = stream.normal() * 1e3;
      std::vector<double> thresholds(stride);
      for (double& t : thresholds) {
        t = stream.below(5) == 0 ? -std::numeric_limits<double>::infinity() : 0.5;
      }
      const NumberRows rows{cells.data(), count, stride};
      std::vector<double> fast[5];
      std::vector<double> plain[5];
      for (auto* arrays : {&fast, &plain}) {
        for (std::vector<double>& one : *arrays) one.assign(stride, -7);
      }
      column_ranges(rows, fast[0].data(), fast[1].data());
      scalar::column_ranges(rows, plain[0].data(), plain[1].data());
      for (const bool weighed : {false, true}) {
        const double* given = weighed ? weight.data() : nullptr;
        const auto ask = [&](std::vector<double>* to) {
          return LeftSums{thresholds.data(), given,        moved.data(),
                          to[2].data(),      to[3].data(), to[4].data()};
        };
        left_sums(rows, ask(fast));
        scalar::left_sums(rows, ask(plain));
        for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(fast[i], plain[i]) << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, RowSides, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gradus::simd
