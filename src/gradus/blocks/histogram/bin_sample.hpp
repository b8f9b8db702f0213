// The rows that bins are made from, and what they hold, column by column.
//
//   const BinSample sample(rows, cols);
//   std::vector<SampledColumn> columns = sample.columns(features, weights, context);
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

// The sampled numbers of a column, without those that are missing or weigh nothing.
struct SampledColumn {
  std::vector<double> numbers = {};
  std::size_t zeros = 0;  // more of them: sparse tables do not hold theirs
};

class BinSample {
 public:
  // Of a table with so many rows and columns.
  BinSample(std::size_t rows, std::size_t cols);

  std::size_t rows() const { return chosen_.size(); }

  // Empty weights: every row weighs 1.
  std::vector<SampledColumn> columns(const Features& features, std::span<const double> weights,
                                     const Context& context) const;
  // The same of one column that is there as a whole.
  SampledColumn column(std::span<const double> numbers, std::span<const double> weights) const;

 private:
  std::vector<SampledColumn> dense_columns(const Features& features,
                                           std::span<const double> weights,
                                           const Context& context) const;
  std::vector<SampledColumn> sparse_columns(const CsrMatrix& matrix,
                                            std::span<const double> weights) const;

  std::vector<std::size_t> chosen_;  // ascending
};

}  // namespace gradus
