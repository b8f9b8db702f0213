#include "gradus/data/csr_order.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gradus/core/pages.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kShortRow = 32;  // fewer entries are sorted by comparing
// Beyond so many columns the sets leave the cache, and short rows would pay for reading them.
constexpr std::size_t kMostMarked = std::size_t{1} << 20;
constexpr std::size_t kBits = 64;

// One row: where it comes from and where it goes.
struct Row {
  std::span<const std::uint32_t> columns;
  std::span<const double> values;
  std::uint32_t* out_columns;
  double* out_values;
  std::size_t size() const { return columns.size(); }
};

bool in_order(const Row& row) {
  return std::adjacent_find(row.columns.begin(), row.columns.end(), std::greater_equal<>()) ==
         row.columns.end();
}

void copy_row(const Row& row) {
  std::copy(row.columns.begin(), row.columns.end(), row.out_columns);
  std::copy(row.values.begin(), row.values.end(), row.out_values);
}

// The arrays of the new matrix. Their memory is not cleared: the threads that sort touch it first.
struct OrderedArrays {
  explicit OrderedArrays(const CsrMatrix& matrix)
      : row_begin(matrix.row_begin.begin(), matrix.row_begin.end()),
        index(std::make_unique_for_overwrite<std::uint32_t[]>(matrix.stored())),
        value(std::make_unique_for_overwrite<double[]>(matrix.stored())) {
    prefer_large_pages(index.get(), matrix.stored() * sizeof(std::uint32_t));
    prefer_large_pages(value.get(), matrix.stored() * sizeof(double));
  }

  // The place of a row that keeps its size.
  Row row(const CsrMatrix& from, std::size_t at) {
    return {from.row_index(at), from.row_value(at), &index[row_begin[at]], &value[row_begin[at]]};
  }

  std::vector<std::uint64_t> row_begin;
  std::unique_ptr<std::uint32_t[]> index;
  std::unique_ptr<double[]> value;
};

// Columns as bits, each with the place of its entry in the row.
class MarkedColumns {
 public:
  explicit MarkedColumns(std::size_t cols)
      : words_(cols / kBits + 1), groups_(words_.size() / kBits + 1), place_(cols) {}

  void mark(std::uint32_t column, std::size_t place) {
    const std::size_t word = column / kBits;
    words_[word] |= std::uint64_t{1} << (column % kBits);
    groups_[word / kBits] |= std::uint64_t{1} << (word % kBits);
    place_[column] = static_cast<std::uint16_t>(place);
  }

  // Runs `body(column, place)` over the columns in their order and forgets them.
  template <class Body>
  void take_all(Body&& body) {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      for (std::uint64_t bits = std::exchange(groups_[group], 0); bits != 0; bits &= bits - 1) {
        const std::size_t word = group * kBits + static_cast<std::size_t>(std::countr_zero(bits));
        for (std::uint64_t ones = std::exchange(words_[word], 0); ones != 0; ones &= ones - 1) {
          const std::size_t column =
              word * kBits + static_cast<std::size_t>(std::countr_zero(ones));
          body(column, place_[column]);
        }
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> groups_;
  std::vector<std::uint16_t> place_;
};

// Sorts rows one after the other with the memory of one thread.
class RowSorter {
 public:
  explicit RowSorter(std::size_t cols) : marks_(cols <= kMostMarked ? cols : 0), cols_(cols) {}

  // False when a column stands twice; its entries then stand side by side, in their order.
  bool sort(const Row& row) {
    const bool marked = row.size() >= kShortRow && cols_ <= kMostMarked &&
                        row.size() <= std::numeric_limits<std::uint16_t>::max();
    return (marked && sort_by_marks(row)) || sort_by_keys(row);
  }

 private:
  // False when a column stands twice: then nothing useful was written.
  bool sort_by_marks(const Row& row) {
    for (std::size_t k = 0; k < row.size(); ++k) marks_.mark(row.columns[k], k);
    std::size_t count = 0;
    marks_.take_all([&](std::size_t column, std::size_t place) {
      row.out_columns[count] = static_cast<std::uint32_t>(column);
      row.out_values[count] = row.values[place];
      ++count;
    });
    return count == row.size();
  }

  // A key has the column above and the place below, so equal columns keep their order.
  bool sort_by_keys(const Row& row) {
    keys_.resize(row.size());
    for (std::size_t k = 0; k < keys_.size(); ++k)
      keys_[k] = std::uint64_t{row.columns[k]} << 32 | k;
    std::sort(keys_.begin(), keys_.end());
    bool distinct = true;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      row.out_columns[k] = static_cast<std::uint32_t>(keys_[k] >> 32);
      row.out_values[k] = row.values[keys_[k] & std::numeric_limits<std::uint32_t>::max()];
      distinct = distinct && (k == 0 || row.out_columns[k] != row.out_columns[k - 1]);
    }
    return distinct;
  }

  MarkedColumns marks_;
  std::size_t cols_;
  std::vector<std::uint64_t> keys_;
};

// Closes the gaps that repeated columns leave.
void add_up_repeated(OrderedArrays& arrays) {
  auto& [row_begin, index, value] = arrays;
  std::size_t out = 0;
  std::size_t begin = 0;
  for (std::size_t row = 0; row + 1 < row_begin.size(); ++row) {
    const std::size_t first = out;
    const std::size_t end = row_begin[row + 1];
    for (std::size_t k = begin; k < end; ++k) {
      if (out > first && index[out - 1] == index[k]) {
        value[out - 1] += value[k];
        continue;
      }
      index[out] = index[k];
      value[out] = value[k];
      ++out;
    }
    begin = end;
    row_begin[row + 1] = out;
  }
}

}  // namespace

CsrMatrix ordered_rows(const CsrMatrix& matrix, const Context& context) {
  constexpr std::size_t kFewRows = 256;
  const auto arrays = std::make_shared<OrderedArrays>(matrix);
  std::atomic<bool> repeated = false;
  const std::size_t length = parallel::reduction_block(matrix.rows(), kFewRows);
  parallel::for_each_block(context, matrix.rows(), length, [&](parallel::Block block) {
    std::optional<RowSorter> sorter;
    for (std::size_t at = block.begin; at < block.end; ++at) {
      const Row row = arrays->row(matrix, at);
      if (in_order(row)) {
        copy_row(row);
        continue;
      }
      if (!sorter) sorter.emplace(matrix.cols);
      if (!sorter->sort(row)) repeated = true;
    }
  });
  if (repeated) add_up_repeated(*arrays);
  const std::size_t stored = arrays->row_begin.back();
  return {matrix.cols,
          arrays->row_begin,
          {arrays->index.get(), stored},
          {arrays->value.get(), stored},
          arrays};
}

}  // namespace gradus
