// From a learner and a table to a model.
//
//   auto model = fit(NaiveBayes{.alpha = 1}, train, "play");        // Fitted<NaiveBayes>
//   AnyModel same = fit(AnyLearner("naive_bayes"), train, {.target = {"play"}});
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/api/any_model.hpp"
#include "gradus/api/checkpoint.hpp"

namespace gradus {

// Where the seconds of a fit went, by a monotonic clock.
struct FitTiming {
  double prepare = 0;
  double fit = 0;
};

struct FitOptions {
  std::vector<std::string> target = {};    // one column; several for learners with many outputs
  std::vector<std::string> features = {};  // empty: all columns but target, weights and ignored
  std::vector<std::string> ignore = {};
  std::string weights = {};               // a column of row weights; empty: the data's own, if any
  std::vector<std::string> classes = {};  // known beforehand, in order; empty: those that occur
  std::optional<Task> task = {};  // for learners of several tasks; empty: by the target's type
  PrepareOptions prepare = {};
  FitTiming* timing = nullptr;        // borrowed; receives the seconds when it is not null
  CheckpointOptions checkpoint = {};  // for learners that can resume
  // Rows that examine and never teach, with the columns of the data; borrowed. For learners that
  // accept them.
  const Dataset* validation = nullptr;
  // The model that the fit begins with, borrowed; see warm_start.hpp.
  const AnyModel* warm_start = nullptr;
  // When the context stops the fit: a model of what is whole by then, whose provenance says so,
  // instead of an error. For learners that give `partial`.
  bool keep_partial = false;
};

AnyModel fit(const AnyLearner& learner, const Dataset& data, const FitOptions& options,
             const Context& context = {});

// Goes on training a model with new rows; for learners that give `incremental`. The result is the
// model of all rows seen so far.
AnyModel update(const AnyModel& model, const Dataset& data, const FitOptions& options,
                const Context& context = {});

namespace detail {
// With no options but the target; compiled once, and not in every program that fits.
AnyModel fit_to(const AnyLearner& learner, const Dataset& data, const std::string& target,
                const Context& context);
}  // namespace detail

template <NamedLearner L>
Fitted<L> fit(const L& learner, const Dataset& data, const std::string& target = {},
              const Context& context = {}) {
  return Fitted<L>(detail::fit_to(AnyLearner(learner), data, target, context));
}

}  // namespace gradus
