// A fit that begins where another one ended.
//
//   const AnyModel first = fit(Lasso{.alpha = 0.1}, data, "y");
//   const AnyModel next = fit(warm_started(Lasso{.alpha = 0.09}, first), data, options);
//
// Or for any learner that can: FitOptions{.warm_start = &first}. Linear learners begin with the
// coefficients of the model; those with rounds (contract/entry_impl.hpp: fit_from) keep its rounds
// and add to them, under its preparation of the columns.
#pragma once

#include "gradus/api/fit.hpp"

namespace gradus {

// `learner` with its `initial_coefficients` set to those of `from`, which must be a model of the
// same learner. Error{usage} names the learners that can begin somewhere.
AnyLearner warm_started(AnyLearner learner, const AnyModel& from);

// The fit of a learner that keeps the rounds of a model: with `options.warm_start`, for those whose
// entry has `fit_from`.
AnyModel fit_from(const AnyLearner& learner, const Dataset& data, const FitOptions& options,
                  const Context& context);

}  // namespace gradus
