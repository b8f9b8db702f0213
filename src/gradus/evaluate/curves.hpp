// How a learner's error depends on the number of rows, or on one of its parameters, and what that
// says about it.
//
// learning curve    the same learner from more and more rows of each fold, nested: those of a
//                   shorter beginning are among those of a longer one
// validation curve  one parameter from end to end, all rows
//
// Each point has two scores: on the rows that taught and on the examined ones. Their relation is
// the diagnosis of the textbooks. With e the error wanted:
//   high variance   training error < e < error on new rows: more rows, a simpler model, bagging
//   high bias       training error > e: a richer model, more features, boosting
//
//   Curve curve = learning_curve(AnyLearner("id3"), data, folds, {.validate = options});
//   curve.diagnosis.words
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/evaluate/cross_validate.hpp"
#include "gradus/evaluate/search_space.hpp"

namespace gradus {

enum class CurveKind { learning, validation };

struct ScorePoint {
  Value at = {};  // rows that taught, or the value of the parameter
  double x = 0;   // where it is drawn
  Estimate training = {};
  Estimate examined = {};
  double model_bytes = 0;                                   // mean size of the saved models
  std::vector<std::optional<double>> training_scores = {};  // per fold
  std::vector<std::optional<double>> examined_scores = {};
};

enum class Regime { high_variance, high_bias, reached, unclear };
std::string_view regime_word(Regime regime);

struct Diagnosis {
  Regime regime = Regime::unclear;
  double training_error = 0;  // distance from a perfect score
  double examined_error = 0;
  std::optional<double> wanted = {};  // the error that divides the regimes
  std::string words = {};
  std::vector<std::string> treatments = {};
};

struct Curve {
  CurveKind kind = CurveKind::learning;
  std::string learner = {};
  Task task = Task::classify;
  MetricInfo metric = {};
  std::string label = {};  // of the axis: "rows", or the parameter
  bool logarithmic = false;
  std::vector<ScorePoint> points = {};
  std::size_t best = 0;                 // the point with the best examined score
  std::optional<double> baseline = {};  // on the same folds
  Diagnosis diagnosis = {};
};

struct CurveOptions {
  ValidateOptions validate = {};
  std::vector<double> shares = {};  // learning: of the training rows; empty: eight up to 1
  Dimension dimension = {};         // validation: the parameter
  std::size_t points = 10;          // values along a range
  std::optional<double> goal = {};  // the score wanted; nothing: half of the baseline's error
  Seed seed = 0;
};

Curve learning_curve(const AnyLearner& learner, const Dataset& data, const Folds& folds,
                     const CurveOptions& options, const Context& context = {});
Curve validation_curve(const AnyLearner& learner, const Dataset& data, const Folds& folds,
                       const CurveOptions& options, const Context& context = {});

// The parameter that makes a learner's models simple or rich, over the range that its description
// gives. Error{usage} when none has one.
Dimension complexity_dimension(const AnyLearner& learner);

// How far a score is from perfect, at least 0; nothing for a measure without a perfect score.
std::optional<double> error_of(const MetricInfo& metric, double score);

// Inside: what the two ends and the best point say (diagnosis.cpp).
Diagnosis diagnose(const Curve& curve, const std::optional<double>& goal);

// `{kind, learner, metric, points: [{at, training, examined, …}], best, baseline, diagnosis}`.
Value to_value(const Curve& curve);

}  // namespace gradus
