// A table of numbers and what a model says about it, for the tests of gradient boosting.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gradus/api/any_model.hpp"
#include "gradus/core/random.hpp"

namespace gradus::boosting_tests {

inline Dataset table_of(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<double> c(rows);
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.uniform() * 4 - 2;
    b[i] = stream.uniform() * 4 - 2;
    c[i] = stream.uniform() * 4 - 2;
    y[i] = 3 + a[i] + std::sin(4 * a[i]) + a[i] * b[i] + std::abs(c[i]) + stream.normal() / 5;
  }
  return Dataset({Column::numeric("a", a), Column::numeric("b", b), Column::numeric("c", c),
                  Column::numeric("y", y)});
}

inline std::vector<double> answers(const AnyModel& model, const Dataset& data) {
  return model.predict(data, {}, {.extra = Extra::ignore}).values;
}

inline double mean_squared_error(const AnyModel& model, const Dataset& data) {
  const std::vector<double> said = answers(model, data);
  double sum = 0;
  for (std::size_t i = 0; i < said.size(); ++i) {
    sum += std::pow(said[i] - data.column("y").number(i), 2);
  }
  return sum / static_cast<double>(said.size());
}

}  // namespace gradus::boosting_tests
