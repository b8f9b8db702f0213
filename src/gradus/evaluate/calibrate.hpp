// Calibration of a model that exists: its probabilities are corrected by what they turn out to be
// worth on rows that it did not learn from. The model itself stays as it is; what is new is the map
// from its scores to probabilities (see models/meta/calibrated).
//
//   AnyModel honest = calibrate(model, held_out, {.method = CalibrationMethod::isotonic});
#pragma once

#include <string>

#include "gradus/api/any_model.hpp"
#include "gradus/data/dataset.hpp"
#include "gradus/models/meta/calibrated/params.hpp"

namespace gradus {

struct CalibrateOptions {
  CalibrationMethod method = CalibrationMethod::sigmoid;
  std::string weights = {};  // a column with the weight of each row; empty: those of the table
};

// Error{usage} unless the model gives classes; Error{bad_data} when the rows hold fewer than two of
// them, or one that it does not know.
AnyModel calibrate(const AnyModel& model, const Dataset& held_out,
                   const CalibrateOptions& options = {}, const Context& context = {});

}  // namespace gradus
