// The prepared inputs of a learner: a table of numbers that is never copied as a whole.
//
// Each feature is a recipe over one source column: take the value, test for a level (one-hot), look
// a code up (ordinal and target encoding), fill what is missing, shift and scale. The recipe is run
// while a block of rows is packed, so standardising or one-hot encoding a 10 GB table costs no
// second table, and prediction replays the very recipe that training used. When the source already
// is a row-major block of doubles without missing numbers, the block is a pointer into it; one of
// floats can be asked for as such by learners that read floats (`floats`).
//
//   std::vector<double> scratch;
//   RowBlock block = features.block(0, 256, scratch);      // rows x cols, row-major
//
// A nominal feature of a learner that accepts nominal columns is delivered as its code (0, 1, 2 ...
// as a double); missing is NaN. An ordinal feature is delivered in the same way, as a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gradus/data/column.hpp"
#include "gradus/data/csr.hpp"

namespace gradus {

// Rows of prepared features, contiguous and row-major.
struct RowBlock {
  const double* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::span<const double> row(std::size_t i) const { return {data + i * cols, cols}; }
};

// The same in single precision, as the source holds them.
struct FloatBlock {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::span<const float> row(std::size_t i) const { return {data + i * cols, cols}; }
};

// Rows [begin, end) of a sparse table.
struct SparseRows {
  const CsrMatrix& matrix;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

enum class FeatureOp : std::uint8_t { value, indicator, lookup };

// How one prepared feature comes out of one source column.
struct Recipe {
  FeatureOp op = FeatureOp::value;
  std::int32_t level = 0;                                  // indicator: 1 when the code is this one
  std::vector<double> table;                               // lookup: the number for each code
  double fill = std::numeric_limits<double>::quiet_NaN();  // for missing; NaN: leave missing
  double shift = 0;                                        // then (x - shift) * scale
  double scale = 1;
};

struct FeatureColumn {
  Column source;
  Recipe recipe;
};

class Features {
 public:
  Features() = default;
  Features(std::size_t rows, std::vector<FeatureColumn> columns);
  // Sparse input: only for learners that accept it.
  explicit Features(std::shared_ptr<const CsrMatrix> sparse);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }

  // Null unless the input is sparse.
  const CsrMatrix* sparse() const { return sparse_.get(); }

  // Tells that no number of the table is missing, so that nobody has to look again.
  void promise_complete() { fills_ = false; }

  // Rows [begin, end) packed row-major into `scratch`, or a pointer to where they already are.
  RowBlock block(std::size_t begin, std::size_t end, std::vector<double>& scratch) const;

  // Rows [begin, end) where they are, when the source is a row-major block of floats that need no
  // preparation; else a block without data.
  FloatBlock floats(std::size_t begin, std::size_t end) const;

  // One feature over all rows.
  std::vector<double> column(std::size_t feature) const;

  // One nominal feature as codes, kMissingCode where missing.
  std::vector<std::int32_t> codes(std::size_t feature) const;

 private:
  const double* row_major_ = nullptr;  // the whole table as it is, when the source allows
  bool fills_ = false;                 // some missing numbers are to be filled
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::vector<FeatureColumn> columns_;
  std::shared_ptr<const CsrMatrix> sparse_;
};

}  // namespace gradus
