#include "gradus/evaluate/radix_sort.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr unsigned kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr std::size_t kSmall = 4096;             // below, a comparison sort is quicker
constexpr std::size_t kSmallestBlock = 1 << 16;  // keys of a block: its counts must pay

using Counts = std::array<std::size_t, kDigits>;

std::size_t digit(std::uint64_t key, unsigned shift) { return (key >> shift) & (kDigits - 1); }

void sort_small(std::vector<std::uint64_t>& keys, std::vector<double>& values) {
  if (values.empty()) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  std::vector<std::uint64_t> sorted_keys(keys.size());
  std::vector<double> sorted_values(keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted_keys[i] = keys[order[i]];
    sorted_values[i] = values[order[i]];
  }
  keys.swap(sorted_keys);
  values.swap(sorted_values);
}

// The bits in which any two keys differ.
std::uint64_t varying_bits(const std::vector<std::uint64_t>& keys) {
  std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t any = 0;
  for (const std::uint64_t key : keys) {
    all &= key;
    any |= key;
  }
  return any & ~all;
}

class Sorter {
 public:
  Sorter(std::vector<std::uint64_t>& keys, std::vector<double>& values, const Context& context)
      : keys_(keys),
        values_(values),
        context_(context),
        block_(parallel::reduction_block(keys.size(), kSmallestBlock)),
        counts_(parallel::block_count(keys.size(), block_)),
        other_keys_(keys.size()),
        other_values_(values.size()) {}

  void pass(unsigned shift) {
    parallel::for_each_block(context_, keys_.size(), block_, [&](parallel::Block block) {
      Counts& counts = counts_[block.index];
      counts.fill(0);
      for (std::size_t i = block.begin; i < block.end; ++i) ++counts[digit(keys_[i], shift)];
    });
    turn_counts_into_places();
    parallel::for_each_block(context_, keys_.size(), block_, [&](parallel::Block block) {
      Counts& places = counts_[block.index];
      for (std::size_t i = block.begin; i < block.end; ++i) {
        const std::size_t to = places[digit(keys_[i], shift)]++;
        other_keys_[to] = keys_[i];
        if (!values_.empty()) other_values_[to] = values_[i];
      }
    });
    keys_.swap(other_keys_);
    values_.swap(other_values_);
  }

 private:
  void turn_counts_into_places() {
    std::size_t place = 0;
    for (std::size_t d = 0; d < kDigits; ++d) {
      for (Counts& counts : counts_) {
        const std::size_t count = counts[d];
        counts[d] = place;
        place += count;
      }
    }
  }

  std::vector<std::uint64_t>& keys_;
  std::vector<double>& values_;
  const Context& context_;
  std::size_t block_;
  std::vector<Counts> counts_;
  std::vector<std::uint64_t> other_keys_;
  std::vector<double> other_values_;
};

}  // namespace

void radix_sort(std::vector<std::uint64_t>& keys, std::vector<double>& values,
                const Context& context) {
  GRADUS_ASSERT(values.empty() || values.size() == keys.size());
  if (keys.size() < kSmall) return sort_small(keys, values);
  const std::uint64_t varying = varying_bits(keys);
  Sorter sorter(keys, values, context);
  for (unsigned shift = 0; shift < 64; shift += kDigitBits) {
    if (digit(varying, shift) != 0) sorter.pass(shift);
  }
}

}  // namespace gradus
