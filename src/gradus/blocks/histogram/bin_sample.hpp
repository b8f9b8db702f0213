// The rows that bins are made from, and what they hold, column by column: some columns at a time,
// since the sample of a wide table is large.
//
//   const BinSample sample(rows, cols);
//   sample.for_columns(features, weights, context, [&](std::size_t first, const auto& columns)
//   {…});
#pragma once

#include <cstddef>
#include <functional>
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

// Takes what columns hold, from the first of them on.
using TakeColumns =
    std::function<void(std::size_t first, const std::vector<SampledColumn>& columns)>;

class BinSample {
 public:
  // Of a table with so many rows and columns.
  BinSample(std::size_t rows, std::size_t cols);

  std::size_t rows() const { return chosen_.size(); }

  // All columns, in their order. Empty weights: every row weighs 1.
  void for_columns(const Features& features, std::span<const double> weights,
                   const Context& context, const TakeColumns& take) const;
  // The sampled numbers of one column that is there as a whole.
  std::vector<double> column(std::span<const double> numbers,
                             std::span<const double> weights) const;

 private:
  void gather(const Features& features, std::size_t first, std::size_t count,
              const Context& context, double* numbers) const;
  void dense_columns(const Features& features, std::span<const double> weights,
                     const Context& context, const TakeColumns& take) const;
  void sparse_columns(const CsrMatrix& matrix, std::span<const double> weights,
                      const TakeColumns& take) const;

  std::vector<std::size_t> chosen_;  // ascending
};

}  // namespace gradus
