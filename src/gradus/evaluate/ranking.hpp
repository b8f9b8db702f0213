// Rows in the order of their scores: what AUC, the ROC and precision-recall curves, average
// precision, lift and the cheapest threshold are all read off.
//
// A score becomes a 64-bit key that sorts as the number does, positives and negatives are sorted
// apart by a parallel radix sort (their labels need not travel with them), and a merge from the
// highest score down meets each distinct score once, with the weight of the positives and of the
// negatives that have it. So ties are right by construction: tied rows are one step.
//
//   Ranking ranking(scores, positive, weights, context);
//   std::optional<double> auc = area_under_roc(ranking);      // 10 million rows: well under a
//   second
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gradus/core/context.hpp"

namespace gradus {

class Ranking {
 public:
  // `positive` holds 1 for the rows of the positive class, else 0. Scores must not be NaN; rows of
  // weight 0 are as good as absent.
  Ranking(std::span<const double> scores, std::span<const std::uint8_t> positive,
          std::span<const double> weights = {}, const Context& context = {});

  double positives() const { return positives_.total; }
  double negatives() const { return negatives_.total; }
  bool both_sides() const { return positives() > 0 && negatives() > 0; }

  // Calls `visit(score, positives, negatives)` for every distinct score, highest first.
  template <class Visit>
  void scan(Visit&& visit) const {
    std::size_t p = positives_.keys.size();
    std::size_t n = negatives_.keys.size();
    while (p > 0 || n > 0) {
      std::uint64_t key = 0;
      if (p > 0) key = positives_.keys[p - 1];
      if (n > 0 && negatives_.keys[n - 1] > key) key = negatives_.keys[n - 1];
      const double won = take_tied(positives_, p, key);
      const double lost = take_tied(negatives_, n, key);
      visit(score_of(key), won, lost);
    }
  }

 private:
  // One side of the ranking, by ascending key.
  struct Side {
    std::vector<std::uint64_t> keys;
    std::vector<double> weights;  // empty: every row weighs 1
    double total = 0;
  };

  static double score_of(std::uint64_t key);

  static double take_tied(const Side& side, std::size_t& end, std::uint64_t key) {
    const std::size_t begin = end;
    double sum = 0;
    for (; end > 0 && side.keys[end - 1] == key; --end) {
      if (!side.weights.empty()) sum += side.weights[end - 1];
    }
    return side.weights.empty() ? static_cast<double>(begin - end) : sum;
  }

  Side positives_;
  Side negatives_;
};

// P(positive scores higher) + P(equal) / 2; nothing when one side has no weight.
std::optional<double> area_under_roc(const Ranking& ranking);

// AUC with its standard error after DeLong, DeLong and Clarke-Pearson (1988): the spread, over the
// rows, of the share of the other side that a row beats. Nothing when a side has fewer than two
// rows.
struct AreaError {
  double area = 0;
  double standard_error = 0;
};
std::optional<AreaError> area_with_error(const Ranking& ranking);

// sum_k (R_k - R_(k-1)) P_k over the distinct scores; nothing without positives.
std::optional<double> average_precision(const Ranking& ranking);

// A curve over thresholds, from "nothing is positive" (threshold +infinity) down.
struct CurvePoint {
  double threshold = 0;
  double true_positives = 0;   // weight of positives at or above the threshold
  double false_positives = 0;  // the same of negatives
};

// Every distinct score, without the points that lie on a straight line of the ROC curve between
// their neighbours; above `most` points, an even choice of them.
std::vector<CurvePoint> threshold_curve(const Ranking& ranking, std::size_t most);

// The threshold of least cost when a false positive and a false negative cost this much.
struct Costs {
  double false_positive = 1;
  double false_negative = 1;
};
struct CheapThreshold {
  double threshold = 0;  // rows that score at least this are called positive; may be +infinity
  double cost = 0;       // total over the rows
};
CheapThreshold cheapest_threshold(const Ranking& ranking, const Costs& costs);

// Thresholds that textbooks call best, for two sides that both have weight; the highest one of
// several that are equally good.
struct GoodThreshold {
  double threshold = 0;  // may be +infinity: nothing is called positive
  double tpr = 0;
  double fpr = 0;
  double value = 0;  // of what it is best at
};
struct GoodThresholds {
  GoodThreshold youden;   // largest TPR - FPR
  GoodThreshold closest;  // smallest distance of (FPR, TPR) from (0, 1)
  GoodThreshold f1;       // largest F1
};
GoodThresholds good_thresholds(const Ranking& ranking);

}  // namespace gradus
