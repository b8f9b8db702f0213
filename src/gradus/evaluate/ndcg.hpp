// Normalised discounted cumulative gain: how well scores put the relevant rows of a query first.
//
// DCG = sum_i relevance(i) / log2(i + 1) over the ranks i = 1, 2, ... of the rows by descending
// score, NDCG = DCG / (DCG of the best order). Rows with equal scores share the mean relevance of
// their group (McSherry and Najork 2008), so that the order of the file cannot matter.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace gradus {

// `top` cuts both sums after that many ranks; 0: no cut. Nothing when no row is relevant.
// Relevances are at least 0.
std::optional<double> ndcg(std::span<const double> relevance, std::span<const double> scores,
                           std::size_t top = 0);

}  // namespace gradus
