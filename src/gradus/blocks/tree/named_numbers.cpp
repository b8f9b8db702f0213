#include "gradus/blocks/tree/named_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

[[noreturn]] void refuse(const NamedNumbers& wanted, const std::string& message,
                         const std::string& hint) {
  throw Error(ErrorKind::usage, fmt::format("--{}", wanted.parameter), message, hint);
}

}  // namespace

std::vector<double> numbers_by_name(std::span<const std::string> items,
                                    const NamedNumbers& wanted) {
  std::vector<double> numbers(wanted.names.size(), wanted.otherwise);
  std::vector<bool> given(wanted.names.size(), false);
  for (const std::string& item : items) {
    // The last sign parts: a name may hold one itself.
    const std::size_t sign = item.rfind('=');
    const std::string name = item.substr(0, sign);
    const auto number =
        sign == std::string::npos ? std::nullopt : parse_number(item.substr(sign + 1));
    if (!number || !std::isfinite(*number) || *number <= 0) {
      refuse(wanted,
             fmt::format("{} must be a list of name=number with numbers above 0 (got {})",
                         wanted.parameter, in_quotes(item)),
             fmt::format("write {}=5", sign == std::string::npos ? wanted.noun : name));
    }
    const auto at = std::find(wanted.names.begin(), wanted.names.end(), name);
    if (at == wanted.names.end()) {
      refuse(wanted, fmt::format("there is no {} {}", wanted.noun, in_quotes(name)),
             did_you_mean(name, wanted.names));
    }
    const auto index = static_cast<std::size_t>(at - wanted.names.begin());
    if (given[index]) {
      refuse(wanted, fmt::format("{} {} is given twice", wanted.noun, in_quotes(name)), {});
    }
    given[index] = true;
    numbers[index] = *number;
  }
  return numbers;
}

}  // namespace gradus
