#include "gradus/simd/outside.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using testing::ElementsAre;

std::vector<std::uint32_t> places_of(const LimitedRow& row,
                                     std::size_t (*find)(const LimitedRow&, std::uint32_t*)) {
  std::vector<std::uint32_t> places(row.count);
  places.resize(find(row, places.data()));
  return places;
}

TEST(Outside, the_upper_limit_is_inside_and_the_lower_is_not) {
  const std::vector<double> x = {0, 1, 2, kNaN, -kInfinity, kInfinity, 3, 3, kInfinity, kNaN};
  const std::vector<double> low = {0, 0, 1, -kInfinity, -kInfinity, 0, 3, 2, kInfinity, kInfinity};
  const std::vector<double> high = {1, 1, 1.5, kInfinity, 0, kInfinity, 4, 3, kInfinity, 0};
  const LimitedRow row{x.data(), low.data(), high.data(), x.size()};
  EXPECT_THAT(places_of(row, outside), ElementsAre(0, 2, 3, 4, 6, 8, 9));
}

TEST(Outside, finds_what_the_scalar_twin_finds_with_every_instruction_set) {
  for (const std::string& target : target_names()) {
    const OnlyTarget only(target);
    Stream stream(3);
    for (std::size_t count = 0; count < 60; ++count) {
      std::vector<double> x(count);
      std::vector<double> low(count);
      std::vector<double> high(count);
      for (std::size_t i = 0; i < count; ++i) {
        x[i] = stream.below(10) == 0 ? kNaN : static_cast<double>(stream.below(6));
        low[i] = stream.below(5) == 0 ? -kInfinity : static_cast<double>(stream.below(3)) - 1;
        high[i] = stream.below(5) == 0 ? kInfinity : 1 + static_cast<double>(stream.below(5));
      }
      const LimitedRow row{x.data(), low.data(), high.data(), count};
      EXPECT_EQ(places_of(row, outside), places_of(row, scalar::outside)) << target;
    }
  }
}

}  // namespace
}  // namespace gradus::simd
