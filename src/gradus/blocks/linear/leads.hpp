// How far the right class leads: the difference of its score and the best wrong one. A least lead
// above 0 says that the classes are separated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

namespace gradus {

struct Leads {
  double least = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  // One row that counts. One score: the target is above 0.5 or not; several: the code of its class.
  void add(const double* scores, std::size_t outputs, double target) {
    double lead = 0;
    if (outputs == 1) {
      lead = target > 0.5 ? scores[0] : -scores[0];
    } else {
      const auto right = static_cast<std::size_t>(target);
      double other = -std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < outputs; ++k) {
        if (k != right) other = std::max(other, scores[k]);
      }
      lead = scores[right] - other;
    }
    least = std::min(least, lead);
    largest = std::max(largest, lead);
  }

  void join(const Leads& other) {
    least = std::min(least, other.least);
    largest = std::max(largest, other.largest);
  }
};

}  // namespace gradus
