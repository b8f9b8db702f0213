// A function of Python as the loss of gradient boosting (gradus/_loss.py gives it this form).
//
// The function is lent to the learner for the length of a fit. The model that comes out of it knows
// its learner, and must not keep the function alive: a function often refers to everything around
// it, the estimator with that very model among it.
//
//   const LentLoss loss(job.loss);
//   fit(loss.given_to(make_learner(name, params)), ...);
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "gradus/models/any_learner.hpp"

namespace gradus::python {

namespace nb = nanobind;

class LentLoss {
 public:
  // A gradus._loss.PythonLoss, or None. The fit calls it without holding the lock of the
  // interpreter; what it raises ends the fit and reaches the caller as it is.
  explicit LentLoss(const nb::object& loss);
  LentLoss(const LentLoss&) = delete;
  LentLoss& operator=(const LentLoss&) = delete;
  ~LentLoss() { *lent_ = nb::handle(); }

  // The learner with this loss; as it is when there is none.
  AnyLearner given_to(const AnyLearner& learner) const;

 private:
  std::shared_ptr<nb::handle> lent_;  // empty once the fit is over
};

}  // namespace gradus::python
