// The order of categories: numbers by value, then other texts by bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gradus {

// The indices of `texts` in that order. Equal numbers written differently ("1", "1.0") stay apart,
// by their bytes.
std::vector<std::uint32_t> level_order(std::span<const std::string_view> texts);

}  // namespace gradus
