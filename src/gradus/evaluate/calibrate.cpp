#include "gradus/evaluate/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/fold_run.hpp"
#include "gradus/models/learner_choice.hpp"
#include "gradus/models/meta/calibrated/maps.hpp"

namespace gradus {
namespace {

void require_classes(const AnyModel& model) {
  if (model.signature().task == Task::classify && model.signature().classes.size() > 1) return;
  throw Error(
      ErrorKind::usage, "model",
      fmt::format("{} gives no classes, and there is nothing to calibrate", model.info().name),
      "calibration corrects the probabilities of classifiers");
}

void require_two_classes(const TargetData& target) {
  const auto& codes = target.codes;
  const bool two = std::any_of(codes.begin(), codes.end(),
                               [&](std::int32_t code) { return code != codes.front(); });
  if (two) return;
  throw Error(ErrorKind::bad_data, "column " + in_quotes(target.outputs.front()),
              fmt::format("calibration needs rows of at least 2 classes ({} of one class found)",
                          counted(codes.size(), "row")),
              "hold out more rows");
}

std::vector<double> weights_of(const Dataset& data) {
  std::vector<double> out(data.rows(), 1.0);
  if (!data.weights().empty()) out.assign(data.weights().begin(), data.weights().end());
  return out;
}

// The learned part of a model, which stays alive with it.
CoreModelPtr core_of(const AnyModel& model) {
  const auto owner = std::make_shared<const AnyModel>(model);
  return {owner, &owner->core()};
}

AnyLearner learner_over(const AnyModel& model, CalibrationMethod method) {
  return AnyLearner(Calibrated{.estimator = model.learner(), .method = method, .ensemble = false});
}

}  // namespace

AnyModel calibrate(const AnyModel& model, const Dataset& held_out, const CalibrateOptions& options,
                   const Context& context) {
  require_classes(model);
  FitOptions weighing;
  weighing.weights = options.weights;
  const Dataset data = weighted_rows(held_out, weighing);
  const TargetData target = match_target(model.signature(), data);
  require_two_classes(target);
  const Predictions said = model.predict(data, context, {.extra = Extra::ignore});
  for (const double score : said.values) {
    if (std::isfinite(score)) continue;
    throw Error(ErrorKind::numerical, "", "a score of the model is not a finite number");
  }
  FittedBase base{.model = InnerModel(model.learner().entry(), core_of(model)),
                  .probabilities = said.probabilities,
                  .classes = model.signature().classes.size()};
  Provenance provenance = model.provenance();
  provenance.data_fingerprint = held_out.fingerprint();
  provenance.rows = static_cast<std::int64_t>(held_out.rows());
  return AnyModel({.learner = learner_over(model, options.method),
                   .preparation = model.preparation(),
                   .signature = model.signature(),
                   .provenance = std::move(provenance),
                   .core = calibrate_base(std::move(base), options.method,
                                          {said.values, target.codes, weights_of(data)})});
}

}  // namespace gradus
