// The steps of calibration: the map of each fold with its numbers.
#pragma once

#include "gradus/models/meta/calibrated/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// What fold `i` taught: how many rows, and the map.
Step told_map(const CalibratedModel& model, std::size_t i, std::size_t rows,
              const Signature& signature);

}  // namespace gradus
