#include "gradus/data/level_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/number.hpp"

namespace gradus {

std::vector<std::uint32_t> level_order(std::span<const std::string_view> texts) {
  struct Key {
    double number;
    std::string_view text;
    std::uint32_t index;
    bool operator<(const Key& other) const {
      return number != other.number ? number < other.number : text < other.text;
    }
  };
  std::vector<Key> keys;
  keys.reserve(texts.size());
  for (const std::string_view text : texts) {
    const std::optional<double> number = parse_number(text);
    const bool usable = number && std::isfinite(*number);
    keys.push_back({usable ? *number : std::numeric_limits<double>::infinity(), text,
                    static_cast<std::uint32_t>(keys.size())});
  }
  // Dates and identifiers often come sorted.
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key.index);
  return order;
}

}  // namespace gradus
