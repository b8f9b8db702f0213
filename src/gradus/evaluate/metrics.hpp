// How good predictions are, in the words of the textbooks.
//
//   Evaluation result = evaluate(model, test);
//   result.to_value()   // the JSON contract of `gradus evaluate --json`
#pragma once

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

Value to_value(const ClassEvaluation& evaluation);
Value to_value(const NumberEvaluation& evaluation);

// Predicts `data` and compares with its target column; for clustering gives n and inertia-free
// counts per cluster. Labels that training never saw count as errors and get a row of their own.
Value evaluate(const AnyModel& model, const Dataset& data, const Context& context = {},
               const PredictOptions& options = {});

}  // namespace gradus
