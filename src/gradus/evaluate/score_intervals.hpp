// Confidence intervals for the headline figures of an evaluation.
//
// In closed form where there is one: shares (accuracy, precision, recall ...) by Wilson, or by the
// normal or exact interval when asked; means over rows (log-loss, MAE ...) by their standard error;
// AUC after DeLong; R2, RMSE and the measures of the confusion matrix (kappa, MCC, balanced
// accuracy, macro F1) by the delta method. The bootstrap gives all of them, by weighing each row as
// often as it was drawn and taking the percentiles of the measures.
//
//   Value intervals = score_intervals(evaluation, {.level = 0.95});
//   // {"level": 0.95, "accuracy": {"low": …, "high": …, "method": "wilson"}, …}
#pragma once

#include "gradus/core/random.hpp"
#include "gradus/evaluate/intervals.hpp"
#include "gradus/evaluate/metrics.hpp"

namespace gradus {

Value score_intervals(const ClassEvaluation& evaluation, const IntervalOptions& options = {});
Value score_intervals(const NumberEvaluation& evaluation, const IntervalOptions& options = {});

Value bootstrap_intervals(const ClassAnswers& answers, const ClassOptions& how,
                          const IntervalOptions& options, const Context& context = {});

Value bootstrap_intervals(const NumberAnswers& answers, const NumberOptions& how,
                          const IntervalOptions& options, const Context& context = {});

// What has no interval of its own yet (the AUC of many classes, average precision, ECE, medians, …)
// gets one from a short bootstrap, where the table is small enough for it to take no time.
void complete_intervals(Value& intervals, const ClassAnswers& answers, const ClassOptions& how,
                        const IntervalOptions& options, const Context& context = {});
void complete_intervals(Value& intervals, const NumberAnswers& answers, const NumberOptions& how,
                        const IntervalOptions& options, const Context& context = {});

}  // namespace gradus
