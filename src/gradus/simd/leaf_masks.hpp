// Which leaves of a small tree many rows can still reach, question by question.
//
// The leaves of a tree, from left to right, are the bits of a word. A question that a row answers
// with no rules out the leaves below its yes-child: their bits are cleared. When all questions have
// been asked, in any order, the lowest bit that is left is the row's leaf (Lucchese et al. 2015).
// No branch depends on the data, and a register holds several rows.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

// Rows whose code in `column` is above `code` answer no.
template <class Mask>
struct LeafTest {
  std::uint32_t column = 0;
  std::uint32_t code = 0;  // at most 255
  Mask clear = 0;          // the leaves below the yes-child
};

// masks[row] = the leaves that are left of all after `count` questions, for rows [0, rows).
// `columns[c]` points to the codes of column c, one byte per row.
void leaf_masks(const LeafTest<std::uint32_t>* tests, std::size_t count,
                const std::uint8_t* const* columns, std::size_t rows, std::uint32_t* masks);
void leaf_masks(const LeafTest<std::uint64_t>* tests, std::size_t count,
                const std::uint8_t* const* columns, std::size_t rows, std::uint64_t* masks);

// The rows that go through the questions together on this machine, a power of two up to 64; those
// beyond a multiple of it are taken one by one, which is many times as slow.
std::size_t leaf_mask_rows();

namespace scalar {
void leaf_masks(const LeafTest<std::uint32_t>* tests, std::size_t count,
                const std::uint8_t* const* columns, std::size_t rows, std::uint32_t* masks);
void leaf_masks(const LeafTest<std::uint64_t>* tests, std::size_t count,
                const std::uint8_t* const* columns, std::size_t rows, std::uint64_t* masks);
}  // namespace scalar

}  // namespace gradus::simd
