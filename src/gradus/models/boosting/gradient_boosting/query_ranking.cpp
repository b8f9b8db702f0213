#include "gradus/models/boosting/gradient_boosting/query_ranking.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kTop = 30;

double gain(double relevance) { return std::exp2(relevance) - 1; }
double discount(std::size_t rank) { return 1 / std::log2(2 + static_cast<double>(rank)); }

}  // namespace

QueryRanking::QueryRanking(std::span<const double> query, std::span<const double> relevance,
                           std::span<const double> weights)
    : relevance_(relevance), weights_(weights) {
  for (std::size_t row = 0; row < query.size(); ++row) {
    if (weights[row] > 0) rows_.push_back(static_cast<std::uint32_t>(row));
  }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return query[a] < query[b]; });
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (i == 0 || query[rows_[i]] != query[rows_[i - 1]]) first_.push_back(i);
  }
  first_.push_back(rows_.size());
  for (std::size_t q = 0; q + 1 < first_.size(); ++q) most_.push_back(ideal(rows_of(q)));
}

bool QueryRanking::has_order() const {
  for (std::size_t q = 0; q + 1 < first_.size(); ++q) {
    for (const std::uint32_t row : rows_of(q)) {
      if (relevance_[row] != relevance_[rows_of(q).front()]) return true;
    }
  }
  return false;
}

double QueryRanking::ideal(std::span<const std::uint32_t> rows) const {
  std::vector<double> gains;
  for (const std::uint32_t row : rows) gains.push_back(gain(relevance_[row]));
  std::sort(gains.begin(), gains.end(), std::greater<>());
  double sum = 0;
  for (std::size_t rank = 0; rank < gains.size(); ++rank) sum += gains[rank] * discount(rank);
  return sum;
}

// The rows of a query by falling score; equal scores keep the order of the table.
std::vector<std::uint32_t> QueryRanking::ranked(std::span<const std::uint32_t> rows,
                                                std::span<const double> scores) const {
  std::vector<std::uint32_t> order(rows.begin(), rows.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  return order;
}

void QueryRanking::gradients(std::span<const double> scores, std::span<double> slope,
                             std::span<double> curvature, const Context& context) const {
  std::fill(slope.begin(), slope.end(), 0.0);
  std::fill(curvature.begin(), curvature.end(), 0.0);
  // A row is in one query, so queries side by side write to different places.
  parallel::for_each_index(context, most_.size(), [&](std::size_t q) {
    if (!(most_[q] > 0)) return;
    const std::vector<std::uint32_t> order = ranked(rows_of(q), scores);
    for (std::size_t i = 0; i < std::min(order.size(), kTop); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        std::uint32_t better = order[i];
        std::uint32_t worse = order[j];
        if (relevance_[better] == relevance_[worse]) continue;
        if (relevance_[better] < relevance_[worse]) std::swap(better, worse);
        const double change = (gain(relevance_[better]) - gain(relevance_[worse])) *
                              (discount(i) - discount(j)) / most_[q];
        const double p = 1 / (1 + std::exp(scores[better] - scores[worse]));
        slope[better] -= p * change;
        slope[worse] += p * change;
        curvature[better] += p * (1 - p) * change;
        curvature[worse] += p * (1 - p) * change;
      }
    }
    for (const std::uint32_t row : order) {
      slope[row] *= weights_[row];
      curvature[row] *= weights_[row];
    }
  });
}

double QueryRanking::loss(std::span<const double> scores, const Context& context) const {
  struct Sums {
    double ndcg = 0;
    double queries = 0;
  };
  const Sums sums = parallel::reduce_ordered<Sums>(
      context, most_.size(), 64,
      [&](parallel::Block block) {
        Sums part;
        for (std::size_t q = block.begin; q < block.end; ++q) {
          if (!(most_[q] > 0)) continue;
          const std::vector<std::uint32_t> order = ranked(rows_of(q), scores);
          double dcg = 0;
          for (std::size_t rank = 0; rank < order.size(); ++rank) {
            dcg += gain(relevance_[order[rank]]) * discount(rank);
          }
          part.ndcg += dcg / most_[q];
          part.queries += 1;
        }
        return part;
      },
      [](Sums& total, const Sums& part) {
        total.ndcg += part.ndcg;
        total.queries += part.queries;
      });
  return sums.queries > 0 ? 1 - sums.ndcg / sums.queries : 0;
}

}  // namespace gradus
