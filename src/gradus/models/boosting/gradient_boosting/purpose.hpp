// What the random streams of one seed are for; a number is never used for two things.
#pragma once

#include <cstdint>

namespace gradus {

inline constexpr std::uint32_t kHoldOutPurpose = 1;
inline constexpr std::uint32_t kRowsPurpose = 2;
inline constexpr std::uint32_t kColumnsPurpose = 3;
inline constexpr std::uint32_t kDropPurpose = 4;
inline constexpr std::uint32_t kEnsemblePurpose = 5;

}  // namespace gradus
