#include "gradus/blocks/tree/level_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gradus/blocks/tree/word_parts.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

std::string_view last_level_below(const FeatureName& name, double threshold) {
  const auto last = static_cast<double>(name.order.size()) - 1;
  return name.order[static_cast<std::size_t>(std::clamp(threshold, 0.0, last))];
}

std::string cut_test(const FeatureName& name, std::string_view sign, double threshold) {
  // A question that every value answers with yes tells them from missing ones.
  const double last = name.order.empty() ? std::numeric_limits<double>::max()
                                         : static_cast<double>(name.order.size()) - 1;
  if (threshold >= last) return sign == "<=" ? "is not missing" : "is missing";
  if (name.order.empty()) {
    return fmt::format("{} {}", sign, readable(threshold, kThresholdDigits));
  }
  return fmt::format("{} {}", sign, last_level_below(name, threshold));
}

std::string number_in_words(const FeatureName& name, double number) {
  const std::span<const std::string> levels = name.nominal ? name.levels : name.order;
  if (number >= 0 && number < static_cast<double>(levels.size())) {
    return levels[static_cast<std::size_t>(number)];
  }
  return readable(number, kThresholdDigits);
}

}  // namespace gradus
