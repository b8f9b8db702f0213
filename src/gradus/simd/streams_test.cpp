#include "gradus/simd/streams.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

class FirstNumbers : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

TEST_P(FirstNumbers, are_those_of_the_streams) {
  Stream stream(3);
  for (const Seed seed : {Seed{0}, Seed{1}, Seed{0xfedcba9876543210}}) {
    for (const std::uint32_t purpose : {0U, 2U, 0xffffffffU}) {
      std::vector<std::uint64_t> items = {0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 32U};
      while (items.size() < 77) items.push_back(stream.next());
      for (const std::size_t count :
           {std::size_t{0}, std::size_t{1}, std::size_t{16}, items.size()}) {
        std::vector<std::uint64_t> fast(count);
        first_numbers({seed, purpose}, items.data(), count, fast.data());
        for (std::size_t i = 0; i < count; ++i) {
          EXPECT_EQ(fast[i], Stream(seed, items[i], purpose).next()) << i;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, FirstNumbers, testing::ValuesIn(target_names()),
                         [](const auto& chosen) { return chosen.param; });

}  // namespace
}  // namespace gradus::simd
