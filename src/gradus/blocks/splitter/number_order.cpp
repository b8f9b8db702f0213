#include "gradus/blocks/splitter/number_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/ordered_key.hpp"

namespace gradus {
namespace {

constexpr unsigned kItemBits = 64;
constexpr unsigned kOrderDigitBits = 11;
constexpr unsigned kMostPasses = 3;
constexpr std::size_t kOrderDigits = std::size_t{1} << kOrderDigitBits;
constexpr std::size_t kFewNumbers = 1024;  // below, comparing is quicker than counting digits

std::size_t order_digit(std::uint64_t item, unsigned shift) {
  return (item >> shift) & (kOrderDigits - 1);
}

}  // namespace

NumberOrder::NumberOrder(std::span<const double> numbers) : numbers_(numbers) {
  pack();
  if (items_.size() < kFewNumbers) {
    std::sort(items_.begin(), items_.end());
  } else {
    sort_digits();
  }
  if (whole_) return;
  for_each_run(row_bits_, [this](auto first, auto last) {
    const std::uint64_t rows = (std::uint64_t{1} << row_bits_) - 1;
    std::sort(first, last, [&](std::uint64_t a, std::uint64_t b) {
      const double x = numbers_[a & rows];
      const double y = numbers_[b & rows];
      return x < y || (x == y && a < b);
    });
  });
}

template <class Finish>
void NumberOrder::for_each_run(unsigned shift, Finish&& finish) {
  for (auto first = items_.begin(); first != items_.end();) {
    auto last = first + 1;
    while (last != items_.end() && (*last ^ *first) >> shift == 0) ++last;
    if (last - first > 1) finish(first, last);
    first = last;
  }
}

void NumberOrder::pack() {
  std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t any = 0;
  std::size_t count = 0;
  for (const double number : numbers_) {
    if (std::isnan(number)) continue;
    const std::uint64_t key = ordered_key(number);
    all &= key;
    any |= key;
    ++count;
  }
  if (count == 0) return;
  GRADUS_ASSERT(numbers_.size() - 1 <= std::numeric_limits<std::uint32_t>::max());
  row_bits_ = static_cast<unsigned>(std::bit_width(numbers_.size() - 1));
  const std::uint64_t varying = any & ~all;
  const auto same_below = static_cast<unsigned>(varying == 0 ? 0 : std::countr_zero(varying));
  const auto varying_bits = static_cast<unsigned>(std::bit_width(varying)) - same_below;
  number_bits_ = std::min(varying_bits, kItemBits - row_bits_);
  whole_ = number_bits_ == varying_bits;
  // Bits above those that vary are shifted out, or the same in all items.
  const unsigned dropped = same_below + varying_bits - number_bits_;
  items_.reserve(count);
  for (std::size_t row = 0; row < numbers_.size(); ++row) {
    if (std::isnan(numbers_[row])) continue;
    items_.push_back((ordered_key(numbers_[row]) >> dropped) << row_bits_ | row);
  }
}

// Least significant digit first.
void NumberOrder::sort_digits() {
  const unsigned passes =
      std::min(kMostPasses, (number_bits_ + kOrderDigitBits - 1) / kOrderDigitBits);
  const unsigned sorted_bits = std::min(number_bits_, passes * kOrderDigitBits);
  const unsigned lowest = row_bits_ + number_bits_ - sorted_bits;
  std::array<std::array<std::uint32_t, kOrderDigits>, kMostPasses> places = {};
  for (const std::uint64_t item : items_) {
    for (unsigned p = 0; p < passes; ++p) {
      ++places[p][order_digit(item, lowest + p * kOrderDigitBits)];
    }
  }
  std::vector<std::uint64_t> moved(items_.size());
  for (unsigned p = 0; p < passes; ++p) {
    std::uint32_t place = 0;
    for (std::uint32_t& count : places[p]) place += std::exchange(count, place);
    for (const std::uint64_t item : items_) {
      moved[places[p][order_digit(item, lowest + p * kOrderDigitBits)]++] = item;
    }
    items_.swap(moved);
  }
  if (sorted_bits < number_bits_) {
    for_each_run(lowest, [](auto first, auto last) { std::sort(first, last); });
  }
}

}  // namespace gradus
