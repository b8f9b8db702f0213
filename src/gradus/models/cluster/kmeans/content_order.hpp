// The rows in an order that their numbers alone decide.
//
// A start that draws rows along this order does not change when rows are shuffled, and a row of
// weight 2 is drawn like the same row written twice: equal rows stand side by side, and the mass
// that leads up to them is the same. The order is by a hash of the row, so it favours nobody; the
// top bits of the hash divide the rows into buckets, whose masses are summed in one pass, and only
// the bucket that is drawn from is ever sorted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/models/cluster/kmeans/points.hpp"

namespace gradus::kmeans {

class ContentOrder {
 public:
  ContentOrder(const Points& points, const Context& context);

  // The sums of masses[row] over each bucket.
  std::vector<double> bucket_sums(std::span<const double> masses, const Context& context) const;

  // The row at which the running sum of the masses, in this order, passes share * total; the last
  // row with any mass when rounding leaves none, and the first row when there is no mass at all.
  std::size_t draw(const std::vector<double>& sums, std::span<const double> masses,
                   double share) const;

 private:
  std::vector<std::size_t> sorted_bucket(std::size_t bucket) const;

  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint16_t> buckets_;  // of each row
  std::vector<std::size_t> begin_;      // of each bucket in rows_, and the end
  std::vector<std::size_t> rows_;       // bucket by bucket
};

}  // namespace gradus::kmeans
