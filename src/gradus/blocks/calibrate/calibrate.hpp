// From scores to probabilities: the three maps that are usual.
//
//   platt       P = 1 / (1 + exp(a·f + b)), a and b by maximum likelihood on smoothed targets
//               (N+ + 1)/(N+ + 2) and 1/(N- + 2) (Platt 1999)
//   isotonic    the non-decreasing step function of least squared error (pool adjacent violators),
//               joined by straight lines between its steps (Zadrozny and Elkan 2002)
//   temperature softmax(z / T), one T for all classes by maximum likelihood (Guo et al. 2017)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gradus {

// Rows of one score each: whether the row is of the class, and its weight (empty: 1 each).
struct ScoredRows {
  std::span<const double> scores;
  std::span<const std::uint8_t> positive;
  std::span<const double> weights;

  double weight(std::size_t i) const { return weights.empty() ? 1.0 : weights[i]; }
};

struct PlattMap {
  double a = 0;
  double b = 0;
  double operator()(double score) const;
};
PlattMap fit_platt(const ScoredRows& rows);

// Scores ascending, with the probability at each; constant beyond the ends, straight between.
struct IsotonicMap {
  std::vector<double> scores;
  std::vector<double> values;
  double operator()(double score) const;
};
IsotonicMap fit_isotonic(const ScoredRows& rows);

// Logarithms of class scores (rows x classes) and the class of every row.
struct ClassScores {
  std::span<const double> logs;
  std::size_t classes = 0;
  std::span<const std::int32_t> labels;
  std::span<const double> weights;

  std::size_t rows() const { return labels.size(); }
  double weight(std::size_t i) const { return weights.empty() ? 1.0 : weights[i]; }
};

// The mean of -log softmax(z / T) at the right classes.
double cross_entropy(const ClassScores& scores, double temperature);
// The T with the least cross entropy, from 1e-3 to 1e3.
double fit_temperature(const ClassScores& scores);

// softmax(z / T) of one row, in place.
void soften(std::span<double> logs, double temperature);

}  // namespace gradus
