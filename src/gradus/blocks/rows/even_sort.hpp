// Sorting by numbers that are spread evenly over 64 bits, such as hashes and random draws.
//
// Their highest bits alone share the items out to parts of a few each; what is left to compare is
// little. Equal items may be many: they end up in one part, which is sorted as usual. The result is
// that of std::sort wherever `<` tells all items apart.
//
//   sort_evenly(draws, [](const Draw& d) { return d.number; }, context);
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {

// `bits_of(item)` is what `<` compares first.
template <class Item, class BitsOf>
void sort_evenly(std::vector<Item>& items, const BitsOf& bits_of, const Context& context) {
  constexpr std::size_t kInPart = 8;
  constexpr std::size_t kPartsTogether = 2048;
  const std::size_t parts = std::bit_ceil(items.size() / kInPart + 2);
  const int shift = 64 - std::countr_zero(parts);
  std::vector<std::size_t> begin(parts + 1, 0);
  for (const Item& item : items) ++begin[(bits_of(item) >> shift) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Item> sorted(items.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const Item& item : items) sorted[next[bits_of(item) >> shift]++] = item;
  parallel::for_each_block(context, parts, kPartsTogether, [&](parallel::Block block) {
    for (std::size_t part = block.begin; part < block.end; ++part) {
      std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin[part]),
                sorted.begin() + static_cast<std::ptrdiff_t>(begin[part + 1]));
    }
  });
  items.swap(sorted);
}

}  // namespace gradus
