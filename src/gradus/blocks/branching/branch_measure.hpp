// What a question of a branching tree is judged by, and how many branches it has.
#pragma once

#include <array>
#include <string_view>

namespace gradus {

// What a column is judged by.
enum class BranchMeasure { gain_ratio, gain, gini };
constexpr std::array<std::string_view, 3> enum_names(BranchMeasure) {
  return {"gain_ratio", "gain", "gini"};
}

// How many branches a category gets.
enum class NominalBranches { multiway, one_vs_rest, subset };
constexpr std::array<std::string_view, 3> enum_names(NominalBranches) {
  return {"multiway", "one_vs_rest", "subset"};
}

}  // namespace gradus
