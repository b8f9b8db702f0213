#include "gradus/blocks/target_statistics/target_statistics.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "gradus/blocks/rows/even_sort.hpp"
#include "gradus/data/column.hpp"

namespace gradus {
namespace {

// Keeps these draws apart from all others of the seed.
constexpr std::uint32_t kOrderPurpose = 0x6f726472;
// Keeps the numbers of equal rows apart.
constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;

struct Sums {
  double target = 0;
  double weight = 0;

  void add(double y, double w) {
    target += w * y;
    weight += w;
  }
  double statistic(double mean, double prior_weight) const {
    const double rows = weight + prior_weight;
    return rows > 0 ? (target + prior_weight * mean) / rows : mean;
  }
};

// Where a row comes in a random order.
struct Place {
  std::uint64_t drawn;
  std::uint32_t row;
  bool operator<(const Place& other) const {
    return std::tie(drawn, row) < std::tie(other.drawn, other.row);
  }
};

// Every bit of the number decides about every bit of what comes out (the finaliser of SplitMix64:
// Steele, Lea, Flood 2014), and no two numbers give the same. A stream of its own for each row of a
// table would take far longer.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27U) * 0x94d049bb133111eb;
  return x ^ x >> 31U;
}

// Rows ahead whose numbers are asked for before they are needed: in a random order they lie
// anywhere.
constexpr std::size_t kAhead = 16;

template <class Body>
void for_rows(const TargetsByCategory& data, std::span<const std::uint32_t> order,
              const Body& body) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t coming = order[std::min(i + kAhead, order.size() - 1)];
    __builtin_prefetch(data.codes.data() + coming);
    __builtin_prefetch(data.targets.data() + coming);
    __builtin_prefetch(data.weights.data() + coming);
    body(order[i], coming);
  }
}

}  // namespace

LevelStatistics level_statistics(const TargetsByCategory& data,
                                 std::span<const std::uint32_t> order, double prior_weight) {
  Sums all;
  std::vector<Sums> sums(data.levels);
  for_rows(data, order, [&](std::uint32_t row, std::uint32_t /*coming*/) {
    all.add(data.targets[row], data.weights[row]);
    if (data.codes[row] == kMissingCode) return;
    sums[static_cast<std::size_t>(data.codes[row])].add(data.targets[row], data.weights[row]);
  });
  LevelStatistics out;
  out.mean = all.statistic(0, 0);
  for (const Sums& level : sums) out.of_level.push_back(level.statistic(out.mean, prior_weight));
  return out;
}

std::vector<double> ordered_statistics(const TargetsByCategory& data, const LevelStatistics& levels,
                                       std::span<const std::uint32_t> order, double prior_weight) {
  std::vector<double> out(data.codes.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < out.size(); ++row) {
    if (data.codes[row] == kMissingCode) continue;
    out[row] = levels.of_level[static_cast<std::size_t>(data.codes[row])];
  }
  std::vector<Sums> before(data.levels);
  for_rows(data, order, [&](std::uint32_t row, std::uint32_t coming) {
    __builtin_prefetch(out.data() + coming, 1);
    if (data.codes[row] == kMissingCode) return;
    Sums& mine = before[static_cast<std::size_t>(data.codes[row])];
    out[row] = mine.statistic(levels.mean, prior_weight);
    mine.add(data.targets[row], data.weights[row]);
  });
  return out;
}

std::vector<std::uint32_t> random_order(std::span<const RowOccurrence> rows,
                                        std::span<const double> weights, const OrderSeed& seed) {
  const std::uint64_t turn = Stream(seed.seed, seed.turn, kOrderPurpose).next();
  std::vector<Place> places;
  places.reserve(rows.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    if (!(weights[row] > 0)) continue;
    places.push_back({mixed((rows[row].key ^ turn) + rows[row].before * kOdd), row});
  }
  Context alone;  // orders are drawn side by side
  alone.threads = 1;
  sort_evenly(
      places, [](const Place& place) { return place.drawn; }, alone);
  std::vector<std::uint32_t> order;
  order.reserve(places.size());
  for (const Place& place : places) order.push_back(place.row);
  return order;
}

}  // namespace gradus
