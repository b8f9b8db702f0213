// The rows of a column in the order of their numbers.
//
// A row and as much of its number as fits beside it are one whole number of 64 bits: the bits that
// are the same in all numbers of the column say nothing, and the first of the others say nearly
// everything. These are sorted by their upper 33 bits, 11 at a time, without comparing; the few
// that agree in them are then compared. Rows of the same number stand in their order.
//
//   const NumberOrder order(numbers);
//   order.row(0), order.number(0)     // the least number and where it stands
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gradus {

// Numbers that are missing have no place in the order.
class NumberOrder {
 public:
  explicit NumberOrder(std::span<const double> numbers);

  std::size_t size() const { return items_.size(); }
  std::uint32_t row(std::size_t i) const {
    return static_cast<std::uint32_t>(items_[i] & ((std::uint64_t{1} << row_bits_) - 1));
  }
  // Of zeros, the positive one.
  double number(std::size_t i) const { return numbers_[row(i)] + 0.0; }

 private:
  void pack();
  void sort_digits();
  // Runs `finish(first, last)` over neighbours that agree in the bits from `shift` on.
  template <class Finish>
  void for_each_run(unsigned shift, Finish&& finish);

  std::span<const double> numbers_;
  std::vector<std::uint64_t> items_;
  unsigned row_bits_ = 0;     // the lower ones of an item: its row
  unsigned number_bits_ = 0;  // those above: of its number
  bool whole_ = true;         // whether these say everything about the numbers
};

}  // namespace gradus
