#include "gradus/simd/part_numbers.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

class PartNumbers : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

TEST_P(PartNumbers, are_those_of_the_plain_twin_with_nothing_behind) {
  Stream stream(12);
  constexpr std::uint32_t kUntouched = 77;
  for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 64U, 300U}) {
    for (const std::uint64_t lefts_of_ten : {0U, 1U, 5U, 9U, 10U}) {
      std::vector<std::uint8_t> flags(count);
      std::size_t lefts = 0;
      for (std::uint8_t& flag : flags) {
        flag = stream.below(10) < lefts_of_ten ? 1 : 0;
        lefts += flag;
      }
      const auto parted = [&](const auto& part) {
        std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> out;
        out.first.resize(lefts + 20, kUntouched);
        out.second.resize(count - lefts + 20, kUntouched);
        part({flags.data(), count, lefts, 1000}, out.first.data(), out.second.data());
        return out;
      };
      const auto fast = parted(part_numbers);
      EXPECT_EQ(fast, parted(scalar::part_numbers));
      std::vector<std::uint32_t> expected[2];
      for (std::uint32_t i = 0; i < count; ++i) expected[flags[i]].push_back(1000 + i);
      for (std::vector<std::uint32_t>& side : expected) side.resize(side.size() + 20, kUntouched);
      EXPECT_EQ(fast.first, expected[1]);
      EXPECT_EQ(fast.second, expected[0]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, PartNumbers, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gradus::simd
