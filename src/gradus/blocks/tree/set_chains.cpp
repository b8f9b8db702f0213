#include "gradus/blocks/tree/set_chains.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

namespace gradus {
namespace {

constexpr std::size_t kLongest = 254;  // codes 0 to 254; 255 is for what is missing

using Words = std::vector<std::uint32_t>;

// Sets of one feature with equal levels are one, wherever they stand.
using SetsOfFeature = std::map<Words, std::vector<std::int32_t>>;

Words words_of(const Trees& trees, std::int32_t set) {
  Words words = trees.words_of(set);
  while (!words.empty() && words.back() == 0) words.pop_back();
  return words;
}

std::map<std::int32_t, SetsOfFeature> sets_by_feature(const Trees& trees) {
  std::set<std::pair<std::int32_t, std::int32_t>> seen;
  std::map<std::int32_t, SetsOfFeature> out;
  for (std::size_t node = 0; node < trees.nodes(); ++node) {
    if (trees.is_leaf(node) || trees.set[node] == Trees::kNoSet) continue;
    if (!seen.emplace(trees.feature[node], trees.set[node]).second) continue;
    out[trees.feature[node]][words_of(trees, trees.set[node])].push_back(trees.set[node]);
  }
  return out;
}

std::size_t levels_in(const Words& words) {
  std::size_t count = 0;
  for (const std::uint32_t word : words) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

bool contains(const Words& large, const Words& small) {
  if (small.size() > large.size()) return false;
  for (std::size_t w = 0; w < small.size(); ++w) {
    if ((small[w] & ~large[w]) != 0) return false;
  }
  return true;
}

// Sets of which each contains the one before it.
using Nested = std::vector<const Words*>;

// The first chain that can go on with the set, or their number.
std::size_t place_for(const Words& words, const std::vector<Nested>& chains) {
  const auto fits = std::find_if(chains.begin(), chains.end(), [&](const Nested& chain) {
    return chain.size() < kLongest && contains(words, *chain.back());
  });
  return static_cast<std::size_t>(fits - chains.begin());
}

SetChain coded(std::int32_t feature, const Nested& sets) {
  SetChain chain{static_cast<std::size_t>(feature), {}, static_cast<std::uint8_t>(sets.size())};
  chain.code_of_level.assign(sets.back()->size() * 32, chain.in_none);
  for (std::size_t k = sets.size(); k-- > 0;) {
    const Words& words = *sets[k];
    for (std::size_t level = 0; level < words.size() * 32; ++level) {
      if (((words[level / 32] >> (level % 32)) & 1U) != 0) {
        chain.code_of_level[level] = static_cast<std::uint8_t>(k);
      }
    }
  }
  return chain;
}

}  // namespace

SetChains::SetChains(const Trees& trees, std::size_t most_chains) {
  for (const auto& [feature, sets] : sets_by_feature(trees)) {
    std::vector<const SetsOfFeature::value_type*> by_size;
    for (const auto& one : sets) by_size.push_back(&one);
    std::stable_sort(by_size.begin(), by_size.end(), [](const auto* a, const auto* b) {
      return levels_in(a->first) < levels_in(b->first);
    });
    std::vector<Nested> growing;
    for (const auto* one : by_size) {
      const std::size_t at = place_for(one->first, growing);
      if (at == growing.size()) {
        if (chains_.size() + growing.size() == most_chains) continue;
        growing.emplace_back();
      }
      const Place place{static_cast<std::uint32_t>(chains_.size() + at),
                        static_cast<std::uint8_t>(growing[at].size())};
      growing[at].push_back(&one->first);
      for (const std::int32_t set : one->second) places_.emplace(key_of(feature, set), place);
    }
    for (const Nested& chain : growing) chains_.push_back(coded(feature, chain));
  }
}

}  // namespace gradus
