#include "gradus/core/number.hpp"

#include <fast_float/fast_float.h>

namespace gradus {

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) return std::nullopt;
  }
  if (text.empty()) return std::nullopt;
  double number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = fast_float::from_chars(text.data(), end, number);
  // A result out of range is delivered as 0 or infinity, already rounded as IEEE asks.
  if (parsed.ec == std::errc::invalid_argument || parsed.ptr != end) return std::nullopt;
  return number;
}

}  // namespace gradus
