#include "conformance/learner_case.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/models/catalogue.hpp"

namespace gradus::conformance {

std::vector<LearnerCase> all_cases() {
  std::vector<LearnerCase> cases;
  for (const Entry* entry : catalogue()) {
    for (const Task task : {Task::classify, Task::regress, Task::cluster}) {
      if (entry->info.tasks.has(task)) cases.push_back({entry, task});
    }
  }
  return cases;
}

std::string case_name(const testing::TestParamInfo<LearnerCase>& info) {
  return std::string(info.param.entry->info.name) + "_" + std::string(task_word(info.param.task));
}

SmallCase EveryLearner::small() const {
  for (SmallCase& candidate : small_cases(info())) {
    if (candidate.task == GetParam().task) return candidate;
  }
  ADD_FAILURE() << "no small data for this learner";
  return {};
}

AnyModel EveryLearner::fitted(const Context& context) const {
  const SmallCase data = small();
  return fit(learner(), data.data, data.options, context);
}

bool EveryLearner::has_seed() const {
  const ParamTable& table = GetParam().entry->params;
  return std::any_of(table.begin(), table.end(),
                     [](const ParamInfo& param) { return param.type == gradus::ParamType::seed; });
}

Context with_threads(int threads) {
  Context context;
  context.threads = threads;
  return context;
}

Outcome fit_and_predict(const AnyLearner& learner, const Dataset& data, const FitOptions& options) {
  try {
    const AnyModel model = fit(learner, data, options);
    const Predictions predictions = model.predict(data, {}, {.extra = Extra::ignore});
    EXPECT_EQ(predictions.rows, data.rows());
    for (const double x : predictions.values) EXPECT_TRUE(std::isfinite(x));
    return Outcome::works;
  } catch (const Error& error) {
    const bool reasonable = error.kind() == ErrorKind::bad_data ||
                            error.kind() == ErrorKind::usage ||
                            error.kind() == ErrorKind::numerical;
    EXPECT_TRUE(reasonable) << error.what();
    return Outcome::refuses;
  }
}

Dataset with_rows(const Dataset& data,
                  const std::function<std::vector<std::size_t>(std::size_t)>& rows) {
  return data.take(rows(data.rows()));
}

}  // namespace gradus::conformance
