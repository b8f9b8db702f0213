// How good predictions are, in the words of the textbooks.
//
//   Value scores = evaluate(model, test);    // the JSON contract of `gradus evaluate --json`
//
// Every measure is defined as in scikit-learn, with row weights throughout; a measure that the data
// leave undefined is absent (null in JSON), never 0. The choices that libraries differ in:
//   precision, recall and F1 are 0 where their denominator is 0;
//   macro is the plain mean over the labels that occur (actual or predicted), weighted the mean
//   weighted by support;
//   log-loss clips probabilities to [eps, 1 - eps], eps = 2^-52;
//   Brier is mean (p - y)^2 of the second class for two classes, and for more the mean over rows
//   of sum_k (p_k - y_k)^2;
//   AUC is P(score of a positive > score of a negative) + P(equal) / 2; for more than two classes
//   the plain mean of one class against the rest, undefined when a class does not occur;
//   several numeric outputs give the plain mean over outputs (max_error: the largest).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/api/any_model.hpp"

namespace gradus {

struct ClassScores {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  double support = 0;
};

struct ClassEvaluation {
  double n = 0;  // total weight
  double accuracy = 0;
  double error_rate = 0;
  std::vector<std::string> labels;
  std::vector<std::vector<double>> counts;  // [actual][predicted]
  std::vector<ClassScores> per_class;
  ClassScores macro;
  ClassScores weighted;
  std::optional<double> log_loss;  // only with probabilities
  std::optional<double> brier;
  std::optional<double> auc;     // nothing when undefined (one class only)
  double majority_baseline = 0;  // accuracy of always giving the most frequent class
};

struct NumberEvaluation {
  double n = 0;
  double mae = 0;
  double mse = 0;
  double rmse = 0;
  std::optional<double> r2;  // nothing when the target is constant
  double median_ae = 0;
  double max_error = 0;
  double mean_baseline_rmse = 0;
};

// `actual` are class codes into `labels`; `probabilities` rows x labels, or empty.
ClassEvaluation evaluate_classes(std::span<const std::int32_t> actual,
                                 std::span<const std::int32_t> predicted,
                                 std::span<const double> probabilities,
                                 const std::vector<std::string>& labels,
                                 std::span<const double> weights = {});

NumberEvaluation evaluate_numbers(std::span<const double> actual, std::span<const double> predicted,
                                  std::span<const double> weights = {});

// Area under the ROC curve; nothing when only one of the two sides has weight.
std::optional<double> roc_auc(std::span<const double> scores, const std::vector<bool>& positive,
                              std::span<const double> weights = {});

// The same for any number of classes, `scores` being rows x classes. With two classes, rows are
// ranked by the second score when they are probabilities (`ScoreKind`), else by the difference.
enum class ScoreKind { probabilities, scores };
std::optional<double> class_auc(std::span<const std::int32_t> actual,
                                std::span<const double> scores, std::size_t classes, ScoreKind kind,
                                std::span<const double> weights = {});

Value to_value(const ClassEvaluation& evaluation);
Value to_value(const NumberEvaluation& evaluation);

// Predicts `data` and compares with its target column, weighted by `data.weights()`. Labels that
// training never saw count as errors, have probability 0, and get a row of their own in the
// confusion matrix. For clustering gives n, the weight of each cluster (`sizes`) and, when the
// model knows it, the `training_inertia`.
Value evaluate(const AnyModel& model, const Dataset& data, const Context& context = {},
               const PredictOptions& options = {});

}  // namespace gradus
