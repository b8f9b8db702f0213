#include "gradus/evaluate/metric_names.hpp"

#include <fmt/format.h>

#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

constexpr MetricInfo kMetrics[] = {
    {"accuracy", Task::classify, Better::higher, "accuracy"},
    {"error_rate", Task::classify, Better::lower, "error rate"},
    {"balanced_accuracy", Task::classify, Better::higher, "balanced accuracy"},
    {"macro.f1", Task::classify, Better::higher, "macro F1"},
    {"macro.precision", Task::classify, Better::higher, "macro precision"},
    {"macro.recall", Task::classify, Better::higher, "macro recall"},
    {"macro.f_beta", Task::classify, Better::higher, "macro F-beta"},
    {"weighted.f1", Task::classify, Better::higher, "weighted F1"},
    {"positive.precision", Task::classify, Better::higher, "precision of the positive class"},
    {"positive.recall", Task::classify, Better::higher, "recall of the positive class"},
    {"positive.f1", Task::classify, Better::higher, "F1 of the positive class"},
    {"positive.f_beta", Task::classify, Better::higher, "F-beta of the positive class"},
    {"positive.specificity", Task::classify, Better::higher, "specificity of the positive class"},
    {"kappa", Task::classify, Better::higher, "kappa"},
    {"mcc", Task::classify, Better::higher, "Matthews correlation"},
    {"auc", Task::classify, Better::higher, "area under the ROC curve"},
    {"auc_hand_till", Task::classify, Better::higher, "Hand and Till's area"},
    {"average_precision", Task::classify, Better::higher, "average precision"},
    {"log_loss", Task::classify, Better::lower, "log-loss"},
    {"brier", Task::classify, Better::lower, "Brier score"},
    {"ece", Task::classify, Better::lower, "calibration error"},
    {"costs.mean", Task::classify, Better::lower, "mean cost"},
    {"rmse", Task::regress, Better::lower, "root mean squared error"},
    {"mae", Task::regress, Better::lower, "mean absolute error"},
    {"mse", Task::regress, Better::lower, "mean squared error"},
    {"r2", Task::regress, Better::higher, "R²"},
    {"explained_variance", Task::regress, Better::higher, "explained variance"},
    {"median_ae", Task::regress, Better::lower, "median absolute error"},
    {"mape", Task::regress, Better::lower, "mean absolute percentage error"},
    {"max_error", Task::regress, Better::lower, "largest error"},
    {"quantile_loss", Task::regress, Better::lower, "quantile loss"},
    {"ndcg", Task::regress, Better::higher, "NDCG"},
    {"silhouette", Task::cluster, Better::higher, "silhouette"},
    {"calinski_harabasz", Task::cluster, Better::higher, "Calinski-Harabasz index"},
    {"davies_bouldin", Task::cluster, Better::lower, "Davies-Bouldin index"},
    {"adjusted_rand", Task::cluster, Better::higher, "adjusted Rand index"},
    {"normalized_mutual_information", Task::cluster, Better::higher,
     "normalised mutual information"},
    {"purity", Task::cluster, Better::higher, "purity"},
};

// The scores of the class that two classes are about; nothing for more than two.
const Value* positive_scores(const Value& scores) {
  const Value* label = scores.find("positive");
  const Value* classes = scores.find("per_class");
  const bool two = label != nullptr && label->is_string() && classes != nullptr;
  return two ? classes->find(label->as_string()) : nullptr;
}

}  // namespace

std::vector<MetricInfo> metrics_of(Task task) {
  std::vector<MetricInfo> out;
  for (const MetricInfo& metric : kMetrics) {
    if (metric.task == task) out.push_back(metric);
  }
  return out;
}

const MetricInfo& find_metric(std::string_view name, Task task) {
  std::vector<std::string> names;
  for (const MetricInfo& metric : kMetrics) {
    if (metric.task != task) continue;
    if (name.empty() || metric.name == name) return metric;
    names.emplace_back(metric.name);
  }
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = "the measures are " + join(names, ", ");
  throw Error(ErrorKind::usage, "--metric",
              fmt::format("{} has no measure {}", task_word(task), in_quotes(name)), hint);
}

bool is_better(const MetricInfo& metric, double a, double b) {
  return metric.better == Better::higher ? a > b : a < b;
}

Interval metric_range(const MetricInfo& metric) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::string_view name = metric.name;
  // Correlations and agreement beyond chance fall below 0, and so do measures that compare with
  // always giving the mean.
  if (name == "kappa" || name == "mcc" || name == "silhouette" || name == "adjusted_rand") {
    return {-1, 1};
  }
  if (name == "r2" || name == "explained_variance") return {-kInfinity, 1};
  if (name == "log_loss" || name == "costs.mean" || name == "calinski_harabasz") {
    return {0, kInfinity};
  }
  const bool a_share = metric.better == Better::higher || metric.task == Task::classify;
  if (name == "brier") return {0, 2};
  return {0, a_share ? 1 : kInfinity};
}

std::optional<double> metric_value(const Value& scores, const MetricInfo& metric) {
  const Value* at = &scores;
  for (const std::string& part : split_text(metric.name, '.')) {
    if (part == "positive") {
      at = positive_scores(scores);
    } else {
      at = at->is_object() ? at->find(part) : nullptr;
    }
    if (at == nullptr) return std::nullopt;
  }
  return at->is_number() ? std::optional<double>(at->as_number()) : std::nullopt;
}

}  // namespace gradus
