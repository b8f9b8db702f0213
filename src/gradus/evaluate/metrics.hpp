// How good predictions are, in the words of the textbooks.
//
//   Value scores = evaluate(model, test);    // the JSON contract of `gradus evaluate --json`
//
// Every measure is defined as in scikit-learn, with row weights throughout; a measure that the data
// leave undefined is absent (NaN in the structs, null in JSON) and has its reason beside it, never
// 0. The choices that libraries differ in:
//   precision is undefined for a class that is never predicted, recall for one that never occurs,
//   F for one that does neither; means over classes are over those where the measure is defined;
//   macro is the plain mean over the labels that occur (actual or predicted), weighted the mean
//   weighted by support;
//   log-loss clips probabilities to [eps, 1 - eps], eps = 2^-52;
//   Brier is mean (p - y)^2 of the positive class for two classes, and for more the mean over rows
//   of sum_k (p_k - y_k)^2;
//   AUC is P(score of a positive > score of a negative) + P(equal) / 2; for more than two classes
//   `auc` is the plain mean of one class against the rest and `auc_hand_till` the mean over pairs
//   of classes (Hand and Till 2001), undefined when a class does not occur; average precision is
//   the sum over distinct scores of the gain in recall times the precision; the calibration error
//   (ECE) compares, in ten equal bins, the probability of the positive class with how often it
//   occurred (more than two classes: of the predicted class); several numeric outputs give the
//   plain mean over outputs (max_error: the largest).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gradus/api/any_model.hpp"
#include "gradus/evaluate/decision.hpp"
#include "gradus/evaluate/intervals.hpp"

namespace gradus {

// Why a measure is undefined, by its name in the JSON contract.
using Reasons = std::vector<std::pair<std::string, std::string>>;

// NaN where undefined.
struct ClassScores {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  double support = 0;
  double specificity = 0;
  double fpr = 0;     // 1 - specificity
  double fnr = 0;     // 1 - recall
  double f_beta = 0;  // with the beta of the options
};

struct CalibrationBin {
  double low = 0;  // of the bin
  double high = 0;
  double weight = 0;
  double probability = 0;  // mean of what was predicted
  double share = 0;        // how often it came true
};

struct ClassEvaluation {
  double n = 0;            // total weight
  double effective_n = 0;  // (sum of weights)^2 / sum of squared weights: n when weights are equal
  double accuracy = 0;
  double error_rate = 0;
  std::vector<std::string> labels;
  std::size_t positive = 1;                 // the label that AUC and the curves of two classes mean
  std::vector<std::vector<double>> counts;  // [actual][predicted]
  std::vector<ClassScores> per_class;
  ClassScores macro;
  ClassScores weighted;
  std::optional<double> balanced_accuracy;  // mean recall over the classes that occur
  std::optional<double> kappa;              // (observed - expected agreement) / (1 - expected)
  std::optional<double> mcc;                // Matthews' correlation, for any number of classes
  std::optional<double> log_loss;           // only with probabilities
  std::optional<double> brier;
  std::optional<double> auc;        // nothing when undefined (one class only)
  std::optional<double> auc_error;  // DeLong's standard error of the AUC of two classes
  std::optional<double> auc_hand_till;
  std::optional<double> average_precision;
  std::optional<double> ece;
  std::vector<CalibrationBin> calibration;
  std::optional<double> log_loss_error;  // standard errors of the two means
  std::optional<double> brier_error;
  double majority_baseline = 0;  // accuracy of always giving the most frequent class
  double beta = 1;
  Value costs;       // with a cost matrix: mean costs, and the threshold of least cost
  Value thresholds;  // of two classes: what other thresholds would be best at
  Value curves;      // when asked for: ROC, precision-recall, gain
  Reasons undefined;
};

struct NumberEvaluation {
  double n = 0;
  double effective_n = 0;
  double mae = 0;
  double mse = 0;
  double rmse = 0;
  std::optional<double> r2;  // nothing when the target is constant
  std::optional<double> explained_variance;
  double mean_error = 0;  // predicted - actual: what is systematically too high
  std::optional<double> mape;
  double median_ae = 0;
  double max_error = 0;
  double quantile_loss = 0;  // at `quantile`; half the MAE at 0.5
  double quantile = 0.5;
  double mean_baseline_rmse = 0;
  // Standard errors over the rows, by the delta method where the measure is no plain mean.
  double mae_error = 0;
  double mse_error = 0;
  double rmse_error = 0;
  double mean_error_error = 0;
  std::optional<double> r2_error;
  Reasons undefined;
};

// How two numbers per row rank rows: by the second one, or by their difference.
enum class ScoreKind { probabilities, scores };

// What is compared with what. `actual` and `predicted` are codes into `labels`.
struct ClassAnswers {
  std::span<const std::int32_t> actual;
  std::span<const std::int32_t> predicted;
  const std::vector<std::string>& labels;
  std::span<const double> numbers = {};  // rows x labels: probabilities or scores; may be empty
  ScoreKind kind = ScoreKind::probabilities;
  std::span<const double> weights = {};
};

// What takes much longer than the rest (Hand and Till's AUC of many classes, the silhouette) is
// left out of a quick evaluation.
enum class Depth { quick, thorough };

struct NumberAnswers {
  std::span<const double> actual;
  std::span<const double> predicted;
  std::span<const double> weights = {};
};

struct ClassOptions {
  Depth depth = Depth::thorough;
  std::string positive = {};  // of two classes; empty: the second
  double beta = 1;            // of F-beta, above 0
  // Cost of predicting p where a is true, [a][p]; empty: no costs.
  std::vector<std::vector<double>> costs = {};
  std::size_t curve_points = 0;  // most points of a curve; 0: no curves
};

struct NumberOptions {
  double quantile = 0.5;  // of the quantile loss, in (0, 1)
};

ClassEvaluation evaluate_classes(const ClassAnswers& answers, const ClassOptions& options = {},
                                 const Context& context = {});

// The same from plain arrays: `probabilities` rows x labels, or empty.
ClassEvaluation evaluate_classes(std::span<const std::int32_t> actual,
                                 std::span<const std::int32_t> predicted,
                                 std::span<const double> probabilities,
                                 const std::vector<std::string>& labels,
                                 std::span<const double> weights = {});

NumberEvaluation evaluate_numbers(std::span<const double> actual, std::span<const double> predicted,
                                  std::span<const double> weights = {},
                                  const NumberOptions& options = {}, const Context& context = {});

// Area under the ROC curve; nothing when only one of the two sides has weight.
std::optional<double> roc_auc(std::span<const double> scores, const std::vector<bool>& positive,
                              std::span<const double> weights = {});

// The same for any number of classes, `scores` being rows x classes. With two classes, rows are
// ranked by the second score when they are probabilities, else by the difference.
std::optional<double> class_auc(std::span<const std::int32_t> actual,
                                std::span<const double> scores, std::size_t classes, ScoreKind kind,
                                std::span<const double> weights = {});

// Mean of -log p(truth) alone, in parallel; `answers.numbers` are probabilities.
double class_log_loss(const ClassAnswers& answers, const Context& context = {});

// Counts alone, [actual][predicted] row by row, in parallel; weighted.
std::vector<double> class_counts(const ClassAnswers& answers, const Context& context = {});

Value to_value(const ClassEvaluation& evaluation);
Value to_value(const NumberEvaluation& evaluation);

struct EvaluateOptions {
  Depth depth = Depth::thorough;
  PredictOptions predict = {};
  ClassOptions classes = {};
  NumberOptions numbers = {};
  // `actual:predicted` = cost, for classes by name; what is not named costs 1, a hit 0.
  std::vector<std::pair<std::string, double>> costs = {};
  // How probabilities become the answers that are judged: the likeliest class, a class from a
  // threshold on, or, with `by_costs`, the class of least expected cost under `costs`.
  std::string threshold_class = {};
  double threshold = 0.5;
  bool by_costs = false;
  IntervalOptions intervals = {};
  // Numbers: the column of queries within which rows are ranked (NDCG); empty: that of a model that
  // ranks, where the data have it.
  std::string query = {};
  std::size_t top = 0;     // ranks that NDCG looks at; 0: all
  std::string truth = {};  // clustering: a column of known classes to compare the clusters with
};

// The rule that the options ask for. Error{usage} when they ask for two, or for costs that are not
// given.
DecisionRule decision_of(const EvaluateOptions& options);

// Predicts `data` and compares with its target column, weighted by `data.weights()`. Labels that
// training never saw count as errors, have probability 0, and get a row of their own in the
// confusion matrix. For clustering gives n, the weight of each cluster (`sizes`), how compact and
// apart they are, and, when the model knows it, the `training_inertia`.
Value evaluate(const AnyModel& model, const Dataset& data, const Context& context,
               const EvaluateOptions& options);
// The quick evaluation.
Value evaluate(const AnyModel& model, const Dataset& data, const Context& context = {},
               const PredictOptions& options = {});

// Classes or numbers without a model, as the same JSON contract with intervals.
Value evaluate_class_answers(const ClassAnswers& answers, const EvaluateOptions& options,
                             const Context& context = {});
Value evaluate_number_answers(const NumberAnswers& answers, const EvaluateOptions& options,
                              const Context& context = {});

// With NDCG when `options.query` names a column of `data`.
Value score_number_answers(const NumberAnswers& answers, const Dataset& data,
                           const EvaluateOptions& options, const Context& context = {});

// The same for predictions that exist already.
Value evaluate_predictions(const AnyModel& model, const Dataset& data,
                           const Predictions& predictions, const EvaluateOptions& options,
                           const Context& context);

}  // namespace gradus
