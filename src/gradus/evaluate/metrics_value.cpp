// The measures as the JSON contract of `gradus evaluate --json`.
#include <cmath>
#include <utility>

#include "gradus/evaluate/estimate_value.hpp"
#include "gradus/evaluate/metrics.hpp"

namespace gradus {
namespace {

Value or_null(double number) { return std::isnan(number) ? Value() : Value(number); }

Value scores_value(const ClassScores& scores, double beta) {
  Value out = object({{"precision", or_null(scores.precision)},
                      {"recall", or_null(scores.recall)},
                      {"f1", or_null(scores.f1)},
                      {"support", scores.support},
                      {"specificity", or_null(scores.specificity)},
                      {"fpr", or_null(scores.fpr)},
                      {"fnr", or_null(scores.fnr)}});
  if (beta != 1) out["f_beta"] = or_null(scores.f_beta);
  return out;
}

Value calibration_value(const std::vector<CalibrationBin>& bins) {
  Value out = Value::Array();
  for (const CalibrationBin& bin : bins) {
    out.push_back(object({{"low", bin.low},
                          {"high", bin.high},
                          {"weight", bin.weight},
                          {"probability", bin.probability},
                          {"share", bin.share}}));
  }
  return out;
}

// Names are unique, so that none has to be looked for: a thousand classes have thousands of them.
void add_reasons(Value& out, const Reasons& reasons) {
  if (reasons.empty()) return;
  Value::Object undefined;
  for (const auto& [name, reason] : reasons) undefined.emplace_back(name, reason);
  out["undefined"] = std::move(undefined);
}

// Counts of many classes fill much memory: they are moved to their place, never copied.
Value confusion_value(const ClassEvaluation& evaluation) {
  Value::Array counts;
  counts.reserve(evaluation.counts.size());
  for (const auto& row : evaluation.counts) counts.emplace_back(row);
  Value out = object({{"labels", evaluation.labels}});
  out["counts"] = std::move(counts);
  return out;
}

Value class_values(const ClassEvaluation& evaluation) {
  Value::Object out;
  for (std::size_t k = 0; k < evaluation.labels.size(); ++k) {
    out.emplace_back(evaluation.labels[k], scores_value(evaluation.per_class[k], evaluation.beta));
  }
  return out;
}

}  // namespace

Value to_value(const ClassEvaluation& evaluation) {
  Value out = object({{"n", evaluation.n},
                      {"accuracy", or_null(evaluation.accuracy)},
                      {"error_rate", or_null(evaluation.error_rate)}});
  out["confusion"] = confusion_value(evaluation);
  out["per_class"] = class_values(evaluation);
  out["macro"] = scores_value(evaluation.macro, evaluation.beta);
  out["weighted"] = scores_value(evaluation.weighted, evaluation.beta);
  out["balanced_accuracy"] = or_null(evaluation.balanced_accuracy);
  out["kappa"] = or_null(evaluation.kappa);
  out["mcc"] = or_null(evaluation.mcc);
  out["log_loss"] = or_null(evaluation.log_loss);
  out["brier"] = or_null(evaluation.brier);
  out["auc"] = or_null(evaluation.auc);
  out["auc_hand_till"] = or_null(evaluation.auc_hand_till);
  out["average_precision"] = or_null(evaluation.average_precision);
  out["ece"] = or_null(evaluation.ece);
  if (evaluation.labels.size() == 2) out["positive"] = evaluation.labels[evaluation.positive];
  if (evaluation.beta != 1) out["beta"] = evaluation.beta;
  if (!evaluation.calibration.empty()) {
    out["calibration"] = calibration_value(evaluation.calibration);
  }
  if (!evaluation.costs.is_null()) out["costs"] = evaluation.costs;
  if (!evaluation.thresholds.is_null()) out["thresholds"] = evaluation.thresholds;
  out["majority_baseline"] = or_null(evaluation.majority_baseline);
  if (!evaluation.curves.is_null()) out["curves"] = evaluation.curves;
  add_reasons(out, evaluation.undefined);
  return out;
}

Value to_value(const NumberEvaluation& evaluation) {
  Value out = object({{"n", evaluation.n},
                      {"mae", evaluation.mae},
                      {"mse", evaluation.mse},
                      {"rmse", evaluation.rmse},
                      {"r2", or_null(evaluation.r2)},
                      {"explained_variance", or_null(evaluation.explained_variance)},
                      {"mean_error", evaluation.mean_error},
                      {"mape", or_null(evaluation.mape)},
                      {"median_ae", evaluation.median_ae},
                      {"max_error", evaluation.max_error},
                      {"quantile_loss", evaluation.quantile_loss},
                      {"quantile", evaluation.quantile},
                      {"mean_baseline_rmse", evaluation.mean_baseline_rmse}});
  add_reasons(out, evaluation.undefined);
  return out;
}

}  // namespace gradus
