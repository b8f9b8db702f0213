#include "gradus/blocks/tree/word_parts.hpp"

#include <fmt/format.h>

#include <string_view>

#include "gradus/core/text.hpp"

namespace gradus {
namespace {

constexpr std::size_t kShownNames = 12;

}  // namespace

std::string category_test(std::vector<std::string> names) {
  if (names.size() == 1) return "= " + names.front();
  if (names.size() > kShownNames) {
    const std::size_t more = names.size() - kShownNames;
    names.resize(kShownNames);
    names.push_back(fmt::format("{} more", more));
  }
  return fmt::format("in {{{}}}", join(names, ", "));
}

std::string tests_as_path(const std::vector<std::string>& tests) {
  std::string out = "tree";
  for (std::string step : tests) {
    // "a <= 1" becomes "a<=1": a step of a path has no blanks around its sign.
    for (const std::string_view sign : {" <= ", " > ", " = "}) {
      const std::size_t at = step.find(sign);
      if (at != std::string::npos) step.replace(at, sign.size(), sign.substr(1, sign.size() - 2));
    }
    out += "/" + step;
  }
  return out;
}

std::string tests_as_condition(const std::vector<std::string>& tests) {
  return tests.empty() ? "the root" : join(tests, " AND ");
}

}  // namespace gradus
