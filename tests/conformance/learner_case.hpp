// Every learner of the catalogue, once per task it can do: the parameter of all conformance tests.
// A new learner is tested from its first day without a line here.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "gradus/api/fit.hpp"
#include "support/small_data.hpp"

namespace gradus::conformance {

struct LearnerCase {
  const Entry* entry = nullptr;
  Task task = Task::classify;
};

std::vector<LearnerCase> all_cases();
std::string case_name(const testing::TestParamInfo<LearnerCase>& info);
inline void PrintTo(const LearnerCase& one, std::ostream* out) {
  *out << one.entry->info.name << " " << task_word(one.task);
}

class EveryLearner : public testing::TestWithParam<LearnerCase> {
 protected:
  const Info& info() const { return GetParam().entry->info; }
  AnyLearner learner() const { return AnyLearner(*GetParam().entry); }
  SmallCase small() const;
  AnyModel fitted(const Context& context = {}) const;
  bool has_seed() const;
};

Context with_threads(int threads);

// A fit on bad data may fail, but only with a reason that the user can act on.
enum class Outcome { works, refuses };
Outcome fit_and_predict(const AnyLearner& learner, const Dataset& data, const FitOptions& options);

// The rows of a table in another order, or written several times.
Dataset with_rows(const Dataset& data,
                  const std::function<std::vector<std::size_t>(std::size_t)>& rows);

}  // namespace gradus::conformance

#define GRADUS_FOR_EVERY_LEARNER(Suite) \
  INSTANTIATE_TEST_SUITE_P(Catalogue, Suite, testing::ValuesIn(all_cases()), case_name)
