// Is one model better than another? Two hypotheses on test rows, by their errors.
//
// On the same rows only those count where one is right and the other wrong: McNemar's test, and for
// the difference d = (b - c) / n of the errors the interval d ± z sqrt(b + c - (b - c)^2 / n) / n,
// b and c being the rows that only the first, or only the second, gets wrong. On rows of their own
// the errors are independent: the z test of two proportions.
//
//   HypothesisComparison out = compare_hypotheses(wrong_rows(a, test), wrong_rows(b, test));
//   out.conclusion     // "The first is better: error 0.04 against 0.11, …"
#pragma once

#include <string>
#include <vector>

#include "gradus/evaluate/metrics.hpp"
#include "gradus/evaluate/significance.hpp"

namespace gradus {

// Whether the model is wrong, row by row; decided as the options ask. Error{usage} unless it gives
// classes.
std::vector<bool> wrong_rows(const AnyModel& model, const Dataset& data,
                             const EvaluateOptions& options = {}, const Context& context = {});

struct HypothesisComparison {
  ErrorCount first = {};
  ErrorCount second = {};
  TestResult test = {};         // its interval is that of first - second
  std::string conclusion = {};  // which is better, by how much, how sure
};

// The same rows in the same order.
HypothesisComparison compare_hypotheses(const std::vector<bool>& first_wrong,
                                        const std::vector<bool>& second_wrong, double level = 0.95);

// Rows of their own, drawn independently.
HypothesisComparison compare_independent(const ErrorCount& first, const ErrorCount& second,
                                         double level = 0.95);

ErrorCount errors_in(const std::vector<bool>& wrong);

// `{error, other_error, difference, test, statistic, p, interval, conclusion}`.
Value to_value(const HypothesisComparison& comparison);

}  // namespace gradus
