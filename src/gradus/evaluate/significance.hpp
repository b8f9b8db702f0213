// Is a difference more than chance? The tests that the textbooks teach for error rates and for
// learners, each with its statistic, its p-value and, where there is one, an interval.
//
//   two models, independent test sets   two_proportions     z
//   two models, the same test rows      mcnemar             who is right where the other is wrong
//   two learners, the same folds        paired_t            t; too sure, since folds share rows
//                                       corrected_t         t with the variance of Nadeau and
//                                       Bengio five_by_two_f       F of Alpaydin on five times two
//                                       halves wilcoxon            signed ranks, no assumption of
//                                       normality
//   many learners                       friedman            ranks; then Nemenyi's critical
//                                                           difference, or Holm against the best
//
//   TestResult t = corrected_t(differences, {.train = 135, .test = 15});
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/core/value.hpp"
#include "gradus/evaluate/intervals.hpp"

namespace gradus {

struct TestResult {
  std::string name;  // "corrected resampled t test"
  double statistic = 0;
  double p = 1;
  double df = 0;  // 0: the distribution has none
  double df2 = 0;
  std::optional<Interval> interval = {};  // of the difference
  std::string note = {};                  // what a reader should know about it
  std::string undefined = {};             // why there is no result; then the numbers mean nothing
};

Value to_value(const TestResult& result);

// d = e1 - e2 ± z sqrt(e1 (1 - e1) / n1 + e2 (1 - e2) / n2); z with the pooled rate.
TestResult two_proportions(const ErrorCount& first, const ErrorCount& second, double level = 0.95);

// Rows that only the first, or only the second model gets right. Exact for fewer than 25 of them,
// else chi-squared with the correction for continuity.
struct Discordant {
  double only_first = 0;
  double only_second = 0;
};
TestResult mcnemar(const Discordant& rows);

TestResult paired_t(std::span<const double> differences, double level = 0.95);

// Variance of the mean of k differences: (1/k + test/train) s^2, for overlapping training sets.
struct FoldSizes {
  double train = 0;
  double test = 0;
};
TestResult corrected_t(std::span<const double> differences, const FoldSizes& sizes,
                       double level = 0.95);

// `differences` are ten: the two halves of repetition 1, of repetition 2, ...
TestResult five_by_two_f(std::span<const double> differences);

// Zero differences are left out. Exact up to 50 differences without ties, else normal.
TestResult wilcoxon(std::span<const double> differences);

struct RankComparison {
  TestResult friedman;
  std::vector<double> mean_ranks;            // 1 is best
  double critical_difference = 0;            // Nemenyi: mean ranks further apart differ
  std::vector<std::vector<double>> nemenyi;  // p of each pair
  std::vector<double> holm;                  // p of each against the best, adjusted; 1 for the best
};

enum class Better { higher, lower };

// `scores[block][treatment]`: a row per fold or data set, a column per learner; at least two blocks
// and two treatments.
RankComparison compare_ranks(const std::vector<std::vector<double>>& scores, Better better,
                             double level = 0.95);

// p-values adjusted by Holm's step-down, in the order given.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace gradus
