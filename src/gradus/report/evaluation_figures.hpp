// Pictures of how good predictions are, from the value that `evaluate` gives and, for numbers, from
// the predictions themselves.
#pragma once

#include <span>
#include <vector>

#include "gradus/evaluate/compare.hpp"
#include "gradus/report/document.hpp"

namespace gradus::report {

// The confusion matrix, and ROC, precision-recall, gain and calibration curves as far as the value
// holds them (`--curves`).
std::vector<Block> class_figures(const Value& evaluation);

// Predicted against actual, and the errors against the prediction. More rows than a picture can
// show are thinned evenly.
std::vector<Block> number_figures(std::span<const double> actual,
                                  std::span<const double> predicted);

// Mean and interval of each learner with its folds behind; the baseline as a line.
Figure fold_scores(const std::vector<CrossValidation>& learners, const CrossValidation* baseline);

// Mean ranks with Nemenyi's critical difference; for comparisons of more than two.
Figure rank_diagram(const Comparison& comparison);

// Coefficients with their intervals, when the fitted value has them.
std::vector<Block> coefficient_figures(const Value& fitted);

}  // namespace gradus::report
