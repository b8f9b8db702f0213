// What is known about a model, for `train`, `describe` and `explain`: as data and as a page.
#pragma once

#include <functional>
#include <string>

#include "gradus/api/any_model.hpp"
#include "gradus/core/overwrite.hpp"
#include "gradus/report/document.hpp"

namespace gradus::cli {

Value parameters_value(const ParamValues& values);
// The name of the target; a list when there are several; null for clustering.
Value target_value(const Signature& signature);
// The columns that the model reads.
std::vector<std::string> feature_columns(const Preparation& preparation);

// How far the fit of a partial model was: {unit, done, planned}, "after 3 of 10 rounds".
Value unfinished_value(const AnyModel& model);
std::string unfinished_text(const AnyModel& model);

Value model_value(const AnyModel& model, const std::string& file);
// Writes the file, all or nothing, undisturbed by a second signal. `tell` says so: when the bytes
// are written, and before the file is in its place, so that neither a full disk nor a closed pipe
// leaves words without a file or a file without words.
void save_model(const AnyModel& model, const std::string& file, Overwrite overwrite,
                const std::function<void()>& tell);

report::Document model_page(const AnyModel& model, const std::string& file);

}  // namespace gradus::cli
