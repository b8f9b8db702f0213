// What was learned, by its textbook names.
#include <cmath>

#include "gradus/models/bayes/naive_bayes/model.hpp"
#include "gradus/models/bayes/naive_bayes/tables.hpp"

namespace gradus {
namespace {

// A vocabulary of a hundred thousand words is not read by people: the first ones stand for it.
constexpr std::size_t kShownFeatures = 10000;

Value levels_value(const NaiveBayesModel& model, const Signature& signature, std::size_t feature,
                   std::size_t table) {
  const std::vector<std::string> names = level_names(model, signature, feature);
  const LevelFrequencies frequencies{model, feature, table};
  Value out = object();
  for (std::size_t label = 0; label < model.class_count(); ++label) {
    Value& shares = out[signature.classes[label]];
    shares = object();
    for (std::size_t level = 0; level < names.size(); ++level) {
      shares[names[level]] = frequencies.at(level, label).value();
    }
  }
  return out;
}

Value normal_value(const NaiveBayesModel& model, const Signature& signature, std::size_t feature) {
  Value out = object();
  for (std::size_t label = 0; label < model.class_count(); ++label) {
    const std::size_t cell = feature * model.class_count() + label;
    const double variance = model.tables.variance[cell];
    out[signature.classes[label]] =
        object({{"n", model.seen.weight[label * model.feature_count() + feature]},
                {"mean", model.tables.mean[cell]},
                {"variance", variance},
                {"sd", std::sqrt(variance)}});
  }
  return out;
}

}  // namespace

Value NaiveBayesModel::fitted(const Signature& signature) const {
  Value out =
      object({{"priors", object()}, {"class_counts", object()}, {"conditionals", object()}});
  for (std::size_t label = 0; label < class_count(); ++label) {
    out["priors"][signature.classes[label]] = tables.prior[label];
    out["class_counts"][signature.classes[label]] = seen.classes[label];
  }
  if (numeric == NumericEvent::gaussian) out["epsilon"] = epsilon;
  const EventFrequencies events(*this);
  Value::Object conditionals;
  std::size_t table = 0;
  for (std::size_t feature = 0; feature < std::min(feature_count(), kShownFeatures); ++feature) {
    const std::string& name = signature.features[feature].name;
    if (tabled(feature)) {
      conditionals.emplace_back(name, levels_value(*this, signature, feature, table));
      table += level_count(feature);
    } else if (numeric == NumericEvent::gaussian) {
      conditionals.emplace_back(name, normal_value(*this, signature, feature));
    } else {
      Value shares = object();
      for (std::size_t label = 0; label < class_count(); ++label) {
        shares[signature.classes[label]] = events.at(feature, label).value();
      }
      conditionals.emplace_back(name, std::move(shares));
    }
  }
  out["conditionals"] = Value(std::move(conditionals));
  if (feature_count() > kShownFeatures) {
    out["conditionals_left_out"] = feature_count() - kShownFeatures;
  }
  return out;
}

}  // namespace gradus
