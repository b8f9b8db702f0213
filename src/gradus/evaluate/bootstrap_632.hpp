// The .632+ estimate of Efron and Tibshirani (1997).
//
// The score on the rows that taught is too good, the score on the rows that a bootstrap sample left
// out too bad. The .632 estimate takes a fixed mean of the two; a learner that remembers its rows
// has a perfect training score, and the mean is then still too good. With g the score if features
// and target had nothing to do with each other (every prediction against every target), the
// relative overfitting is
//   R = (left out - training) / (g - training), in [0, 1],   w = 0.632 / (1 - 0.368 R),
// and the estimate is (1 - w) training + w left out: .632 without overfitting, the left-out score
// alone when there is nothing to learn.
#pragma once

#include <optional>
#include <span>

#include "gradus/api/any_model.hpp"
#include "gradus/api/target.hpp"
#include "gradus/evaluate/metric_names.hpp"

namespace gradus {

struct BootstrapScores {
  double training = 0;
  double left_out = 0;
  double no_information = 0;
};
double score_632_plus(const BootstrapScores& scores, Better better);

// The mean over all pairs of a prediction and a target: of accuracy, error rate, squared and
// absolute error. Nothing for measures that are no mean over rows.
std::optional<double> no_information_score(const MetricInfo& metric, const TargetData& target,
                                           const Predictions& predictions,
                                           std::span<const double> weights);

}  // namespace gradus
