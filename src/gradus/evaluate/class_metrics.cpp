// Measures of predicted classes that the confusion matrix gives, and the entry to all others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/name_list.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/class_parts.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/evaluate/row_weight.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kRowsPerBlock = 1 << 16;

double share(double part, double whole) { return whole > 0 ? part / whole : kNaN; }

// The mean over classes, leaving out those where the measure is undefined.
class ClassMean {
 public:
  void add(double value, double weight) {
    if (std::isnan(value)) return;
    sum_ += weight * value;
    total_ += weight;
  }
  double mean() const { return share(sum_, total_); }

 private:
  double sum_ = 0;
  double total_ = 0;
};

struct Tally {
  std::vector<double> counts;  // actual x predicted
  double squared_weights = 0;
};

Tally tally(const ClassAnswers& answers, const Context& context) {
  const std::size_t width = answers.labels.size();
  // Many labels make partial tables dear: then one table for all rows.
  const std::size_t smallest = width > 64 ? answers.actual.size() + 1 : kRowsPerBlock;
  const auto count_block = [&](parallel::Block block) {
    Tally part{std::vector<double>(width * width, 0.0), 0};
    for (std::size_t row = block.begin; row < block.end; ++row) {
      const auto a = static_cast<std::size_t>(answers.actual[row]);
      const auto p = static_cast<std::size_t>(answers.predicted[row]);
      GRADUS_ASSERT(a < width && p < width);
      const double weight = row_weight(answers.weights, row);
      part.counts[a * width + p] += weight;
      part.squared_weights += weight * weight;
    }
    return part;
  };
  Tally all = parallel::reduce_ordered<Tally>(
      context, answers.actual.size(), smallest, count_block, [](Tally& total, Tally&& part) {
        for (std::size_t i = 0; i < total.counts.size(); ++i) total.counts[i] += part.counts[i];
        total.squared_weights += part.squared_weights;
      });
  all.counts.resize(width * width, 0.0);
  return all;
}

struct Margins {
  std::vector<double> actual;
  std::vector<double> predicted;
};

Margins margins_of(const std::vector<std::vector<double>>& counts) {
  Margins out{std::vector<double>(counts.size(), 0.0), std::vector<double>(counts.size(), 0.0)};
  for (std::size_t a = 0; a < counts.size(); ++a) {
    for (std::size_t p = 0; p < counts.size(); ++p) {
      out.actual[a] += counts[a][p];
      out.predicted[p] += counts[a][p];
    }
  }
  return out;
}

ClassScores scores_of_class(const ClassEvaluation& out, const Margins& margins, std::size_t k) {
  const double hits = out.counts[k][k];
  const double support = margins.actual[k];
  const double called = margins.predicted[k];
  const double others = out.n - support;
  const double beta2 = out.beta * out.beta;
  ClassScores scores;
  scores.precision = share(hits, called);
  scores.recall = share(hits, support);
  scores.f1 = share(2 * hits, support + called);
  scores.support = support;
  scores.specificity = share(others - (called - hits), others);
  scores.fpr = share(called - hits, others);
  scores.fnr = share(support - hits, support);
  scores.f_beta = share((1 + beta2) * hits, beta2 * support + called);
  return scores;
}

constexpr double ClassScores::*kMeasures[] = {
    &ClassScores::precision, &ClassScores::recall, &ClassScores::f1,    &ClassScores::specificity,
    &ClassScores::fpr,       &ClassScores::fnr,    &ClassScores::f_beta};

void average_classes(ClassEvaluation& out, const Margins& margins) {
  for (double ClassScores::*measure : kMeasures) {
    ClassMean macro;
    ClassMean weighted;
    for (std::size_t k = 0; k < out.labels.size(); ++k) {
      const double value = out.per_class[k].*measure;
      if (margins.actual[k] + margins.predicted[k] > 0) macro.add(value, 1);
      weighted.add(value, margins.actual[k]);
    }
    out.macro.*measure = macro.mean();
    out.weighted.*measure = weighted.mean();
  }
  out.macro.support = out.weighted.support = out.n;
}

void explain_undefined_classes(ClassEvaluation& out, const Margins& margins) {
  for (std::size_t k = 0; k < out.labels.size(); ++k) {
    const std::string path = "per_class." + out.labels[k] + ".";
    const bool never_called = margins.predicted[k] == 0;
    const bool never_true = margins.actual[k] == 0;
    if (never_called)
      out.undefined.emplace_back(path + "precision", "the class is never predicted");
    if (never_true) {
      out.undefined.emplace_back(path + "recall", "the class does not occur");
      out.undefined.emplace_back(path + "fnr", "the class does not occur");
    }
    if (never_called && never_true) {
      out.undefined.emplace_back(path + "f1", "the class neither occurs nor is predicted");
    }
    if (margins.actual[k] == out.n) {
      out.undefined.emplace_back(path + "specificity", "no other class occurs");
      out.undefined.emplace_back(path + "fpr", "no other class occurs");
    }
  }
}

void score_agreement(ClassEvaluation& out, const Margins& margins) {
  out.kappa = out.mcc = out.balanced_accuracy = std::nullopt;
  double hits = 0;
  double expected = 0;
  double squares_actual = 0;
  double squares_predicted = 0;
  for (std::size_t k = 0; k < out.labels.size(); ++k) {
    hits += out.counts[k][k];
    expected += margins.actual[k] * margins.predicted[k];
    squares_actual += margins.actual[k] * margins.actual[k];
    squares_predicted += margins.predicted[k] * margins.predicted[k];
  }
  const double n2 = out.n * out.n;
  if (expected < n2) {
    out.kappa = (hits * out.n - expected) / (n2 - expected);
  } else {
    out.undefined.emplace_back("kappa", "chance agrees always: one class only");
  }
  const double spread = (n2 - squares_actual) * (n2 - squares_predicted);
  if (spread > 0) {
    out.mcc = (hits * out.n - expected) / std::sqrt(spread);
  } else {
    out.undefined.emplace_back(
        "mcc", n2 == squares_predicted ? "only one class is predicted" : "only one class occurs");
  }
  ClassMean recall;
  for (std::size_t k = 0; k < out.labels.size(); ++k) recall.add(out.per_class[k].recall, 1);
  if (!std::isnan(recall.mean())) out.balanced_accuracy = recall.mean();
}

std::size_t positive_index(const ClassAnswers& answers, const ClassOptions& options) {
  if (options.positive.empty()) return 1;
  const auto found = std::find(answers.labels.begin(), answers.labels.end(), options.positive);
  if (found == answers.labels.end()) {
    throw Error(ErrorKind::usage, "--positive",
                fmt::format("positive names the class {}, and the classes are {}",
                            in_quotes(options.positive), name_list(answers.labels)),
                did_you_mean(options.positive, answers.labels));
  }
  return static_cast<std::size_t>(found - answers.labels.begin());
}

}  // namespace

void score_confusion(ClassEvaluation& out) {
  const Margins margins = margins_of(out.counts);
  out.n = std::accumulate(margins.actual.begin(), margins.actual.end(), 0.0);
  double hits = 0;
  for (std::size_t k = 0; k < out.counts.size(); ++k) hits += out.counts[k][k];
  out.accuracy = share(hits, out.n);
  out.error_rate = share(out.n - hits, out.n);
  out.undefined.clear();
  out.per_class.clear();
  for (std::size_t k = 0; k < out.counts.size(); ++k) {
    out.per_class.push_back(scores_of_class(out, margins, k));
  }
  average_classes(out, margins);
  explain_undefined_classes(out, margins);
  score_agreement(out, margins);
  if (margins.actual.empty()) return;
  out.majority_baseline =
      share(*std::max_element(margins.actual.begin(), margins.actual.end()), out.n);
}

std::vector<double> class_counts(const ClassAnswers& answers, const Context& context) {
  return tally(answers, context).counts;
}

ClassEvaluation evaluate_classes(const ClassAnswers& answers, const ClassOptions& options,
                                 const Context& context) {
  GRADUS_ASSERT(answers.actual.size() == answers.predicted.size());
  GRADUS_ASSERT(answers.weights.empty() || answers.weights.size() == answers.actual.size());
  if (!(options.beta > 0 && std::isfinite(options.beta))) {
    throw Error(ErrorKind::usage, "--beta", "beta must be above 0",
                "2 weighs recall more than precision, 0.5 less");
  }
  const std::size_t width = answers.labels.size();
  const Tally counted = tally(answers, context);
  ClassEvaluation out;
  out.labels = answers.labels;
  out.positive = positive_index(answers, options);
  out.beta = options.beta;
  for (std::size_t a = 0; a < width; ++a) {
    const double* row = counted.counts.data() + a * width;
    out.counts.emplace_back(row, row + width);
  }
  score_confusion(out);
  out.effective_n = counted.squared_weights > 0 ? out.n * out.n / counted.squared_weights : 0;
  add_number_measures(out, answers, options, context);
  return out;
}

ClassEvaluation evaluate_classes(std::span<const std::int32_t> actual,
                                 std::span<const std::int32_t> predicted,
                                 std::span<const double> probabilities,
                                 const std::vector<std::string>& labels,
                                 std::span<const double> weights) {
  return evaluate_classes(
      {actual, predicted, labels, probabilities, ScoreKind::probabilities, weights});
}

}  // namespace gradus
