// Which learner is better, by how much, and how sure that is.
//
// Learners that met the same folds are put in order of their mean score, every pair is tested, and
// the conclusion is said in words. Two learners: the corrected resampled t test decides (on 5x2
// folds the F test), McNemar's and Wilcoxon's stand beside it. More: Friedman's test over the folds
// asks whether there is any difference, Nemenyi's critical difference says which mean ranks differ,
// and Holm's adjustment keeps the tests of all pairs honest.
//
//   Comparison result = compare(cross_validate(learners, data, folds, options), folds);
//   result.conclusion        // "naive_bayes is better than baseline: …"
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/evaluate/cross_validate.hpp"
#include "gradus/evaluate/significance.hpp"

namespace gradus {

struct PairComparison {
  std::size_t first = 0;  // the one with the better mean
  std::size_t second = 0;
  double difference = 0;  // how much better, in the metric; at least 0
  TestResult decisive;    // the test that the conclusion rests on
  double adjusted_p = 1;  // of the decisive test, by Holm over all pairs
  std::vector<TestResult> others;
};

struct Comparison {
  std::vector<CrossValidation> learners;  // in the order given
  std::vector<std::size_t> order;         // best first
  std::vector<double> mean_ranks;         // over the folds, 1 is best
  std::vector<PairComparison> pairs;      // by the order of means
  std::optional<RankComparison> ranks;    // of three and more learners
  double level = 0.95;
  std::string conclusion;
};

// All must have been given the same folds and have the same task. Error{usage} otherwise, or when
// there are fewer than two.
Comparison compare(std::vector<CrossValidation> learners, const Folds& folds, double level = 0.95);

// `{metric, learners: [{learner, mean, interval, rank, …}], pairs: [{better, worse, …}], friedman,
// critical_difference, conclusion}`.
Value to_value(const Comparison& comparison);

}  // namespace gradus
