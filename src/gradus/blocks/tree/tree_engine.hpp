// Trees as they are asked, not as they are kept: the fast way through many trees of few leaves.
//
// The thresholds of a feature, over all trees, are sorted once; a row becomes one byte per feature,
// the number of thresholds below its value, and `x <= threshold` becomes a comparison of bytes. The
// leaf of a tree is then found for many rows together (simd/leaf_masks.hpp); for a few rows, eight
// trees of like depth are walked side by side through nodes of four bytes, so that the processor
// waits for eight loads at once. A step takes six instructions, four of them loads, and a tree of
// 31 leaves some ten steps: 500 of them take at least 7000 cycles where a cycle has three loads.
// Where no tree has more than 32 leaves, no more than 32 columns are asked for and nothing is
// missing, all questions of a tree are answered at once instead (simd/byte_trees.hpp), which takes
// some thirty instructions.
// Questions for categories become comparisons of bytes as well where their sets contain each other
// (set_chains.hpp). Trees of more than 64 leaves, and those with other questions for categories,
// are walked as before. Answers are the same bytes as those of Trees::add_values: the same leaves,
// added in the same order.
//
//   const TreeEngine engine(trees, features);
//   engine.add_values(rows, outputs, out);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gradus/blocks/tree/set_chains.hpp"
#include "gradus/blocks/tree/trees.hpp"
#include "gradus/simd/byte_trees.hpp"
#include "gradus/simd/leaf_masks.hpp"

namespace gradus {

class TreeEngine {
 public:
  // `trees` must outlive the engine; their width is 1.
  TreeEngine(const Trees& trees, std::size_t features);

  void add_values(const RowBlock& rows, std::size_t outputs, double* out) const;

 private:
  enum class Way : std::uint8_t { walk, narrow, wide };

  struct Plan {
    Way way = Way::walk;
    std::uint32_t first_test = 0;  // in narrow_ or wide_
    std::uint32_t tests = 0;
    std::uint32_t first_value = 0;
    std::uint32_t first_step = 0;  // in steps_
    std::uint32_t depth = 0;
  };

  // A node for walking: `ahead` nodes on, or one more when the code of the column is above `code`.
  // A leaf stays where it is, so that trees of different depths walk side by side.
  struct Step {
    std::uint16_t column = 0;
    std::uint8_t code = 0;
    std::uint8_t ahead = 0;  // how far its yes-child is; at most 2 * 64
  };

  static constexpr std::size_t kLanes = 8;  // trees that are walked side by side

  struct Party {
    std::array<std::uint32_t, kLanes> tree = {};        // within its chunk; the last may repeat
    std::array<std::uint32_t, kLanes> first_step = {};  // in steps_
    std::uint32_t depth = 0;                            // of the deepest
  };

  // A column is a feature, or a chain of sets: they come behind all features. The codes of a block,
  // with missing values above all others and, for questions that send them left, below all others.
  struct Codes {
    std::vector<std::uint8_t> bytes;
    std::vector<const std::uint8_t*> columns;  // 2 j: missing high; 2 j + 1: missing low
  };

  void sort_thresholds(std::size_t features);
  bool plan_tree(std::size_t tree);
  void add_steps(std::size_t tree);
  std::uint32_t code_of(std::size_t node) const;
  std::uint32_t column_of(std::size_t node) const;
  void encode_column(std::size_t column, const RowBlock& rows, std::uint8_t* codes) const;
  // `length` places for each column, at least as many as there are rows.
  void encode(const RowBlock& rows, std::size_t length, Codes& codes) const;
  void encode_row(const double* row, std::uint8_t* codes) const;
  void add_row(const double* row, std::size_t outputs, double* out) const;
  void make_byte_trees();
  bool add_row_by_bytes(const double* row, std::size_t outputs, double* out) const;
  void form_parties();
  template <std::size_t... Lane>
  void walk(const Party& party, const std::uint8_t* codes, double* values,
            std::index_sequence<Lane...> lanes) const;

  std::uint8_t code_in(std::size_t column, const double* row) const;

  const Trees& trees_;
  std::size_t features_;
  SetChains chains_;
  std::vector<double> edges_;           // feature x 255, padded with infinity
  std::vector<bool> encodable_;         // feature: at most 254 thresholds
  std::vector<std::uint8_t> halvings_;  // feature: until one of its codes is left
  std::vector<bool> asked_;             // column: some planned tree asks for it
  std::vector<std::uint32_t> asked_columns_;
  std::vector<Plan> plans_;
  std::vector<simd::LeafTest<std::uint32_t>> narrow_;
  std::vector<simd::LeafTest<std::uint64_t>> wide_;
  std::vector<double> values_;              // of the leaves, from left to right
  std::vector<simd::ByteTree> byte_trees_;  // all trees; empty when they do not suit
  std::vector<Step> steps_;
  std::vector<double> step_values_;      // of the nodes of steps_
  std::vector<Party> parties_;           // chunk after chunk
  std::vector<std::size_t> party_ends_;  // chunk: where its parties end
};

}  // namespace gradus
