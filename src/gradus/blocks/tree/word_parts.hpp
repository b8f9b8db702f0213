// What all trees in words have in common: how much is shown, how categories are listed, and how the
// way from the root to a node is written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gradus {

// What people and JSON readers can take: deeper or larger trees are shown in part, and say so.
inline constexpr std::size_t kShownDepth = 24;
inline constexpr std::size_t kShownNodes = 20000;
// Of a longer way to a node the last tests are told: else the words of a chain grow with its
// square.
inline constexpr std::size_t kShownWay = 64;

// Digits of a threshold in words; the exact number stands in the values beside them.
inline constexpr int kThresholdDigits = 6;

// "= red", "in {red, blue}", and of many the first few and how many more.
std::string category_test(std::vector<std::string> names);

// The nodes from below the root to `node`, or the last `most` of them; `parent` is by node minus
// root. What `skips(node)` is left out.
template <class Skips>
std::vector<std::size_t> way_to(std::size_t node, std::size_t root,
                                std::span<const std::size_t> parent, std::size_t most,
                                const Skips& skips) {
  std::vector<std::size_t> nodes;
  for (; node != root && nodes.size() < most; node = parent[node - root]) {
    if (!skips(node)) nodes.push_back(node);
  }
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

// The tests of a way of which up to one more node than is shown was asked for; "…" for the others.
template <class Test>
std::vector<std::string> shown_tests(std::span<const std::size_t> way, const Test& test) {
  std::vector<std::string> tests;
  if (way.size() > kShownWay) {
    tests.emplace_back("…");
    way = way.last(kShownWay);
  }
  for (const std::size_t node : way) tests.push_back(test(node));
  return tests;
}

// The tests on the way as a path: "tree/petal_width<=0.8/colour=red".
std::string tests_as_path(const std::vector<std::string>& tests);

// The same as a condition: joined by AND; "the root" when there is none.
std::string tests_as_condition(const std::vector<std::string>& tests);

}  // namespace gradus
