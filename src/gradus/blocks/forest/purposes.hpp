// What the random streams of one forest's seed are for.
#pragma once

#include <cstdint>

namespace gradus::forest_purpose {

inline constexpr std::uint32_t kRows = 1;     // item: the tree
inline constexpr std::uint32_t kColumns = 2;  // item: the tree
inline constexpr std::uint32_t kShuffle = 3;  // item: the tree

}  // namespace gradus::forest_purpose
