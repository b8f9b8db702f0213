#include "gradus/blocks/linear/projection.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

void project(const RowBlock& rows, std::span<const double> origin, const linalg::Matrix& directions,
             double* out) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto x = rows.row(i);
    for (std::size_t v = 0; v < directions.width(); ++v) {
      double sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j) sum += (x[j] - origin[j]) * directions(j, v);
      // A row beyond the range of numbers still lies on one side.
      *out++ = std::isnan(sum) ? 0 : std::clamp(sum, -1e300, 1e300);
    }
  }
}

std::vector<std::string> numbered_names(std::string_view word, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(std::string(word) + std::to_string(i));
  return names;
}

}  // namespace gradus
