#include "gradus/blocks/rows/even_sort.hpp"

#include <gtest/gtest.h>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

TEST(SortEvenly, gives_the_order_of_an_ordinary_sort_for_draws_few_values_and_clusters) {
  Stream stream(1);
  for (const std::size_t count : {0U, 1U, 2U, 15U, 1000U, 20000U}) {
    for (const std::uint64_t mask :
         {~std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{0xFF} << 56U, std::uint64_t{0}}) {
      std::vector<std::uint64_t> items(count);
      for (std::uint64_t& item : items) item = stream.next() & mask;
      std::vector<std::uint64_t> expected = items;
      std::sort(expected.begin(), expected.end());
      sort_evenly(items, [](std::uint64_t item) { return item; }, {});
      EXPECT_EQ(items, expected) << count << " items, mask " << mask;
    }
  }
}

}  // namespace
}  // namespace gradus
