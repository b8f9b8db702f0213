// The steps of a naive Bayes fit.
#pragma once

#include "gradus/models/bayes/naive_bayes/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void explain_naive_bayes(const NaiveBayes& learner, const NaiveBayesModel& model,
                         const Signature& signature, Trace& trace);

}  // namespace gradus
