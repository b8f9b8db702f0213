#include "gradus/core/pages.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gradus {
namespace {

TEST(Pages, the_hint_leaves_the_memory_as_it_is) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{9} << 20}) {
    std::vector<char> block(bytes, 'x');
    prefer_large_pages(block.data(), block.size());
    EXPECT_EQ(block, std::vector<char>(bytes, 'x'));
  }
}

}  // namespace
}  // namespace gradus
