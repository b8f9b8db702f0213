// Parallel loops whose result does not depend on the number of threads.
//
// Three rules make that so: the split into blocks depends on the size of the work alone, every
// block writes to its own slot, and slots are combined in their order. This is the only folder that
// knows the threading library (oneTBB). Nested calls share one arena and never oversubscribe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "gradus/core/context.hpp"

namespace gradus::parallel {

struct Block {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t index = 0;
  std::size_t size() const { return end - begin; }
};

// Runs `body(i)` for i in [0, count). Exceptions pass through (the one of the lowest index).
// Checks for cancellation before each call.
void for_each_index(const Context& context, std::size_t count,
                    const std::function<void(std::size_t)>& body);

inline std::size_t block_count(std::size_t size, std::size_t block_size) {
  return (size + block_size - 1) / block_size;
}

// Runs `body(Block)` over [0, size) in blocks of fixed length.
template <class Body>
void for_each_block(const Context& context, std::size_t size, std::size_t block_size, Body&& body) {
  for_each_index(context, block_count(size, block_size), [&](std::size_t index) {
    const std::size_t begin = index * block_size;
    body(Block{begin, std::min(begin + block_size, size), index});
  });
}

// `result[i] = body(i)`, in parallel.
template <class T, class Body>
std::vector<T> map_slots(const Context& context, std::size_t count, Body&& body) {
  std::vector<T> slots(count);
  for_each_index(context, count, [&](std::size_t index) { slots[index] = body(index); });
  return slots;
}

// The same for units of one work, each whole by itself: when the work ends early
// (Context::ends_here), the first of them. Which ones are there never depends on threads; how many
// does, as it does on the clock.
template <class T, class Body>
std::vector<T> map_units(const Context& context, std::string_view unit, std::size_t count,
                         Body&& body) {
  if (context.partial == nullptr) return map_slots<T>(context, count, body);
  // Few enough that the user need not wait for long, and enough to keep all threads at work.
  const std::size_t together = 2 * static_cast<std::size_t>(resolve_threads(context));
  std::vector<T> units;
  while (units.size() < count) {
    context.report(unit, units.size(), count);
    if (context.ends_here(unit, units.size(), count)) break;
    const std::size_t begin = units.size();
    std::vector<T> some = map_slots<T>(context, std::min(together, count - begin),
                                       [&](std::size_t i) { return body(begin + i); });
    for (T& one : some) units.push_back(std::move(one));
  }
  return units;
}

// Blocks of a reduction: long enough to pay for a partial result, at most `kMaxPartials` of them.
inline constexpr std::size_t kMaxPartials = 64;
inline std::size_t reduction_block(std::size_t size, std::size_t smallest) {
  return std::max(smallest, block_count(size, kMaxPartials));
}

// Folds `body(Block) -> T` over [0, size) from left to right with `combine(T& total, T&& part)`.
// The result is the same for 1, 2 or 64 threads, because blocks and order are fixed.
template <class T, class Body, class Combine>
T reduce_ordered(const Context& context, std::size_t size, std::size_t smallest_block, Body&& body,
                 Combine&& combine) {
  const std::size_t length = reduction_block(size, smallest_block);
  std::vector<T> parts(block_count(size, length));
  for_each_block(context, size, length, [&](Block block) { parts[block.index] = body(block); });
  if (parts.empty()) return T{};
  T total = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) combine(total, std::move(parts[i]));
  return total;
}

}  // namespace gradus::parallel
