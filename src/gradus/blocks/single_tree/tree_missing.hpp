// What a single tree does about missing values.
#pragma once

#include <array>
#include <string_view>

namespace gradus {

// Where rows go whose value is missing: to the side that it helps most, tried with every question;
// to the larger side, questions being searched among known values; or where the value goes that
// fills the cell before the tree is grown (blocks/branching/fill_table.hpp).
enum class TreeMissing { tried, larger_side, mean, nearest, similar_target, remove };
constexpr std::array<std::string_view, 6> enum_names(TreeMissing) {
  return {"tried", "larger_side", "mean", "nearest", "similar_target", "delete"};
}

}  // namespace gradus
