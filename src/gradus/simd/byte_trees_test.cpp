#include "gradus/simd/byte_trees.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

class ByteTrees : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

TEST_P(ByteTrees, leaves_equal_those_of_the_plain_twin) {
  Stream stream(2);
  std::vector<ByteTree> trees(37);
  for (ByteTree& tree : trees) {
    for (std::size_t test = 0; test < kByteTests; ++test) {
      tree.column[test] = static_cast<std::uint8_t>(stream.below(kByteColumns));
      tree.code[test] = byte_code(static_cast<std::uint32_t>(stream.below(256)));
      // The last leaf is never ruled out.
      const std::uint64_t some = stream.next() & stream.next() & stream.next();
      tree.clear[test] = static_cast<std::uint32_t>(some) & 0x7FFFFFFFU;
    }
  }
  for (int row = 0; row < 20; ++row) {
    ByteCode codes[kByteColumns];
    for (ByteCode& code : codes) code = byte_code(static_cast<std::uint32_t>(stream.below(256)));
    std::vector<std::uint8_t> fast(trees.size());
    std::vector<std::uint8_t> plain(trees.size());
    byte_leaves(trees.data(), trees.size(), codes, fast.data());
    scalar::byte_leaves(trees.data(), trees.size(), codes, plain.data());
    EXPECT_EQ(fast, plain);
  }
}

TEST_P(ByteTrees, a_question_that_is_not_used_rules_nothing_out) {
  const ByteTree tree;
  ByteCode codes[kByteColumns];
  for (ByteCode& code : codes) code = byte_code(255);
  std::uint8_t leaf = 9;
  byte_leaves(&tree, 1, codes, &leaf);
  EXPECT_EQ(leaf, 0);
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, ByteTrees, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gradus::simd
