// Which of many things that were judged a page shows: all of a few, of many only the best, and then
// it says so.
//
//   for (const std::size_t i : shown_of_many(gains)) ...
//   step.text += best_only({"143 of age"});   // " Of many that were tried the 10 best are listed:
//   ..."
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gradus {

inline constexpr std::size_t kAllShown = 50;
inline constexpr std::size_t kBestShown = 10;

// The places of what is shown: all in their order, or the best first.
std::vector<std::size_t> shown_of_many(std::span<const double> worth);

// A sentence with a blank before it that says how many there were of what; empty for nothing.
std::string best_only(std::vector<std::string> of);

}  // namespace gradus
