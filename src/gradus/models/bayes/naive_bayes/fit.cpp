// Fitting is counting; going on with new rows is counting these and adding.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/bayes/naive_bayes/count.hpp"
#include "gradus/models/bayes/naive_bayes/explain.hpp"
#include "gradus/models/bayes/naive_bayes/model.hpp"
#include "gradus/models/bayes/naive_bayes/tables.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// How far the sum of given priors may be from 1: decimal fractions such as 1/3 are rounded.
constexpr double kPriorSlack = 1e-6;

NaiveBayesModel shape_of(const NaiveBayes& learner, const Signature& signature) {
  NaiveBayesModel model;
  model.classes = static_cast<std::int32_t>(signature.classes.size());
  model.numeric = learner.numeric_model;
  model.binarize = learner.binarize;
  const std::int32_t number = learner.numeric_model == NumericEvent::bernoulli
                                  ? NaiveBayesModel::kPresence
                                  : NaiveBayesModel::kNumber;
  const FeatureNames& names = signature.features;
  model.levels.resize(names.size(), number);
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (names.nominal(j)) model.levels[j] = static_cast<std::int32_t>(names.levels(j).size());
  }
  return model;
}

// The sums of the rows, counted while the memory for the tables is made ready.
NaiveBayesCounts counted_rows(NaiveBayesModel& model, const TrainTask& task,
                              const Context& context) {
  NaiveBayesCounts counts;
  const std::function<void()> work[] = {[&] { counts = count_rows(model, task, context); },
                                        [&] { make_room(model); }};
  parallel::for_each_index(context, std::size(work), [&](std::size_t i) { work[i](); });
  return counts;
}

NaiveBayesModel finished(const NaiveBayes& learner, NaiveBayesModel model, const TrainTask& task,
                         const Context& context) {
  build_tables(learner, task.signature, model, context);
  if (context.trace != nullptr) {
    explain_naive_bayes(learner, model, task.signature, *context.trace);
  }
  return model;
}

}  // namespace

void NaiveBayes::check(const TrainTask& task) const {
  const std::size_t classes = task.signature.classes.size();
  if (priors.empty()) return;
  if (priors.size() != classes) {
    throw Error(ErrorKind::usage, "--priors",
                fmt::format("priors must be one number for each of the {} (got {})",
                            counted(classes, "class", "classes"), priors.size()),
                "the classes are " + join(task.signature.classes, ", "));
  }
  double total = 0;
  for (const double prior : priors) {
    if (!(prior >= 0 && prior <= 1)) {
      throw Error(ErrorKind::usage, "--priors",
                  fmt::format("a prior must be from 0 to 1 (got {})", readable(prior)));
    }
    total += prior;
  }
  if (std::abs(total - 1) > kPriorSlack) {
    throw Error(ErrorKind::usage, "--priors",
                fmt::format("the sum of the priors must be 1 (got {})", readable(total, 9)));
  }
}

NaiveBayesModel NaiveBayes::fit(const TrainTask& task, const Context& context) const {
  NaiveBayesModel model = shape_of(*this, task.signature);
  model.seen = counted_rows(model, task, context);
  return finished(*this, std::move(model), task, context);
}

NaiveBayesModel NaiveBayes::update(const NaiveBayesModel& model, const TrainTask& task,
                                   const Context& context) const {
  NaiveBayesModel out = shape_of(*this, task.signature);
  out.seen = model.seen;
  add_counts(out.seen, counted_rows(out, task, context));
  return finished(*this, std::move(out), task, context);
}

}  // namespace gradus
