// What all trees in words have in common: how much is shown, how categories are listed, and how the
// way from the root to a node is written.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gradus {

// What people and JSON readers can take: deeper or larger trees are shown in part, and say so.
inline constexpr std::size_t kShownDepth = 24;
inline constexpr std::size_t kShownNodes = 20000;

// Digits of a threshold in words; the exact number stands in the values beside them.
inline constexpr int kThresholdDigits = 6;

// "= red", "in {red, blue}", and of many the first few and how many more.
std::string category_test(std::vector<std::string> names);

// The nodes from below the root to `node`; `parent` is by node minus root.
std::vector<std::size_t> way_to(std::size_t node, std::size_t root,
                                std::span<const std::size_t> parent);

// The tests on the way as a path: "tree/petal_width<=0.8/colour=red".
std::string tests_as_path(const std::vector<std::string>& tests);

// The same as a condition: joined by AND; "the root" when there is none.
std::string tests_as_condition(const std::vector<std::string>& tests);

}  // namespace gradus
