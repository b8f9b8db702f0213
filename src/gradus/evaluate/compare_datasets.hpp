// Which learner is better in general: several data sets, each a judge with one vote.
//
// Scores of different data sets cannot be averaged, ranks can (Demsar 2006). Two learners:
// Wilcoxon's signed ranks over the data sets. More: Friedman's test, then Nemenyi's critical
// difference between mean ranks and Holm's adjustment against the best.
//
//   DatasetComparison out = compare_over_datasets(names, {{"iris", {0.95, 0.93}}, …}, metric);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/evaluate/metric_names.hpp"
#include "gradus/evaluate/significance.hpp"

namespace gradus {

struct DatasetScores {
  std::string name;
  std::vector<double> scores;  // per learner
};

struct DatasetComparison {
  std::vector<std::string> learners;
  MetricInfo metric;
  std::vector<DatasetScores> data;
  std::vector<std::size_t> order;  // learners by mean rank, the best first
  std::vector<double> mean_ranks;
  RankComparison ranks;
  std::optional<TestResult> wilcoxon;  // of two learners
  double level = 0.95;
  std::string conclusion;
};

// Error{usage} for fewer than two data sets or learners.
DatasetComparison compare_over_datasets(std::vector<std::string> learners,
                                        std::vector<DatasetScores> data, const MetricInfo& metric,
                                        double level = 0.95);

Value to_value(const DatasetComparison& comparison);

}  // namespace gradus
