#include "gradus/evaluate/ndcg.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

double discount(std::size_t rank, std::size_t top) {
  if (top > 0 && rank >= top) return 0;
  return 1 / std::log2(static_cast<double>(rank) + 2);
}

}  // namespace

std::optional<double> ndcg(std::span<const double> relevance, std::span<const double> scores,
                           std::size_t top) {
  GRADUS_ASSERT(relevance.size() == scores.size());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  double gained = 0;
  for (std::size_t i = 0; i < order.size();) {
    const double score = scores[order[i]];
    const std::size_t first = i;
    double relevant = 0;
    double discounts = 0;
    for (; i < order.size() && scores[order[i]] == score; ++i) {
      relevant += relevance[order[i]];
      discounts += discount(i, top);
    }
    gained += relevant / static_cast<double>(i - first) * discounts;
  }
  std::vector<double> ideal(relevance.begin(), relevance.end());
  std::sort(ideal.begin(), ideal.end(), std::greater<>());
  double best = 0;
  for (std::size_t i = 0; i < ideal.size(); ++i) best += ideal[i] * discount(i, top);
  if (best <= 0) return std::nullopt;
  return gained / best;
}

}  // namespace gradus
