#include "gradus/blocks/splitter/small_nodes.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "gradus/blocks/splitter/column_search.hpp"

namespace gradus {
namespace {

std::size_t most_ranks(const RankedTable& table) {
  std::size_t most = 0;
  for (std::size_t j = 0; j < table.cols(); ++j) most = std::max(most, table.column(j).ranks);
  return most;
}

}  // namespace

SmallNodes::SmallNodes(const KeyLayout& layout, const RankedTable& table,
                       const ExactOptions& options)
    : layout_(layout) {
  const std::size_t ranks = most_ranks(table);
  // The lanes count weight, not rows: a least number of rows is left to the sweep.
  const bool free = options.min_samples_leaf <= 1 && options.min_weight_leaf <= 1 &&
                    options.thresholds == Thresholds::best;
  if (!free) return;
  wide_ = ranks > std::numeric_limits<std::uint16_t>::max();
  lanes_are_ranks_ = ranks <= simd::kCutLanes;
  most_rows_ = lanes_are_ranks_ ? simd::kMostCutWeight : simd::kCutLanes;
  for (std::uint32_t rank = 0; rank < simd::kCutLanes; ++rank) {
    lanes_.bound[rank] = simd::lane_rank(rank);
  }
}

std::int32_t SmallNodes::sum_up(std::span<const std::uint32_t> tags, ClassNode& node) {
  const std::uint32_t first = layout_.code(tags.front());
  const bool pure = first == layout_.code(tags.back());
  std::uint32_t whole = 0;
  for (const std::uint32_t tag : tags) whole += layout_.whole_weight(tag);
  node.whole = whole;
  node.weight = whole;
  node.impurity = 0;
  if (pure) return static_cast<std::int32_t>(first);
  std::uint32_t squares = 0;
  double share_squares = 0;
  for (std::size_t begin = 0; begin < tags.size();) {
    const std::uint32_t code = layout_.code(tags[begin]);
    std::uint32_t of_class = 0;
    std::size_t end = begin;
    for (; end < tags.size() && layout_.code(tags[end]) == code; ++end) {
      of_class += layout_.whole_weight(tags[end]);
    }
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t weight = layout_.whole_weight(tags[i]);
      rows_[i] = {static_cast<std::uint16_t>(weight), static_cast<std::uint16_t>(weight * of_class),
                  static_cast<std::uint16_t>(i == begin ? 0 : 0xFFFF)};
    }
    squares += of_class * of_class;
    // The arithmetic of gini_of_counts.
    const double share = of_class / node.weight;
    share_squares += share * share;
    begin = end;
  }
  node.squares = squares;
  node.impurity = 1 - share_squares;
  here_ = {rows_.data(), tags.size(), whole, squares};
  return -1;
}

// Cuts of at most 255 rows that differ at all differ in their gain by more than 1e-11 (the scores
// are fractions whose denominators are below 2^14), which is above what counts as a tie. So of the
// best ones the first is the one that a sweep from left to right finds.
bool SmallNodes::find(const ClassNode& node, ClassCut& best) {
  if (wide_) rank_among_themselves();
  if (!lanes_are_ranks_) {
    std::copy_n(ranks_.begin(), here_.size, lanes_.bound);
    std::fill(lanes_.bound + here_.size, lanes_.bound + simd::kCutLanes, ranks_[0]);
  }
  std::uint32_t near = simd::sum_lanes(here_, ranks_.data(), lanes_);
  if (near == 0) return false;
  const double tie = kGainTie * node.impurity;
  simd::LaneRank rank = 0;
  for (; near != 0; near &= near - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(near));
    const std::uint32_t left = lanes_.weight[lane];
    const std::uint32_t squares = lanes_.squares[lane];
    const std::uint32_t right_squares = here_.squares + squares - 2U * lanes_.products[lane];
    const Squares cut{static_cast<double>(left), static_cast<double>(here_.weight - left),
                      static_cast<double>(squares), static_cast<double>(right_squares)};
    const double gain = node.impurity - cut.rest() / node.weight;
    const bool better = !best.found || gain > best.gain + tie;
    const bool before = best.found && gain >= best.gain - tie && lanes_.bound[lane] < rank;
    if (!better && !before) continue;
    best.found = true;
    best.gain = gain;
    rank = lanes_.bound[lane];
  }
  best.rank = kept_rank(rank);
  return true;
}

// Ranks too wide for a lane are replaced by the number of rows that have a smaller one. What lies
// beyond the rows compares too, which costs less than to find out.
void SmallNodes::rank_among_themselves() {
  std::fill(wide_ranks_.begin() + static_cast<std::ptrdiff_t>(here_.size), wide_ranks_.end(),
            std::numeric_limits<std::int32_t>::max());
  for (std::size_t i = 0; i < here_.size; ++i) {
    std::int32_t smaller = 0;
    for (std::size_t k = 0; k < simd::kCutLanes; ++k) {
      smaller += wide_ranks_[k] < wide_ranks_[i] ? 1 : 0;
    }
    ranks_[i] = simd::lane_rank(static_cast<std::uint32_t>(smaller));
  }
}

std::uint32_t SmallNodes::kept_rank(simd::LaneRank rank) const {
  if (!wide_) return simd::rank_of_lane(rank);
  const auto row = std::find(ranks_.begin(), ranks_.begin() + here_.size, rank) - ranks_.begin();
  return static_cast<std::uint32_t>(wide_ranks_[static_cast<std::size_t>(row)]);
}

}  // namespace gradus
