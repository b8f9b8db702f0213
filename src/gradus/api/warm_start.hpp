// A fit that begins where another one ended.
//
//   const AnyModel first = fit(Lasso{.alpha = 0.1}, data, "y");
//   const AnyModel next = fit(warm_started(Lasso{.alpha = 0.09}, first), data, options);
//
// Or for any learner that can: FitOptions{.warm_start = &first}. Linear learners begin with the
// coefficients of the model; those with rounds (contract/entry_impl.hpp: fit_from) keep its rounds
// and add to them, under its preparation of the columns.
#pragma once

#include "gradus/api/any_model.hpp"

namespace gradus {

// `learner` with its `initial_coefficients` set to those of `from`, which must be a model of the
// same learner. Error{usage} names the learners that can begin somewhere.
AnyLearner warm_started(AnyLearner learner, const AnyModel& from);

}  // namespace gradus
