#include "gradus/blocks/histogram/bin_edges.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "gradus/blocks/tree/between.hpp"

namespace gradus {

std::vector<NumberRun> runs_of(std::span<const double> sorted) {
  std::vector<NumberRun> runs;
  for (const double x : sorted) {
    if (runs.empty() || runs.back().value != x) runs.push_back({x, 0});
    ++runs.back().count;
  }
  return runs;
}

namespace {

std::vector<NumberRun> with_zeros(std::vector<NumberRun> runs, std::size_t zeros) {
  if (zeros == 0) return runs;
  auto place =
      std::find_if(runs.begin(), runs.end(), [](const NumberRun& run) { return run.value >= 0; });
  if (place == runs.end() || place->value != 0) place = runs.insert(place, {0.0, 0});
  place->count += zeros;
  return runs;
}

}  // namespace

std::vector<NumberRun> runs_of(std::span<const double> sorted, std::size_t zeros) {
  return with_zeros(runs_of(sorted), zeros);
}

std::optional<std::vector<NumberRun>> runs_of_few(std::span<const double> numbers,
                                                  std::size_t zeros) {
  constexpr std::size_t kFew = 16;
  std::vector<NumberRun> runs;
  std::size_t last = 0;  // the run of the number before
  for (const double x : numbers) {
    if (last >= runs.size() || runs[last].value != x) {
      last = 0;
      while (last < runs.size() && runs[last].value != x) ++last;
      if (last == kFew) return std::nullopt;
      if (last == runs.size()) runs.push_back({x + 0.0, 0});  // of zeros, the positive one
    }
    ++runs[last].count;
  }
  std::sort(runs.begin(), runs.end(),
            [](const NumberRun& a, const NumberRun& b) { return a.value < b.value; });
  return with_zeros(std::move(runs), zeros);
}

std::vector<double> bin_edges(std::span<const NumberRun> runs, std::size_t max_bins) {
  std::vector<double> edges;
  if (runs.size() <= max_bins) {
    for (std::size_t i = 1; i < runs.size(); ++i) {
      edges.push_back(between(runs[i - 1].value, runs[i].value));
    }
    return edges;
  }
  // Greedy: close a bin when it holds its fair share of what is left, or when the next value alone
  // would fill one.
  std::size_t rest = 0;
  for (const NumberRun& run : runs) rest += run.count;
  std::size_t held = 0;
  for (std::size_t i = 0; i + 1 < runs.size() && edges.size() + 1 < max_bins; ++i) {
    held += runs[i].count;
    const std::size_t bins_left = max_bins - edges.size();
    const std::size_t share = (rest + bins_left - 1) / bins_left;
    if (held < share && runs[i + 1].count < share) continue;
    edges.push_back(between(runs[i].value, runs[i + 1].value));
    rest -= held;
    held = 0;
  }
  return edges;
}

std::vector<std::size_t> bin_counts(std::span<const NumberRun> runs,
                                    std::span<const double> edges) {
  std::vector<std::size_t> counts(edges.size() + 1, 0);
  std::size_t bin = 0;
  for (const NumberRun& run : runs) {
    while (bin < edges.size() && run.value > edges[bin]) ++bin;
    counts[bin] += run.count;
  }
  return counts;
}

EdgeSearch::EdgeSearch(std::span<const double> edges)
    : edges_(edges.begin(), edges.end()), half_(std::bit_ceil(edges.size() + 1) / 2) {
  edges_.resize(std::bit_ceil(edges.size() + 1), std::numeric_limits<double>::infinity());
}

}  // namespace gradus
