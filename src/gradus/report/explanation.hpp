// The steps of a fit or of one prediction, as a document and as the JSON contract of `explain`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gradus/report/document.hpp"

namespace gradus::report {

struct Explanation {
  std::string subject_kind = {};  // "learner" or "model"
  std::string subject = {};       // its name, or the model's file
  std::string about = {};         // "fitted to weather.csv", "row 3 of weather.csv"
  KeyValues facts = {};           // rows, target and the like
  std::span<const Step> steps = {};
  std::size_t dropped = 0;  // steps beyond what a person would read
  Value fitted = {};
  std::string fingerprint = {};
};

Document explanation_document(const Explanation& explanation);

// `{learner|model, steps: [{number, title, path, formula, values, text}], fitted, fingerprint}`.
Value explanation_value(const Explanation& explanation);

}  // namespace gradus::report
