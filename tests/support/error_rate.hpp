// How often a classifier is wrong about the rows of a table whose classes stand in column "y".
#pragma once

#include <cstddef>
#include <cstdint>

#include "gradus/api/any_model.hpp"

namespace gradus {

inline double error_rate(const AnyModel& model, const Dataset& data) {
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  double wrong = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    wrong += static_cast<std::int32_t>(said.label(i)) == data.column("y").code(i) ? 0 : 1;
  }
  return wrong / static_cast<double>(data.rows());
}

}  // namespace gradus
