// What scores are worth, learned from answers to rows that the base did not learn from.
#pragma once

#include <cstdint>
#include <span>

#include "gradus/models/meta/calibrated/model.hpp"

namespace gradus {

struct HonestAnswers {
  std::span<const double> scores;        // rows x classes
  std::span<const std::int32_t> labels;  // the true class of each row
  std::span<const double> weights;
};

// Learns the map of `member` by the method of `model`. Error{numerical} when the scores are too
// large for it.
void learn_map(const CalibratedModel& model, CalibratedMember& member,
               const HonestAnswers& answers);

// A base that is fitted already, with a map of its own.
struct FittedBase {
  InnerModel model;
  bool probabilities = false;  // what its scores are
  std::size_t classes = 0;
};
CoreModelPtr calibrate_base(FittedBase base, CalibrationMethod method,
                            const HonestAnswers& answers);

}  // namespace gradus
