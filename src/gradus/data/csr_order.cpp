#include "gradus/data/csr_order.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <limits>
#include <utility>

#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kShortRow = 32;  // fewer entries are sorted by comparing
// Beyond so many columns the sets leave the cache, and short rows would pay for reading them.
constexpr std::size_t kMostMarked = std::size_t{1} << 20;
constexpr std::size_t kBits = 64;

// One row of the matrix, where it is.
struct Row {
  std::span<std::uint32_t> columns;
  std::span<double> values;
  std::size_t size() const { return columns.size(); }
};

Row row_of(CsrMatrix& matrix, std::size_t row) {
  const std::size_t begin = matrix.row_begin[row];
  const std::size_t size = matrix.row_begin[row + 1] - begin;
  return {std::span(matrix.index).subspan(begin, size),
          std::span(matrix.value).subspan(begin, size)};
}

bool in_order(const Row& row) {
  return std::adjacent_find(row.columns.begin(), row.columns.end(), std::greater_equal<>()) ==
         row.columns.end();
}

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
    values_.assign(row.values.begin(), row.values.end());
    const bool marked = row.size() >= kShortRow && cols_ <= kMostMarked &&
                        row.size() <= std::numeric_limits<std::uint16_t>::max();
    return (marked && sort_by_marks(row)) || sort_by_keys(row);
  }

 private:
  // False, with the row as it was, when a column stands twice.
  bool sort_by_marks(const Row& row) {
    for (std::size_t k = 0; k < row.size(); ++k) marks_.mark(row.columns[k], k);
    columns_.resize(std::max(columns_.size(), row.size()));
    std::size_t count = 0;
    marks_.take_all([&](std::size_t column, std::size_t place) {
      columns_[count] = static_cast<std::uint32_t>(column);
      row.values[count] = values_[place];
      ++count;
    });
    if (count < row.size()) return false;
    std::copy_n(columns_.begin(), count, row.columns.begin());
    return true;
  }

  // A key has the column above and the place below, so equal columns keep their order.
  bool sort_by_keys(const Row& row) {
    keys_.resize(row.size());
    for (std::size_t k = 0; k < keys_.size(); ++k)
      keys_[k] = std::uint64_t{row.columns[k]} << 32 | k;
    std::sort(keys_.begin(), keys_.end());
    bool distinct = true;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      row.columns[k] = static_cast<std::uint32_t>(keys_[k] >> 32);
      row.values[k] = values_[keys_[k] & std::numeric_limits<std::uint32_t>::max()];
      distinct = distinct && (k == 0 || row.columns[k] != row.columns[k - 1]);
    }
    return distinct;
  }

  MarkedColumns marks_;
  std::size_t cols_;
  std::vector<double> values_;
  std::vector<std::uint32_t> columns_;
  std::vector<std::uint64_t> keys_;
};

// Closes the gaps that repeated columns leave.
void add_up_repeated(CsrMatrix& matrix) {
  std::size_t out = 0;
  std::size_t begin = 0;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    const std::size_t first = out;
    const std::size_t end = matrix.row_begin[row + 1];
    for (std::size_t k = begin; k < end; ++k) {
      if (out > first && matrix.index[out - 1] == matrix.index[k]) {
        matrix.value[out - 1] += matrix.value[k];
        continue;
      }
      matrix.index[out] = matrix.index[k];
      matrix.value[out] = matrix.value[k];
      ++out;
    }
    begin = end;
    matrix.row_begin[row + 1] = out;
  }
  matrix.index.resize(out);
  matrix.value.resize(out);
}

}  // namespace

void order_rows(CsrMatrix& matrix, const Context& context) {
  constexpr std::size_t kFewRows = 256;
  std::atomic<bool> repeated = false;
  const std::size_t length = parallel::reduction_block(matrix.rows(), kFewRows);
  parallel::for_each_block(context, matrix.rows(), length, [&](parallel::Block block) {
    std::size_t first = block.begin;
    while (first < block.end && in_order(row_of(matrix, first))) ++first;
    if (first == block.end) return;
    RowSorter sorter(matrix.cols);
    for (std::size_t row = first; row < block.end; ++row) {
      if (in_order(row_of(matrix, row))) continue;
      if (!sorter.sort(row_of(matrix, row))) repeated = true;
    }
  });
  if (repeated) add_up_repeated(matrix);
}

}  // namespace gradus
