#include "gradus/blocks/splitter/surrogates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// An agreement must beat the larger side by more than rounding.
constexpr double kTie = 1e-10;

double value_of(const RankedColumn& column, std::uint32_t rank) {
  if (column.is_missing(rank)) return std::numeric_limits<double>::quiet_NaN();
  return column.nominal ? static_cast<double>(rank) : column.values[rank];
}

[[noreturn]] void refuse(const char* why) {
  throw Error(ErrorKind::bad_data, "model", std::string("the surrogates are damaged: ") + why);
}

}  // namespace

Side Surrogate::side_of(double x) const {
  if (std::isnan(x)) return Side::unknown;
  if (of_level.empty()) return (x <= threshold) != reversed ? Side::left : Side::right;
  if (!(x >= 0 && x < static_cast<double>(of_level.size()))) return Side::unknown;
  return of_level[static_cast<std::size_t>(x)];
}

void SurrogateFinder::find(std::size_t node, const NodeSample& sample, const ExactSplit& split) {
  if (by_node_.size() <= node) by_node_.resize(node + 1);
  std::vector<Surrogate>& list = by_node_[node];
  for (std::size_t j = 0; j < table_.cols() && most_ > 0; ++j) {
    if (j == split.question.feature) continue;
    std::optional<Surrogate> found = best_of(j, sample, split);
    if (found) list.push_back(std::move(*found));
  }
  std::stable_sort(list.begin(), list.end(), [](const Surrogate& a, const Surrogate& b) {
    return std::round(a.agreement / kTie) > std::round(b.agreement / kTie);
  });
  if (list.size() > most_) list.resize(most_);
}

std::optional<Surrogate> SurrogateFinder::best_of(std::size_t j, const NodeSample& sample,
                                                  const ExactSplit& split) {
  const RankedColumn& own = table_.column(split.question.feature);
  const RankedColumn& other = table_.column(j);
  known_.clear();
  double left = 0;
  double total = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const std::uint32_t asked = own.rank[sample.rows[i]];
    const std::uint32_t rank = other.rank[sample.rows[i]];
    if (own.is_missing(asked) || other.is_missing(rank)) continue;
    const bool goes = goes_left(split, own, asked);
    known_.push_back({rank, goes, sample.weights[i]});
    left += goes ? sample.weights[i] : 0;
    total += sample.weights[i];
  }
  if (known_.size() < 2 || total <= 0) return std::nullopt;
  Surrogate best{.feature = j, .agreement = 0};
  if (other.nominal) {
    search_levels(other, best);
  } else {
    search_numbers(other, best);
  }
  const double majority = std::max(left, total - left);
  if (best.agreement <= majority * (1 + kTie)) return std::nullopt;
  best.agreement /= total;
  return best;
}

void SurrogateFinder::search_numbers(const RankedColumn& column, Surrogate& best) {
  std::sort(known_.begin(), known_.end(),
            [](const Known& a, const Known& b) { return a.rank < b.rank; });
  double right_in_all = 0;
  double total = 0;
  for (const Known& one : known_) {
    right_in_all += one.left ? 0 : one.weight;
    total += one.weight;
  }
  double same = right_in_all;  // nothing goes left yet: all that go right agree
  for (std::size_t i = 0; i + 1 < known_.size(); ++i) {
    same += known_[i].left ? known_[i].weight : -known_[i].weight;
    if (known_[i].rank == known_[i + 1].rank) continue;
    const double agreement = std::max(same, total - same);
    if (agreement <= best.agreement + kTie) continue;
    best.agreement = agreement;
    best.reversed = same < total - same;
    best.threshold = column.cut_between(known_[i].rank, known_[i + 1].rank);
  }
}

void SurrogateFinder::search_levels(const RankedColumn& column, Surrogate& best) {
  std::vector<double> left(column.ranks, 0.0);
  std::vector<double> right(column.ranks, 0.0);
  for (const Known& one : known_) (one.left ? left : right)[one.rank] += one.weight;
  best.of_level.assign(column.ranks, Side::unknown);
  for (std::size_t level = 0; level < column.ranks; ++level) {
    if (left[level] + right[level] <= 0) continue;
    best.of_level[level] = left[level] >= right[level] ? Side::left : Side::right;
    best.agreement += std::max(left[level], right[level]);
  }
}

Side SurrogateFinder::side_of(std::size_t node, std::uint32_t row) const {
  for (const Surrogate& one : by_node_[node]) {
    const RankedColumn& column = table_.column(one.feature);
    const Side side = one.side_of(value_of(column, column.rank[row]));
    if (side != Side::unknown) return side;
  }
  return Side::unknown;
}

SurrogateSplits SurrogateFinder::take(std::span<const std::size_t> nodes) const {
  SurrogateSplits out;
  out.begin.push_back(0);
  for (const std::size_t node : nodes) {
    out.add_node(node < by_node_.size() ? std::span<const Surrogate>(by_node_[node])
                                        : std::span<const Surrogate>());
  }
  return out;
}

void SurrogateSplits::add_node(std::span<const Surrogate> list) {
  for (const Surrogate& one : list) {
    feature.push_back(static_cast<std::int32_t>(one.feature));
    threshold.push_back(one.threshold);
    reversed.push_back(one.reversed ? 1 : 0);
    levels.push_back(one.of_level.empty() ? kNumber : static_cast<std::int32_t>(sides.size()));
    for (const Side side : one.of_level) sides.push_back(static_cast<std::uint8_t>(side));
    agreement.push_back(one.agreement);
  }
  begin.push_back(static_cast<std::int32_t>(feature.size()));
}

Surrogate SurrogateSplits::get(std::size_t node, std::size_t i, std::size_t level_count) const {
  const std::size_t at = static_cast<std::size_t>(begin[node]) + i;
  Surrogate out{.feature = static_cast<std::size_t>(feature[at]),
                .threshold = threshold[at],
                .reversed = reversed[at] != 0,
                .agreement = agreement[at]};
  for (std::size_t level = 0; levels[at] != kNumber && level < level_count; ++level) {
    out.of_level.push_back(static_cast<Side>(sides[static_cast<std::size_t>(levels[at]) + level]));
  }
  return out;
}

Side SurrogateSplits::side_of(std::size_t node, std::span<const double> row) const {
  for (auto at = static_cast<std::size_t>(begin[node]);
       at < static_cast<std::size_t>(begin[node + 1]); ++at) {
    const double x = row[static_cast<std::size_t>(feature[at])];
    if (std::isnan(x)) continue;
    if (levels[at] == kNumber) {
      return (x <= threshold[at]) != (reversed[at] != 0) ? Side::left : Side::right;
    }
    const auto first = static_cast<std::size_t>(levels[at]);
    if (!(x >= 0 && x < static_cast<double>(sides.size() - first))) continue;
    const auto side = static_cast<Side>(sides[first + static_cast<std::size_t>(x)]);
    if (side != Side::unknown) return side;
  }
  return Side::unknown;
}

void SurrogateSplits::check(std::size_t nodes, std::span<const std::size_t> level_counts) const {
  const std::size_t count = feature.size();
  if (begin.size() != nodes + 1 || begin.front() != 0 ||
      static_cast<std::size_t>(std::max(begin.back(), 0)) != count || threshold.size() != count ||
      reversed.size() != count || levels.size() != count || agreement.size() != count) {
    refuse("their arrays differ in length");
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    if (begin[node] > begin[node + 1]) refuse("those of a node are out of place");
  }
  for (std::size_t at = 0; at < count; ++at) {
    if (feature[at] < 0 || static_cast<std::size_t>(feature[at]) >= level_counts.size()) {
      refuse("one asks for a column that is not there");
    }
    if (!std::isfinite(threshold[at]) || !std::isfinite(agreement[at]) || reversed[at] > 1) {
      refuse("a threshold or an agreement is not a number");
    }
    const std::size_t needed = level_counts[static_cast<std::size_t>(feature[at])];
    if (levels[at] == kNumber) continue;
    if (levels[at] < 0 || needed > sides.size() ||
        static_cast<std::size_t>(levels[at]) > sides.size() - needed) {
      refuse("a table of levels is out of range");
    }
  }
  for (const std::uint8_t side : sides) {
    if (side > static_cast<std::uint8_t>(Side::unknown)) refuse("a side is neither left nor right");
  }
}

}  // namespace gradus
