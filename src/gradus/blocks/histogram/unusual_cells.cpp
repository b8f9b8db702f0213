#include "gradus/blocks/histogram/unusual_cells.hpp"

#include <limits>

#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/outside.hpp"

namespace gradus {
namespace {

// A cell is one word: its candidate, its bin, and its row in the block.
constexpr std::size_t kBlock = 2048;
constexpr unsigned kBinShift = 16;
constexpr unsigned kCandidateShift = 32;
static_assert(kBlock <= (std::size_t{1} << kBinShift));

constexpr double kAll = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNoCandidate = std::numeric_limits<std::uint32_t>::max();

using Cells = std::vector<std::uint64_t>;

class Collector {
 public:
  Collector(const Features& features, std::span<const BinColumn> bins,
            std::span<const std::size_t> usual)
      : features_(features),
        candidate_of_(bins.size(), kNoCandidate),
        low_(bins.size(), -kAll),
        high_(bins.size(), kAll) {
    for (std::size_t j = 0; j < usual.size(); ++j) {
      if (usual[j] == kNoBin) continue;
      candidate_of_[j] = static_cast<std::uint32_t>(columns_.size());
      columns_.push_back({.column = j, .usual = usual[j], .codes = bins[j].bins - 1});
      missing_.push_back(bins[j].missing);
      cell_bins_.emplace_back(bins[j]);
      set_limits(j, bins[j], usual[j]);
    }
  }

  std::vector<SparseColumn> collect(const Context& context) {
    const std::size_t blocks = parallel::block_count(features_.rows(), kBlock);
    std::vector<Cells> found(blocks);
    parallel::for_each_block(context, features_.rows(), kBlock, [&](parallel::Block block) {
      found[block.index] =
          features_.sparse() != nullptr ? cells_of_stored(block) : cells_of_all(block);
    });
    sort_out(found, context);
    std::erase_if(columns_, [](const SparseColumn& column) { return column.codes == kNoBin; });
    return std::move(columns_);
  }

 private:
  // Numbers above `low_` up to `high_` are in the usual bin of their column: most cells are dealt
  // with by two comparisons. No category is; they are all looked up.
  void set_limits(std::size_t j, const BinColumn& column, std::size_t usual) {
    if (column.nominal) {
      low_[j] = kAll;
      return;
    }
    if (usual > 0) low_[j] = column.edges[usual - 1];
    if (usual < column.edges.size()) high_[j] = column.edges[usual];
  }

  void look(std::size_t column, double cell, std::size_t row, Cells& out) const {
    const std::uint32_t candidate = candidate_of_[column];
    if (candidate == kNoCandidate) return;
    const std::size_t bin = cell_bins_[candidate](cell);
    if (bin == columns_[candidate].usual) return;
    out.push_back(std::uint64_t{candidate} << kCandidateShift | bin << kBinShift | row);
  }

  Cells cells_of_all(const parallel::Block& block) const {
    Cells out;
    std::vector<double> scratch;
    const RowBlock rows = features_.block(block.begin, block.end, scratch);
    std::vector<std::uint32_t> places(rows.cols);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const double* row = rows.data + i * rows.cols;
      const std::size_t count =
          simd::outside({row, low_.data(), high_.data(), rows.cols}, places.data());
      for (std::size_t k = 0; k < count; ++k) look(places[k], row[places[k]], i, out);
    }
    return out;
  }

  // What is not stored is zero, and zero is usual.
  Cells cells_of_stored(const parallel::Block& block) const {
    Cells out;
    const CsrMatrix& matrix = *features_.sparse();
    for (std::size_t row = block.begin; row < block.end; ++row) {
      const auto index = matrix.row_index(row);
      const auto value = matrix.row_value(row);
      for (std::size_t at = 0; at < index.size(); ++at) {
        look(index[at], value[at], row - block.begin, out);
      }
    }
    return out;
  }

  // From blocks to columns. One that has a missing cell is marked by kNoBin.
  void sort_out(std::span<const Cells> found, const Context& context) {
    std::vector<std::size_t> count(columns_.size(), 0);
    std::size_t all = 0;
    for (const Cells& cells : found) {
      all += cells.size();
      for (const std::uint64_t cell : cells) ++count[cell >> kCandidateShift];
    }
    context.require_memory(all * (sizeof(std::uint32_t) + sizeof(std::uint8_t)),
                           "the cells of sparse columns");
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      columns_[c].rows.reserve(count[c]);
      columns_[c].bins.reserve(count[c]);
    }
    for (std::size_t block = 0; block < found.size(); ++block) {
      for (const std::uint64_t cell : found[block]) {
        SparseColumn& column = columns_[cell >> kCandidateShift];
        const std::size_t row = block * kBlock + (cell & ((1U << kBinShift) - 1));
        const std::size_t bin = cell >> kBinShift & ((1U << (kCandidateShift - kBinShift)) - 1);
        if (bin == missing_[cell >> kCandidateShift]) column.codes = kNoBin;
        column.rows.push_back(static_cast<std::uint32_t>(row));
        column.bins.push_back(static_cast<std::uint8_t>(bin));
      }
    }
  }

  const Features& features_;
  std::vector<std::uint32_t> candidate_of_;  // by column of the table
  std::vector<SparseColumn> columns_;        // the candidates
  std::vector<std::size_t> missing_;         // of each: its code of missing cells
  std::vector<CellBins> cell_bins_;
  std::vector<double> low_;  // by column of the table
  std::vector<double> high_;
};

}  // namespace

std::vector<SparseColumn> unusual_cells(const Features& features, std::span<const BinColumn> bins,
                                        std::span<const std::size_t> usual,
                                        const Context& context) {
  return Collector(features, bins, usual).collect(context);
}

}  // namespace gradus
