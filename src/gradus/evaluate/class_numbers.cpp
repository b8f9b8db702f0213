// Measures of class probabilities and scores: log-loss, Brier, calibration, AUC, average precision.
#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/class_parts.hpp"
#include "gradus/evaluate/row_weight.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kRowsPerPart = 1 << 16;
constexpr std::size_t kBins = 10;

struct LossSums {
  double log_loss = 0;
  double brier = 0;
  double log_loss_squares = 0;  // of w * loss, for the standard error
  double brier_squares = 0;
  double squared_weights = 0;
  double log_loss_cross = 0;  // sum of w^2 * loss
  double brier_cross = 0;
  double weight[kBins] = {};
  double probability[kBins] = {};
  double came_true[kBins] = {};

  void add(const LossSums& other) {
    log_loss += other.log_loss;
    brier += other.brier;
    log_loss_squares += other.log_loss_squares;
    brier_squares += other.brier_squares;
    squared_weights += other.squared_weights;
    log_loss_cross += other.log_loss_cross;
    brier_cross += other.brier_cross;
    for (std::size_t b = 0; b < kBins; ++b) {
      weight[b] += other.weight[b];
      probability[b] += other.probability[b];
      came_true[b] += other.came_true[b];
    }
  }
};

// The claim of a row that calibration checks: how probable, and whether it came true.
struct Claim {
  double probability = 0;
  bool came_true = false;
};

Claim claim_of(const ClassAnswers& answers, std::size_t row, std::size_t positive) {
  const std::size_t width = answers.labels.size();
  const auto actual = static_cast<std::size_t>(answers.actual[row]);
  const auto claimed = width == 2 ? positive : static_cast<std::size_t>(answers.predicted[row]);
  return {answers.numbers[row * width + claimed], claimed == actual};
}

void add_row(LossSums& sums, const ClassAnswers& answers, std::size_t row, std::size_t positive) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  const std::size_t width = answers.labels.size();
  const double* p = answers.numbers.data() + row * width;
  const auto truth = static_cast<std::size_t>(answers.actual[row]);
  const double weight = row_weight(answers.weights, row);
  const double log_loss = -std::log(std::clamp(p[truth], kEps, 1 - kEps));
  double brier = 0;
  if (width == 2) {
    const double difference = p[positive] - (positive == truth ? 1.0 : 0.0);
    brier = difference * difference;
  } else {
    for (std::size_t k = 0; k < width; ++k) {
      const double difference = p[k] - (k == truth ? 1.0 : 0.0);
      brier += difference * difference;
    }
  }
  const double w2 = weight * weight;
  sums.log_loss += weight * log_loss;
  sums.brier += weight * brier;
  sums.log_loss_squares += w2 * log_loss * log_loss;
  sums.brier_squares += w2 * brier * brier;
  sums.log_loss_cross += w2 * log_loss;
  sums.brier_cross += w2 * brier;
  sums.squared_weights += w2;
  const Claim claim = claim_of(answers, row, positive);
  const double scaled = std::clamp(claim.probability, 0.0, 1.0) * kBins;
  const std::size_t bin = std::min(static_cast<std::size_t>(scaled), kBins - 1);
  sums.weight[bin] += weight;
  sums.probability[bin] += weight * claim.probability;
  if (claim.came_true) sums.came_true[bin] += weight;
}

// The standard error of the weighted mean m = sum w x / sum w: sqrt(sum w^2 (x - m)^2) / sum w,
// with the usual n / (n - 1).
std::optional<double> error_of_mean(double mean, double squares, double cross, const LossSums& sums,
                                    const ClassEvaluation& out) {
  if (out.effective_n <= 1) return std::nullopt;
  const double spread =
      std::max(0.0, squares - 2 * mean * cross + mean * mean * sums.squared_weights);
  return std::sqrt(spread * out.effective_n / (out.effective_n - 1)) / out.n;
}

void score_probabilities(ClassEvaluation& out, const ClassAnswers& answers,
                         const Context& context) {
  const LossSums sums = parallel::reduce_ordered<LossSums>(
      context, answers.actual.size(), kRowsPerPart,
      [&](parallel::Block block) {
        LossSums part;
        for (std::size_t row = block.begin; row < block.end; ++row) {
          add_row(part, answers, row, out.positive);
        }
        return part;
      },
      [](LossSums& total, LossSums&& part) { total.add(part); });
  out.log_loss = sums.log_loss / out.n;
  out.brier = sums.brier / out.n;
  out.log_loss_error =
      error_of_mean(*out.log_loss, sums.log_loss_squares, sums.log_loss_cross, sums, out);
  out.brier_error = error_of_mean(*out.brier, sums.brier_squares, sums.brier_cross, sums, out);
  double gap = 0;
  for (std::size_t b = 0; b < kBins; ++b) {
    if (sums.weight[b] == 0) continue;
    const double edge = 1.0 / kBins;
    out.calibration.push_back({static_cast<double>(b) * edge, static_cast<double>(b + 1) * edge,
                               sums.weight[b], sums.probability[b] / sums.weight[b],
                               sums.came_true[b] / sums.weight[b]});
    gap += std::abs(sums.probability[b] - sums.came_true[b]);
  }
  out.ece = gap / out.n;
}

// Hand and Till: for each pair of classes, how well each one's number tells the two apart.
std::optional<double> hand_till(const ClassAnswers& answers, const Context& context) {
  const std::size_t width = answers.labels.size();
  double sum = 0;
  for (std::size_t a = 0; a < width; ++a) {
    for (std::size_t b = 0; b < width; ++b) {
      if (a == b) continue;
      std::vector<double> scores;
      std::vector<std::uint8_t> positive;
      std::vector<double> weights;
      for (std::size_t row = 0; row < answers.actual.size(); ++row) {
        const auto truth = static_cast<std::size_t>(answers.actual[row]);
        if (truth != a && truth != b) continue;
        scores.push_back(answers.numbers[row * width + a]);
        positive.push_back(truth == a ? 1 : 0);
        if (!answers.weights.empty()) weights.push_back(answers.weights[row]);
      }
      const auto one = area_under_roc(Ranking(scores, positive, weights, context));
      if (!one) return std::nullopt;
      sum += *one;
    }
  }
  return sum / static_cast<double>(width * (width - 1));
}

constexpr std::size_t kMostPairwiseClasses = 64;  // pairs of more classes take minutes

Value threshold_value(const GoodThreshold& one, const char* measure) {
  Value out = object({{"threshold", std::isfinite(one.threshold) ? Value(one.threshold) : Value()},
                      {"tpr", one.tpr},
                      {"fpr", one.fpr}});
  out[measure] = one.value;
  return out;
}

void score_two_classes(ClassEvaluation& out, const ClassAnswers& answers, Depth depth,
                       const Context& context) {
  const Ranking ranking = rank_class(answers, out.positive, context);
  out.auc = area_under_roc(ranking);
  out.auc_hand_till = out.auc;
  if (const auto area = area_with_error(ranking)) out.auc_error = area->standard_error;
  if (ranking.both_sides()) {
    out.average_precision = average_precision(ranking);
    if (depth == Depth::quick) return;
    const GoodThresholds best = good_thresholds(ranking);
    out.thresholds = object({{"youden", threshold_value(best.youden, "youden")},
                             {"closest", threshold_value(best.closest, "distance")},
                             {"f1", threshold_value(best.f1, "f1")}});
  } else {
    for (const char* name : {"auc", "auc_hand_till", "average_precision"}) {
      out.undefined.emplace_back(name, "only one class occurs");
    }
  }
}

// One class against the rest.
struct ClassRank {
  bool occurs = false;
  bool others_occur = false;
  double area = 0;
  double precision = 0;
};

ClassRank rank_of(const Ranking& ranking) {
  ClassRank out{.occurs = ranking.positives() > 0, .others_occur = ranking.negatives() > 0};
  if (!ranking.both_sides()) return out;
  out.area = *area_under_roc(ranking);
  out.precision = *average_precision(ranking);
  return out;
}

constexpr std::size_t kManyClasses = 64;     // more are ranked beside each other
constexpr std::size_t kClassesPerBlock = 8;  // as many numbers as a line of the cache holds

// Few classes are ranked one after the other, each with all threads. Of many, each thread takes a
// few neighbours: their numbers lie together in every row, and are fetched once for all of them.
std::vector<ClassRank> rank_classes(const ClassAnswers& answers, const Context& context) {
  const std::size_t width = answers.labels.size();
  std::vector<ClassRank> out(width);
  if (width <= kManyClasses) {
    for (std::size_t k = 0; k < width; ++k) out[k] = rank_of(rank_class(answers, k, context));
    return out;
  }
  const std::size_t rows = answers.actual.size();
  parallel::for_each_block(context, width, kClassesPerBlock, [&](parallel::Block block) {
    const std::size_t classes = block.end - block.begin;
    std::vector<double> numbers(classes * rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const double* at = answers.numbers.data() + row * width + block.begin;
      for (std::size_t c = 0; c < classes; ++c) numbers[c * rows + row] = at[c];
    }
    std::vector<std::uint8_t> positive(rows);
    for (std::size_t c = 0; c < classes; ++c) {
      for (std::size_t row = 0; row < rows; ++row) {
        positive[row] = static_cast<std::size_t>(answers.actual[row]) == block.begin + c ? 1 : 0;
      }
      const std::span<const double> column(numbers.data() + c * rows, rows);
      out[block.begin + c] = rank_of(Ranking(column, positive, answers.weights, context));
    }
  });
  return out;
}

void score_many_classes(ClassEvaluation& out, const ClassAnswers& answers, Depth depth,
                        const Context& context) {
  double area = 0;
  double precision = 0;
  const std::vector<ClassRank> ranks = rank_classes(answers, context);
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    if (!ranks[k].occurs || !ranks[k].others_occur) {
      for (const char* name : {"auc", "auc_hand_till", "average_precision"}) {
        out.undefined.emplace_back(
            name, !ranks[k].occurs ? "class " + in_quotes(out.labels[k]) + " does not occur"
                                   : "only one class occurs");
      }
      return;
    }
    area += ranks[k].area;
    precision += ranks[k].precision;
  }
  out.auc = area / static_cast<double>(out.labels.size());
  out.average_precision = precision / static_cast<double>(out.labels.size());
  if (depth == Depth::quick) return;
  if (out.labels.size() <= kMostPairwiseClasses) {
    out.auc_hand_till = hand_till(answers, context);
  } else {
    out.undefined.emplace_back("auc_hand_till", "there are too many classes to compare in pairs");
  }
}

}  // namespace

Ranking rank_class(const ClassAnswers& answers, std::size_t k, const Context& context) {
  const std::size_t width = answers.labels.size();
  std::vector<double> column(answers.actual.size());
  std::vector<std::uint8_t> positive(answers.actual.size());
  const bool difference = width == 2 && answers.kind == ScoreKind::scores;
  parallel::for_each_block(context, column.size(), kRowsPerPart, [&](parallel::Block block) {
    for (std::size_t row = block.begin; row < block.end; ++row) {
      const double* at = answers.numbers.data() + row * width;
      column[row] = difference ? at[k] - at[1 - k] : at[k];
      positive[row] = static_cast<std::size_t>(answers.actual[row]) == k ? 1 : 0;
    }
  });
  return Ranking(column, positive, answers.weights, context);
}

void add_number_measures(ClassEvaluation& out, const ClassAnswers& answers,
                         const ClassOptions& options, const Context& context) {
  const bool numbers = !answers.numbers.empty();
  const bool probable = numbers && answers.kind == ScoreKind::probabilities;
  GRADUS_ASSERT(!numbers || answers.numbers.size() == answers.actual.size() * out.labels.size());
  if (probable) {
    score_probabilities(out, answers, context);
  } else {
    for (const char* name : {"log_loss", "brier", "ece"}) {
      out.undefined.emplace_back(name, "there are no probabilities");
    }
  }
  if (!numbers || out.labels.size() < 2) {
    for (const char* name : {"auc", "auc_hand_till", "average_precision"}) {
      out.undefined.emplace_back(
          name, numbers ? "only one class occurs" : "there are no probabilities or scores");
    }
  } else if (out.labels.size() == 2) {
    score_two_classes(out, answers, options.depth, context);
  } else {
    score_many_classes(out, answers, options.depth, context);
  }
  if (!options.costs.empty()) out.costs = cost_measures(out, answers, options, context);
  if (options.curve_points > 0 && numbers) {
    out.curves = class_curves(out, answers, options, context);
  }
}

double class_log_loss(const ClassAnswers& answers, const Context& context) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  const std::size_t width = answers.labels.size();
  GRADUS_ASSERT(answers.numbers.size() == answers.actual.size() * width);
  struct Sums {
    double loss = 0;
    double weight = 0;
  };
  const Sums sums = parallel::reduce_ordered<Sums>(
      context, answers.actual.size(), kRowsPerPart,
      [&](parallel::Block block) {
        Sums part;
        for (std::size_t row = block.begin; row < block.end; ++row) {
          const double weight = row_weight(answers.weights, row);
          const double p =
              answers.numbers[row * width + static_cast<std::size_t>(answers.actual[row])];
          part.loss -= weight * std::log(std::clamp(p, kEps, 1 - kEps));
          part.weight += weight;
        }
        return part;
      },
      [](Sums& total, Sums&& part) {
        total.loss += part.loss;
        total.weight += part.weight;
      });
  return sums.loss / sums.weight;
}

std::optional<double> roc_auc(std::span<const double> scores, const std::vector<bool>& positive,
                              std::span<const double> weights) {
  const std::vector<std::uint8_t> sides(positive.begin(), positive.end());
  return area_under_roc(Ranking(scores, sides, weights));
}

std::optional<double> class_auc(std::span<const std::int32_t> actual,
                                std::span<const double> scores, std::size_t classes, ScoreKind kind,
                                std::span<const double> weights) {
  GRADUS_ASSERT(scores.size() == actual.size() * classes);
  if (classes < 2) return std::nullopt;
  const std::vector<std::string> labels(classes);
  const ClassAnswers answers{actual, actual, labels, scores, kind, weights};
  double sum = 0;
  const std::size_t first = classes == 2 ? 1 : 0;
  for (std::size_t k = first; k < classes; ++k) {
    const std::optional<double> one = area_under_roc(rank_class(answers, k, {}));
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum / static_cast<double>(classes - first);
}

}  // namespace gradus
