// A row of a node in one number: its rank in a column above its weight above its class.
//
//   key = rank << tag_bits | (weight − 1) << code_bits | class
//
// The tag, all but the rank, is the same for every column. Sorting keys sorts by rank; with whole
// weights nothing depends on the order of rows of one rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/ranked_table.hpp"

namespace gradus {

struct ExactData;

struct KeyLayout {
  unsigned code_bits = 1;
  unsigned tag_bits = 1;

  std::uint32_t tag(std::uint32_t code, std::uint32_t weight) const {
    return ((weight - 1) << code_bits) | code;
  }
  std::uint32_t rank(std::uint32_t key) const { return key >> tag_bits; }
  std::uint32_t code(std::uint32_t key) const { return key & ((1U << code_bits) - 1); }
  std::uint32_t whole_weight(std::uint32_t key) const {
    return ((key & ((1U << tag_bits) - 1)) >> code_bits) + 1;
  }
  bool unit_weights() const { return tag_bits == code_bits; }
  // Whether the ranks of every column fit above the tag.
  bool fits(const RankedTable& table) const;
};

// The least bits for these classes and weights; all weights must be whole and below 2^31.
KeyLayout layout_of(const ExactData& data, std::span<const double> weights);

// Which digits of the keys are sorted by.
struct KeyRange {
  unsigned tag_bits = 0;
  std::uint32_t least = 0;  // rank
  std::uint32_t most = 0;
};

// Sorts keys by rank with memory that is kept between calls.
class KeySorter {
 public:
  // The sorted keys: in `keys` or in memory of the sorter.
  const std::uint32_t* sort(std::vector<std::uint32_t>& keys, std::size_t size,
                            const KeyRange& range);

 private:
  std::vector<std::uint32_t> other_;
  std::vector<std::uint32_t> counts_;
};

// Sums of the two sides of a cut, as Gini's impurity needs them.
struct Squares {
  double left_weight = 0;
  double right_weight = 0;
  double left = 0;  // Σ counts²
  double right = 0;

  // W_L·I(L) + W_R·I(R)
  double rest() const {
    return (left_weight - left / left_weight) + (right_weight - right / right_weight);
  }
  double score() const { return left / left_weight + right / right_weight; }
};

}  // namespace gradus
