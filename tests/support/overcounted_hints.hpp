// Classes and eight copies of one noisy hint of them: naive Bayes takes the copies for eight hints
// and is far too sure, which is what calibration mends.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus {

inline Dataset overcounted_hints(std::size_t rows, std::size_t classes, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<std::vector<double>> x(8, std::vector<double>(rows));
  std::vector<std::int32_t> y(rows);
  Levels names;
  for (std::size_t c = 0; c < classes; ++c) names.push_back("c" + std::to_string(c));
  for (std::size_t i = 0; i < rows; ++i) {
    y[i] = static_cast<std::int32_t>(stream.below(classes));
    const double hint = y[i] + stream.normal();
    for (auto& column : x) column[i] = hint + stream.normal() / 20;
  }
  std::vector<Column> columns;
  for (std::size_t j = 0; j < x.size(); ++j) {
    columns.push_back(Column::numeric("x" + std::to_string(j), x[j]));
  }
  columns.push_back(Column::nominal("y", y, names));
  return Dataset(std::move(columns));
}

}  // namespace gradus
