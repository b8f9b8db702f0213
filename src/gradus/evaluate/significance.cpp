#include "gradus/evaluate/significance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/distributions.hpp"
#include "gradus/core/error.hpp"
#include "gradus/evaluate/average_ranks.hpp"

namespace gradus {
namespace {

constexpr double kExactMcNemar = 25;  // fewer discordant rows: the exact test
constexpr std::size_t kExactWilcoxon = 50;

struct Moments {
  double mean = 0;
  double variance = 0;  // with n - 1
};

Moments moments_of(std::span<const double> values) {
  Moments out;
  const auto n = static_cast<double>(values.size());
  for (const double x : values) out.mean += x / n;
  for (const double x : values) out.variance += (x - out.mean) * (x - out.mean) / (n - 1);
  return out;
}

// The t test of differences whose mean has the variance factor * s^2.
TestResult t_test(std::span<const double> differences, double factor, double level) {
  TestResult out;
  if (differences.size() < 2) {
    out.undefined = "at least two folds are needed";
    return out;
  }
  const Moments moments = moments_of(differences);
  out.df = static_cast<double>(differences.size() - 1);
  const double error = std::sqrt(factor * moments.variance);
  if (error == 0) {
    if (moments.mean == 0) {
      out.undefined = "the scores are the same in every fold";
    } else {
      out.undefined = "the difference is the same in every fold";
    }
    return out;
  }
  out.statistic = moments.mean / error;
  out.p = student_two_sided(out.statistic, out.df);
  const double half = student_quantile(level, out.df) * error;
  out.interval = Interval{moments.mean - half, moments.mean + half};
  return out;
}

// P(W <= w) for the sum of the ranks with a plus among 1..n, every sign being equally likely.
double signed_rank_below(std::size_t n, double w) {
  std::vector<double> ways(n * (n + 1) / 2 + 1, 0.0);
  ways[0] = 1;
  std::size_t reach = 0;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    reach += rank;
    for (std::size_t sum = reach; sum >= rank; --sum) ways[sum] += ways[sum - rank];
  }
  double below = 0;
  for (std::size_t sum = 0; sum < ways.size() && static_cast<double>(sum) <= w; ++sum) {
    below += ways[sum];
  }
  return below / std::pow(2.0, static_cast<double>(n));
}

}  // namespace

TestResult two_proportions(const ErrorCount& first, const ErrorCount& second, double level) {
  TestResult out{.name = "z test of two proportions"};
  const double e1 = first.errors / first.n;
  const double e2 = second.errors / second.n;
  const double half =
      normal_z(level) * std::sqrt(e1 * (1 - e1) / first.n + e2 * (1 - e2) / second.n);
  out.interval = Interval{e1 - e2 - half, e1 - e2 + half};
  const double pooled = (first.errors + second.errors) / (first.n + second.n);
  const double error = std::sqrt(pooled * (1 - pooled) * (1 / first.n + 1 / second.n));
  if (error == 0) {
    out.undefined = "both models are always right, or always wrong";
    return out;
  }
  out.statistic = (e1 - e2) / error;
  out.p = normal_two_sided(out.statistic);
  return out;
}

TestResult mcnemar(const Discordant& rows) {
  TestResult out{.name = "McNemar's test"};
  const double n = rows.only_first + rows.only_second;
  if (n == 0) {
    out.undefined = "both are right, or wrong, on the same rows";
    return out;
  }
  if (n < kExactMcNemar) {
    out.statistic = std::min(rows.only_first, rows.only_second);
    out.p = fair_coin_two_sided(rows.only_first, n);
    out.note = "exact, with the binomial distribution";
    return out;
  }
  const double apart = std::max(0.0, std::abs(rows.only_first - rows.only_second) - 1);
  out.statistic = apart * apart / n;
  out.df = 1;
  out.p = chi_squared_tail(out.statistic, 1);
  return out;
}

TestResult paired_t(std::span<const double> differences, double level) {
  TestResult out = t_test(
      differences, 1 / static_cast<double>(std::max<std::size_t>(differences.size(), 1)), level);
  out.name = "paired t test";
  out.note = "too sure of itself: the folds share training rows";
  return out;
}

TestResult corrected_t(std::span<const double> differences, const FoldSizes& sizes, double level) {
  const auto k = static_cast<double>(std::max<std::size_t>(differences.size(), 1));
  TestResult out = t_test(differences, 1 / k + sizes.test / sizes.train, level);
  out.name = "corrected resampled t test";
  return out;
}

TestResult five_by_two_f(std::span<const double> differences) {
  TestResult out{.name = "5x2cv F test"};
  if (differences.size() != 10) {
    out.undefined = "it needs five repetitions of two halves";
    return out;
  }
  double squares = 0;
  double variances = 0;
  for (std::size_t i = 0; i < 10; i += 2) {
    const double a = differences[i];
    const double b = differences[i + 1];
    squares += a * a + b * b;
    variances += (a - b) * (a - b) / 2;
  }
  out.df = 10;
  out.df2 = 5;
  if (variances == 0) {
    out.undefined = "the two halves never differ";
    return out;
  }
  out.statistic = squares / (2 * variances);
  out.p = fisher_tail(out.statistic, 10, 5);
  return out;
}

TestResult wilcoxon(std::span<const double> differences) {
  TestResult out{.name = "Wilcoxon's signed-rank test"};
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double d : differences) {
    if (d == 0) continue;
    sizes.push_back(std::abs(d));
    positive.push_back(d > 0);
  }
  const std::size_t n = sizes.size();
  if (n == 0) {
    out.undefined = "the scores are the same in every fold";
    return out;
  }
  const Ranks ranks = average_ranks(sizes);
  double plus = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (positive[i]) plus += ranks.ranks[i];
  }
  const auto count = static_cast<double>(n);
  const double total = count * (count + 1) / 2;
  out.statistic = std::min(plus, total - plus);
  const bool all_there = n == differences.size();
  if (n <= kExactWilcoxon && ranks.tie_term == 0 && all_there) {
    out.p = std::min(1.0, 2 * signed_rank_below(n, out.statistic));
    out.note = "exact";
    return out;
  }
  const double variance = count * (count + 1) * (2 * count + 1) / 24 - ranks.tie_term / 48;
  out.p = normal_two_sided((out.statistic - total / 2) / std::sqrt(variance));
  out.note = "normal approximation";
  return out;
}

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> out(p_values.size());
  double reached = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double scaled = p_values[order[i]] * static_cast<double>(order.size() - i);
    reached = std::max(reached, std::min(1.0, scaled));
    out[order[i]] = reached;
  }
  return out;
}

RankComparison compare_ranks(const std::vector<std::vector<double>>& scores, Better better,
                             double level) {
  GRADUS_ASSERT(scores.size() >= 2 && scores.front().size() >= 2);
  const std::size_t treatments = scores.front().size();
  const auto k = static_cast<double>(treatments);
  const auto n = static_cast<double>(scores.size());
  RankComparison out;
  out.mean_ranks.assign(treatments, 0.0);
  double ties = 0;
  for (std::vector<double> row : scores) {
    if (better == Better::higher) {
      for (double& x : row) x = -x;
    }
    const Ranks ranks = average_ranks(row);
    ties += ranks.tie_term;
    for (std::size_t t = 0; t < treatments; ++t) out.mean_ranks[t] += ranks.ranks[t] / n;
  }
  double squares = 0;
  for (const double rank : out.mean_ranks) squares += (rank * n) * (rank * n);
  const double chi = 12 / (k * n * (k + 1)) * squares - 3 * n * (k + 1);
  const double correction = 1 - ties / (n * k * (k * k - 1));
  out.friedman.name = "Friedman's test";
  out.friedman.df = k - 1;
  if (correction <= 0) {
    out.friedman.undefined = "all learners have the same score everywhere";
  } else {
    out.friedman.statistic = std::max(0.0, chi / correction);
    out.friedman.p = chi_squared_tail(out.friedman.statistic, k - 1);
  }
  const double error = std::sqrt(k * (k + 1) / (6 * n));
  const double sqrt2 = std::sqrt(2.0);
  out.critical_difference = studentized_range_quantile(level, treatments) / sqrt2 * error;
  out.nemenyi.assign(treatments, std::vector<double>(treatments, 1.0));
  const auto best = static_cast<std::size_t>(
      std::min_element(out.mean_ranks.begin(), out.mean_ranks.end()) - out.mean_ranks.begin());
  std::vector<double> against_best;
  for (std::size_t a = 0; a < treatments; ++a) {
    for (std::size_t b = 0; b < treatments; ++b) {
      const double apart = std::abs(out.mean_ranks[a] - out.mean_ranks[b]) / error;
      if (a != b) out.nemenyi[a][b] = studentized_range_tail(apart * sqrt2, treatments);
    }
    if (a != best) {
      against_best.push_back(normal_two_sided((out.mean_ranks[a] - out.mean_ranks[best]) / error));
    }
  }
  const std::vector<double> adjusted = holm_adjusted(against_best);
  for (std::size_t a = 0, i = 0; a < treatments; ++a) {
    out.holm.push_back(a == best ? 1.0 : adjusted[i++]);
  }
  return out;
}

Value to_value(const TestResult& result) {
  Value out = object({{"test", result.name}});
  const bool defined = result.undefined.empty();
  out["statistic"] = defined ? Value(result.statistic) : Value();
  out["p"] = defined ? Value(result.p) : Value();
  if (result.df > 0) out["df"] = result.df;
  if (result.df2 > 0) out["df2"] = result.df2;
  if (result.interval) {
    out["interval"] = Value(std::vector<double>{result.interval->low, result.interval->high});
  }
  if (!result.note.empty()) out["note"] = result.note;
  if (!defined) out["undefined"] = result.undefined;
  return out;
}

}  // namespace gradus
