// Rows seen along a few directions: z_v = (x - origin)'direction_v.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

// rows x directions; `directions` is features x directions.
void project(const RowBlock& rows, std::span<const double> origin, const linalg::Matrix& directions,
             double* out);

// word1, word2, ...
std::vector<std::string> numbered_names(std::string_view word, std::size_t count);

}  // namespace gradus
