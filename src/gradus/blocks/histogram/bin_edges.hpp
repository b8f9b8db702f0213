// Where a column of numbers is cut into bins, and which bin a number falls into.
//
// A column with few distinct values is cut between each two of them, so nothing is lost; others are
// cut at quantiles of a sample, a frequent value having a bin of its own.
//
//   const std::vector<double> edges = bin_edges(runs_of(sorted), 255);
//   EdgeSearch(edges).bin_of(0.5)
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace gradus {

inline constexpr std::size_t kNoBin = std::numeric_limits<std::size_t>::max();

// A number and how often it occurs.
struct NumberRun {
  double value = 0;
  std::size_t count = 0;
};

// Each distinct number of a sorted list, ascending.
std::vector<NumberRun> runs_of(std::span<const double> sorted);

// The same with so many zeros more, which need not be in the list.
std::vector<NumberRun> runs_of(std::span<const double> sorted, std::size_t zeros);

// The same for numbers in any order; nothing when more than a few of them are different.
std::optional<std::vector<NumberRun>> runs_of_few(std::span<const double> numbers,
                                                  std::size_t zeros);

// The edges between at most `max_bins` bins.
std::vector<double> bin_edges(std::span<const NumberRun> runs, std::size_t max_bins);

// The rows of each bin.
std::vector<std::size_t> bin_counts(std::span<const NumberRun> runs, std::span<const double> edges);

// Finds bins among edges without a branch: half of those that are left are taken or not.
class EdgeSearch {
 public:
  explicit EdgeSearch(std::span<const double> edges);
  // The number of edges below a number; 0 for what is missing.
  std::size_t bin_of(double number) const {
    std::size_t bin = 0;
    for (std::size_t half = half_; half != 0; half /= 2) {
      bin += edges_[bin + half - 1] < number ? half : 0;
    }
    return bin;
  }

 private:
  std::vector<double> edges_;  // padded by infinity
  std::size_t half_;
};

}  // namespace gradus
