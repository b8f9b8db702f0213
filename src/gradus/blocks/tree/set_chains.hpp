// Questions for categories as comparisons of small numbers.
//
// Trees that order the levels of a column by one statistic and cut the order at many places ask for
// sets that contain each other, S0 < S1 < S2 …. Such a chain is one column of codes: a level's code
// is how many sets of the chain it is not in, and
//   level in Sk  <=>  code(level) <= k.
// Sets that fit no chain begin one of their own, as long as there is room for more chains.
//
//   const SetChains chains(trees, 255);
//   if (const auto at = chains.find(trees, node)) left = chains[at->chain].code(x) <= at->code;
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gradus/blocks/tree/trees.hpp"

namespace gradus {

struct SetChain {
  std::size_t feature = 0;
  std::vector<std::uint8_t> code_of_level = {};
  std::uint8_t in_none = 0;  // the code of whatever is in no set

  // Of a value that is not missing; as in Trees, what is no known level is in no set.
  std::uint8_t code(double x) const {
    return x >= 0 && x < static_cast<double>(code_of_level.size())
               ? code_of_level[static_cast<std::size_t>(x)]
               : in_none;
  }
};

class SetChains {
 public:
  struct Place {
    std::uint32_t chain = 0;
    std::uint8_t code = 0;
  };

  SetChains() = default;
  SetChains(const Trees& trees, std::size_t most_chains);

  std::size_t size() const { return chains_.size(); }
  const SetChain& operator[](std::size_t chain) const { return chains_[chain]; }
  // Where the set of a node that asks for one stands, if it has found room.
  std::optional<Place> find(const Trees& trees, std::size_t node) const {
    const auto found = places_.find(key_of(trees.feature[node], trees.set[node]));
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  // Nothing forbids that two features ask for the same set.
  static std::uint64_t key_of(std::int32_t feature, std::int32_t set) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(feature)) << 32U |
           static_cast<std::uint32_t>(set);
  }

  std::vector<SetChain> chains_;
  std::unordered_map<std::uint64_t, Place> places_;
};

}  // namespace gradus
