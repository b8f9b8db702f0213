#include "gradus/simd/cut_lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

class CutLanesOf : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

struct MadeNode {
  std::vector<LaneRow> rows;
  std::vector<LaneRank> ranks;
  std::uint32_t weight = 0;
  std::uint32_t squares = 0;
  LaneNode node() const { return {rows.data(), rows.size(), weight, squares}; }
};

// Rows of several classes, those of a class together, as heavy as 255 allows.
MadeNode made_node(std::size_t classes, std::uint64_t heaviest, std::uint64_t ranks,
                   Stream& stream) {
  MadeNode out;
  for (std::size_t k = 0; k < classes; ++k) {
    const std::size_t begin = out.rows.size();
    std::uint32_t of_class = 0;
    for (std::uint64_t i = 0; i < 1 + stream.below(255 / classes / heaviest); ++i) {
      const auto weight = static_cast<std::uint16_t>(1 + stream.below(heaviest));
      out.rows.push_back({weight, 0, static_cast<std::uint16_t>(i == 0 ? 0 : 0xFFFF)});
      out.ranks.push_back(lane_rank(static_cast<std::uint32_t>(stream.below(ranks))));
      of_class += weight;
    }
    for (std::size_t i = begin; i < out.rows.size(); ++i) {
      out.rows[i].product = static_cast<std::uint16_t>(out.rows[i].weight * of_class);
    }
    out.weight += of_class;
    out.squares += of_class * of_class;
  }
  return out;
}

TEST_P(CutLanesOf, a_node_equal_the_plain_twin) {
  Stream stream(5);
  for (const std::size_t classes : {2, 3, 26}) {
    for (const std::uint64_t ranks : {std::uint64_t{1}, std::uint64_t{16}, std::uint64_t{65536}}) {
      const MadeNode made = made_node(classes, 4, ranks, stream);
      CutLanes fast;
      for (std::size_t lane = 0; lane < kCutLanes; ++lane) {
        fast.bound[lane] = made.ranks[lane % made.ranks.size()];
      }
      CutLanes plain = fast;
      const std::uint32_t near = sum_lanes(made.node(), made.ranks.data(), fast);
      const std::uint32_t plainly = scalar::sum_lanes(made.node(), made.ranks.data(), plain);
      // Scores at the very edge of nearness may be rounded to either side.
      EXPECT_EQ(near, plainly) << classes << " classes, " << ranks << " ranks";
      EXPECT_EQ(near == 0, ranks == 1);
      EXPECT_TRUE(std::equal(fast.weight, fast.weight + kCutLanes, plain.weight));
      EXPECT_TRUE(std::equal(fast.squares, fast.squares + kCutLanes, plain.squares));
      EXPECT_TRUE(std::equal(fast.products, fast.products + kCutLanes, plain.products));
    }
  }
}

TEST_P(CutLanesOf, the_heaviest_node_does_not_overflow) {
  // 200 of one class at rank 0, 55 of another at rank 1: one cut parts them.
  const std::vector<LaneRow> rows = {{200, 200 * 200, 0}, {55, 55 * 55, 0}};
  const std::vector<LaneRank> ranks = {lane_rank(0), lane_rank(1)};
  CutLanes lanes;
  for (std::uint32_t lane = 0; lane < kCutLanes; ++lane) lanes.bound[lane] = lane_rank(lane);
  const std::uint32_t near =
      sum_lanes({rows.data(), 2, 255, 200 * 200 + 55 * 55}, ranks.data(), lanes);
  EXPECT_EQ(near, 1U);
  EXPECT_EQ(lanes.weight[0], 200);
  EXPECT_EQ(lanes.squares[0], 40000);
  EXPECT_EQ(lanes.products[1], 40000 + 3025);
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, CutLanesOf, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

TEST(LaneRanks, keep_their_order_and_come_back) {
  EXPECT_LT(lane_rank(0), lane_rank(1));
  EXPECT_LT(lane_rank(32767), lane_rank(32768));
  for (const std::uint32_t rank : {0U, 1U, 32767U, 32768U, 65535U}) {
    EXPECT_EQ(rank_of_lane(lane_rank(rank)), rank);
  }
}

}  // namespace
}  // namespace gradus::simd
