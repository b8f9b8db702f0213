// What the ways to fit a model share.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/core/partial_work.hpp"
#include "gradus/data/survey.hpp"

namespace gradus {

// The column that an option names; Error{usage} of that option when there is none.
const Column& named_column(const Dataset& data, const std::string& name, const char* option);

// The columns that are learned from.
std::vector<std::string> chosen_features(const Dataset& data, const FitOptions& options);

// The weights that the options name, or the data's own; empty: all weigh 1.
std::vector<double> weight_column(const Dataset& data, const FitOptions& options);
void require_weights_accepted(const Info& info, const std::vector<double>& weights);

// Infinity is never data: every learner would turn it into NaN somewhere.
void refuse_infinite(const Dataset& data, const Survey& facts,
                     const std::vector<std::string>& columns);

// What tells which rows are ranked together: the numbers of a column, or the codes of its own
// levels, for a query of new rows need not occur in training. Rows without one belong together.
std::vector<double> queries_of(const AnyLearner& learner, const Dataset& data);

Provenance provenance_of(const Dataset& data, const std::string& fingerprint,
                         const PartialWork* work);

// Throws Error{usage} when the options want what the learner cannot hand out.
void require_hands_out(const Info& info, const FitOptions& options);

// "those that can: a, b", of all learners.
std::string those_that_can(const std::function<bool(const Entry&)>& can);

class StopWatch {
 public:
  // Seconds since the last call, or since the start.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace gradus
