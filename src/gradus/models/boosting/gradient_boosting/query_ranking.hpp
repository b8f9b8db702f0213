// LambdaMART: gradients that put the rows of a query into the right order.
//
// A pair of rows of one query, the first more relevant, has a slope from the logistic loss of its
// score difference, times what swapping the two would change in the query's NDCG:
//
//   λ = |ΔNDCG| / (1 + e^(s_i − s_j)),    ΔNDCG = (2^y_i − 2^y_j) (1/log₂(2+r_i) − 1/log₂(2+r_j)) /
//   max
//
// with the ranks r from 0 (Burges 2010). Pairs whose better place is beyond the first 30 count not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/context.hpp"

namespace gradus {

class QueryRanking {
 public:
  QueryRanking() = default;
  // `query` has a number per row, the same for rows that are ranked together; rows of weight 0 take
  // no part.
  QueryRanking(std::span<const double> query, std::span<const double> relevance,
               std::span<const double> weights);

  // Whether some query has a row that is worth a better place than another.
  bool has_order() const;

  // The slope and the curvature of every row, weighted.
  void gradients(std::span<const double> scores, std::span<double> slope,
                 std::span<double> curvature, const Context& context) const;

  // 1 − the mean NDCG over the queries that have an order to find.
  double loss(std::span<const double> scores, const Context& context) const;

 private:
  std::span<const std::uint32_t> rows_of(std::size_t query) const {
    return {rows_.data() + first_[query], first_[query + 1] - first_[query]};
  }
  double ideal(std::span<const std::uint32_t> rows) const;
  std::vector<std::uint32_t> ranked(std::span<const std::uint32_t> rows,
                                    std::span<const double> scores) const;

  std::span<const double> relevance_;
  std::span<const double> weights_;
  std::vector<std::uint32_t> rows_;  // query by query
  std::vector<std::size_t> first_;   // query: where its rows begin; one more at the end
  std::vector<double> most_;         // query: its largest DCG
};

}  // namespace gradus
