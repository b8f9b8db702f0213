// One row through many small trees: all questions of a tree are answered at once.
//
// A tree of at most 32 leaves asks at most 31 questions, a byte each: is the code of a column above
// this one? One register holds the codes of all columns, another looks up the column of every
// question, a third compares. A question that is answered with no rules out the leaves below its
// yes-child (leaf_masks.hpp), and the lowest leaf that is left is the row's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

inline constexpr std::size_t kByteColumns = 32;
inline constexpr std::size_t kByteTests = 32;

// Codes are signed here, 128 less than they are: comparing those is what every processor can.
using ByteCode = std::int8_t;
inline ByteCode byte_code(std::uint32_t code) {
  return static_cast<ByteCode>(static_cast<std::int32_t>(code) - 128);
}

// Questions that are not used clear nothing.
struct alignas(64) ByteTree {
  std::uint8_t column[kByteTests] = {};
  ByteCode code[kByteTests] = {};
  std::uint32_t clear[kByteTests] = {};  // the leaves below the yes-child
};

// leaves[t] = the leaf of the row with these codes (as many as kByteColumns) in each of the trees.
void byte_leaves(const ByteTree* trees, std::size_t count, const ByteCode* codes,
                 std::uint8_t* leaves);

// Whether this machine looks bytes up fast enough; else a walk from node to node is faster.
bool byte_trees_pay();

namespace scalar {
void byte_leaves(const ByteTree* trees, std::size_t count, const ByteCode* codes,
                 std::uint8_t* leaves);
}  // namespace scalar

}  // namespace gradus::simd
