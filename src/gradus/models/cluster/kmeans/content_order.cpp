#include "gradus/models/cluster/kmeans/content_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "gradus/core/hash.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::kmeans {
namespace {

constexpr std::size_t kSmallestBlock = 2048;
constexpr std::size_t kRowsPerBucket = 16;
constexpr std::size_t kMaxBuckets = 4096;  // their sums stay in the first-level cache

}  // namespace

ContentOrder::ContentOrder(const Points& points, const Context& context)
    : hashes_(points.rows), buckets_(points.rows), rows_(points.rows) {
  const std::size_t wanted = std::clamp(points.rows / kRowsPerBucket, std::size_t{1}, kMaxBuckets);
  const std::size_t count = std::bit_floor(wanted);
  const int bits = std::countr_zero(count);
  parallel::for_each_block(context, points.rows, kSmallestBlock, [&](parallel::Block block) {
    std::vector<double> scratch;
    for (std::size_t row = block.begin; row < block.end; ++row) {
      hashes_[row] = hash64(std::as_bytes(std::span(points.row(row, scratch), points.cols)));
      const std::uint64_t bucket = bits == 0 ? 0 : hashes_[row] >> (64 - bits);
      buckets_[row] = static_cast<std::uint16_t>(bucket);
    }
  });
  begin_.assign(count + 1, 0);
  for (const std::uint16_t bucket : buckets_) ++begin_[bucket + 1U];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t row = 0; row < points.rows; ++row) rows_[next[buckets_[row]]++] = row;
}

std::vector<double> ContentOrder::bucket_sums(std::span<const double> masses,
                                              const Context& context) const {
  const std::size_t count = begin_.size() - 1;
  return parallel::reduce_ordered<std::vector<double>>(
      context, rows_.size(), std::max(kSmallestBlock, 8 * count),
      [&](parallel::Block block) {
        std::vector<double> sums(count, 0.0);
        for (std::size_t row = block.begin; row < block.end; ++row) {
          sums[buckets_[row]] += masses[row];
        }
        return sums;
      },
      [](std::vector<double>& total, std::vector<double>&& part) {
        for (std::size_t b = 0; b < total.size(); ++b) total[b] += part[b];
      });
}

std::vector<std::size_t> ContentOrder::sorted_bucket(std::size_t bucket) const {
  const auto at = [&](std::size_t b) { return rows_.begin() + static_cast<std::ptrdiff_t>(b); };
  std::vector<std::size_t> rows(at(begin_[bucket]), at(begin_[bucket + 1]));
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return hashes_[a] < hashes_[b]; });
  return rows;
}

std::size_t ContentOrder::draw(const std::vector<double>& sums, std::span<const double> masses,
                               double share) const {
  double left = share * std::accumulate(sums.begin(), sums.end(), 0.0);
  std::optional<std::size_t> last;
  for (std::size_t b = 0; b < sums.size(); ++b) {
    const bool final_bucket = b + 1 == sums.size();
    if (!final_bucket && left >= sums[b]) {
      left -= sums[b];
      continue;
    }
    for (const std::size_t row : sorted_bucket(b)) {
      if (!(masses[row] > 0)) continue;
      last = row;
      left -= masses[row];
      if (left < 0) return row;
    }
  }
  if (last) return *last;
  return *std::min_element(rows_.begin(), rows_.end(), [&](std::size_t a, std::size_t b) {
    return hashes_[a] < hashes_[b] || (hashes_[a] == hashes_[b] && a < b);
  });
}

}  // namespace gradus::kmeans
