#include "gradus/blocks/splitter/class_keys.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "gradus/blocks/splitter/exact_grow.hpp"

namespace gradus {
namespace {

constexpr std::size_t kFewKeys = 24;  // are sorted by inserting one after the other

unsigned bits_below(std::size_t values) {
  return static_cast<unsigned>(std::bit_width(std::max<std::size_t>(values, 1) - 1));
}

// Bits of one digit: few keys do not pay for many counters.
unsigned most_digits(std::size_t size) { return size < 128 ? 6 : size < 1024 ? 8 : 11; }

void sort_by_inserting(std::uint32_t* keys, std::size_t size) {
  for (std::size_t i = 1; i < size; ++i) {
    const std::uint32_t key = keys[i];
    std::size_t at = i;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

}  // namespace

KeyLayout layout_of(const ExactData& data, std::span<const double> weights) {
  const double heaviest = *std::max_element(weights.begin(), weights.end());
  KeyLayout layout;
  layout.code_bits = std::max(1U, bits_below(data.classes));
  layout.tag_bits = layout.code_bits + bits_below(static_cast<std::size_t>(heaviest));
  return layout;
}

bool KeyLayout::fits(const RankedTable& table) const {
  for (std::size_t j = 0; j < table.cols(); ++j) {
    if (bits_below(table.column(j).ranks + 1) + tag_bits > 32) return false;
  }
  return true;
}

const std::uint32_t* KeySorter::sort(std::vector<std::uint32_t>& keys, std::size_t size,
                                     const KeyRange& range) {
  std::uint32_t* from = keys.data();
  if (size <= kFewKeys) {
    sort_by_inserting(from, size);
    return from;
  }
  const unsigned bits = bits_below(static_cast<std::size_t>(range.most - range.least) + 1);
  const unsigned most = most_digits(size);
  const unsigned passes = std::max(1U, (bits + most - 1) / most);
  const unsigned digits = (bits + passes - 1) / passes;
  const std::uint32_t mask = (1U << digits) - 1;
  const std::uint32_t base = range.least << range.tag_bits;
  other_.resize(std::max(other_.size(), keys.size()));
  counts_.resize(std::max<std::size_t>(counts_.size(), std::size_t{mask} + 1));
  std::uint32_t* to = other_.data();
  std::uint32_t* next = counts_.data();
  for (unsigned pass = 0; pass < passes; ++pass) {
    const unsigned shift = range.tag_bits + pass * digits;
    std::fill_n(next, mask + 1, 0U);
    for (std::size_t i = 0; i < size; ++i) ++next[((from[i] - base) >> shift) & mask];
    std::exclusive_scan(next, next + mask + 1, next, 0U);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t key = from[i];
      to[next[((key - base) >> shift) & mask]++] = key;
    }
    std::swap(from, to);
  }
  return from;
}

}  // namespace gradus
