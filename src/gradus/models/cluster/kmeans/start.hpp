// Where the centres begin.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/cluster/kmeans/content_order.hpp"
#include "gradus/models/cluster/kmeans/points.hpp"

namespace gradus::kmeans {

// Greedy k-means++: the first centre is a row drawn by weight; each next one is the best of
// 2 + log k rows drawn with probability w d^2, d being the distance to the nearest centre so far.
// Rows are drawn along the order of their contents, so that neither shuffling nor writing a row
// twice instead of giving it weight 2 changes the start. Once every row is a centre, the first in
// this order is repeated. Returns rows.
std::vector<std::size_t> plus_plus_rows(const Points& points, const ContentOrder& order,
                                        std::size_t clusters, Stream stream,
                                        const Context& context);

// Distinct rows drawn by weight, without replacement.
std::vector<std::size_t> random_rows(const Points& points, std::size_t clusters, Stream stream);

std::vector<double> rows_as_centers(const Points& points, const std::vector<std::size_t>& rows);

// Distinct points among the rows of positive weight, counted up to `most`.
std::size_t count_distinct(const Points& points, std::size_t most);

}  // namespace gradus::kmeans
