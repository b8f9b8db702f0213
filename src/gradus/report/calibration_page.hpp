// What calibration did to the probabilities of a model: before and after, as figures, pictures and
// a page.
#pragma once

#include <string>

#include "gradus/report/document.hpp"
#include "gradus/report/pages.hpp"

namespace gradus::report {

struct CalibrationStory {
  const AnyModel& model;  // the calibrated one
  const Dataset& data;    // the rows that calibrated
  const Value& before;    // what `evaluate` gives for the model inside, on these rows
  const Value& after;
  std::string method = {};  // "sigmoid"
  std::string from = {};    // the file of the model inside
  std::string to = {};      // the file of the calibrated one
  Origin origin = {};
};

Document calibration_page(const CalibrationStory& story);

// Measures of the probabilities side by side: also for a terminal.
Table calibration_table(const Value& before, const Value& after);

// How often predictions came true against how probable they were, before and after.
Figure reliability_figure(const Value& before, const Value& after);

}  // namespace gradus::report
