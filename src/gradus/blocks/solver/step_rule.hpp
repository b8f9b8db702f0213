// The choices of descent.hpp as parameters of learners: light to include.
#pragma once

#include <array>
#include <string_view>

namespace gradus {

enum class StepRule { backtracking, constant, falling };
constexpr std::array<std::string_view, 3> enum_names(StepRule) {
  return {"backtracking", "constant", "falling"};
}

enum class Update { plain, momentum, adagrad, adam };
constexpr std::array<std::string_view, 4> enum_names(Update) {
  return {"plain", "momentum", "adagrad", "adam"};
}

}  // namespace gradus
