// One column of a binned table: how its cells became bins.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gradus/blocks/histogram/bin_edges.hpp"

namespace gradus {

inline constexpr std::size_t kNarrowBins = 255;  // most bins of a column where codes are bytes
inline constexpr std::size_t kMostBins = 65535;  // and where they are of 16 bits

struct BinColumn {
  bool nominal = false;
  std::size_t bins = 1;
  std::vector<double> edges = {};          // numeric: bins - 1 of them, ascending
  std::vector<std::uint16_t> bin_of = {};  // nominal: the bin of each level
  bool computed = false;                   // its numbers are not those of the features
  std::size_t missing = kNarrowBins;  // the code of missing values, and their slot in a histogram
};

// The bins of the cells of a column.
class CellBins {
 public:
  explicit CellBins(const BinColumn& column) : column_(column), search_(column.edges) {}

  std::size_t operator()(double cell) const {
    return column_.nominal ? of_level(cell) : of_number(cell);
  }

  // Calls body(i, bin) for `count` cells that stand `stride` numbers from each other.
  template <class Body>
  void for_each(const double* cells, std::size_t stride, std::size_t count,
                const Body& body) const {
    if (column_.nominal) {
      for (std::size_t i = 0; i < count; ++i) body(i, of_level(cells[i * stride]));
    } else {
      for (std::size_t i = 0; i < count; ++i) body(i, of_number(cells[i * stride]));
    }
  }

 private:
  std::size_t of_level(double cell) const {
    return std::isnan(cell) ? column_.missing : column_.bin_of[static_cast<std::size_t>(cell)];
  }
  std::size_t of_number(double cell) const {
    const std::size_t bin = search_.bin_of(cell);
    return std::isnan(cell) ? column_.missing : bin;
  }

  const BinColumn& column_;
  EdgeSearch search_;
};

}  // namespace gradus
