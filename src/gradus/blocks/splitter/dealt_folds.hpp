// Folds that are dealt like cards: the same rows whatever their order, and equal rows together.
//
// The distinct rows, in the order of their target and then of their columns, go to the folds in
// turn. So every fold gets its share of every class and of every range of numbers, a row that is
// written twice is never on both sides, and a whole weight means a row written that often. No
// random number is drawn.
//
//   const std::vector<std::uint32_t> fold = deal_folds(data, 10);      // row -> 0 ... 9
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/ranked_table.hpp"

namespace gradus {

struct DealtData {
  const RankedTable& table;
  std::span<const std::int32_t> codes = {};  // one of the two targets is empty
  std::span<const double> numbers = {};
  std::span<const double> weights = {};  // rows of weight 0 are not dealt: fold 0
};

std::vector<std::uint32_t> deal_folds(const DealtData& data, std::size_t folds);

}  // namespace gradus
