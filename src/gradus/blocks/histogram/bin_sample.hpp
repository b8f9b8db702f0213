// The rows that bins are made from, and what they hold, column by column.
//
//   const BinSample sample(rows, cols);
//   const SampledColumns columns = sample.columns(features, weights, context);
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

// The sampled numbers of a column, without those that are missing or weigh nothing.
struct SampledColumn {
  std::span<const double> numbers = {};
  std::size_t zeros = 0;  // more of them: sparse tables do not hold theirs
};

// Of all columns. Copying would leave the columns where they were.
struct SampledColumns {
  std::vector<SampledColumn> columns = {};
  std::vector<double> numbers = {};  // of a column after the other

  SampledColumns() = default;
  SampledColumns(SampledColumns&&) = default;
  SampledColumns& operator=(SampledColumns&&) = default;
};

class BinSample {
 public:
  // Of a table with so many rows and columns.
  BinSample(std::size_t rows, std::size_t cols);

  std::size_t rows() const { return chosen_.size(); }

  // Empty weights: every row weighs 1.
  SampledColumns columns(const Features& features, std::span<const double> weights,
                         const Context& context) const;
  // The sampled numbers of one column that is there as a whole.
  std::vector<double> column(std::span<const double> numbers,
                             std::span<const double> weights) const;

 private:
  SampledColumns dense_columns(const Features& features, std::span<const double> weights,
                               const Context& context) const;
  SampledColumns sparse_columns(const CsrMatrix& matrix, std::span<const double> weights) const;

  std::vector<std::size_t> chosen_;  // ascending
};

}  // namespace gradus
