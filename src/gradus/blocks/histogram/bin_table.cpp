// From features to a binned table: where the edges are, which columns are sparse, what is computed.
#include <algorithm>
#include <numeric>
#include <utility>

#include "gradus/blocks/histogram/bin_sample.hpp"
#include "gradus/blocks/histogram/binning.hpp"
#include "gradus/blocks/splitter/number_order.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Computed columns that are held as numbers at the same time.
constexpr std::size_t kComputedTogether = 4;
// So many numbers of computed columns are kept between finding their edges and encoding them
// (128 MB); more are computed twice.
constexpr std::size_t kMostKept = std::size_t{1} << 24U;
constexpr std::size_t kComputedBlock = 2048;

// A column is worth bundling when its usual bin holds this share of the cells.
constexpr double kUsualShare = 0.8;

std::vector<double> in_order(std::span<const double> numbers) {
  const NumberOrder order(numbers);
  std::vector<double> sorted(order.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = order.number(i);
  return sorted;
}

// Nothing is missing. Where few numbers are different, nothing is sorted.
std::vector<NumberRun> runs_of_any(std::span<const double> numbers, std::size_t zeros) {
  if (auto few = runs_of_few(numbers, zeros)) return *std::move(few);
  return runs_of(in_order(numbers), zeros);
}

// Categories by frequency in the sample: the most frequent have a bin each.
void bin_levels(BinColumn& column, std::size_t levels, std::span<const double> sample,
                std::size_t max_bins) {
  column.nominal = true;
  column.bins = std::max<std::size_t>(1, std::min(levels, max_bins));
  column.bin_of.resize(levels);
  std::iota(column.bin_of.begin(), column.bin_of.end(), std::uint16_t{0});
  if (levels <= max_bins) return;
  std::vector<std::size_t> count(levels, 0);
  for (const double code : sample) ++count[static_cast<std::size_t>(code)];
  std::vector<std::size_t> order(levels);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
  for (std::size_t place = 0; place < levels; ++place) {
    column.bin_of[order[place]] = static_cast<std::uint16_t>(std::min(place, max_bins - 1));
  }
}

// The most frequent bin of a column, if it holds most of the sampled cells; else kNoBin.
std::size_t usual_bin(std::span<const std::size_t> counts, std::size_t cells) {
  const auto most = std::max_element(counts.begin(), counts.end());
  const bool sparse = static_cast<double>(*most) >= kUsualShare * static_cast<double>(cells);
  return sparse ? static_cast<std::size_t>(most - counts.begin()) : kNoBin;
}

struct FoundColumn {
  BinColumn bins = {};
  std::size_t usual = kNoBin;
};

FoundColumn of_numbers(const SampledColumn& sampled, std::size_t max_bins, std::size_t cells) {
  const std::vector<NumberRun> runs = runs_of_any(sampled.numbers, sampled.zeros);
  FoundColumn out;
  out.bins.edges = bin_edges(runs, max_bins);
  out.bins.bins = out.bins.edges.size() + 1;
  out.usual = usual_bin(bin_counts(runs, out.bins.edges), cells);
  return out;
}

FoundColumn of_levels(const SampledColumn& sampled, std::size_t levels, std::size_t max_bins,
                      std::size_t cells) {
  FoundColumn out;
  bin_levels(out.bins, levels, sampled.numbers, max_bins);
  std::vector<std::size_t> counts(out.bins.bins, 0);
  for (const double level : sampled.numbers) {
    ++counts[out.bins.bin_of[static_cast<std::size_t>(level)]];
  }
  out.usual = usual_bin(counts, cells);
  return out;
}

bool is_computed(std::size_t column, const BinOptions& options) {
  return std::any_of(options.computed.begin(), options.computed.end(),
                     [&](const ComputedColumn& own) { return own.column == column; });
}

// The bins of the features that no computed column replaces.
std::vector<FoundColumn> bins_of(const Features& features, const Signature& signature,
                                 const BinOptions& options, const Context& context) {
  const BinSample sample(features.rows(), features.cols());
  const auto found = [&](std::size_t j, const SampledColumn& sampled) {
    if (is_computed(j, options)) return FoundColumn();
    if (signature.features.nominal(j)) {
      const std::size_t levels = signature.features.levels(j).size();
      return of_levels(sampled, levels, options.max_bins, sample.rows());
    }
    FoundColumn out = of_numbers(sampled, options.max_bins, sample.rows());
    // Cells that are not stored are 0: nothing else can be usual.
    const bool is_sparse = features.sparse() != nullptr;
    if (is_sparse && out.usual != CellBins(out.bins)(0.0)) out.usual = kNoBin;
    return out;
  };
  std::vector<FoundColumn> out(features.cols());
  sample.for_columns(features, options.weights, context,
                     [&](std::size_t first, const std::vector<SampledColumn>& columns) {
                       parallel::for_each_index(context, columns.size(), [&](std::size_t j) {
                         out[first + j] = found(first + j, columns[j]);
                       });
                     });
  return out;
}

// The cells of the columns that may be bundled; none where few are.
std::vector<SparseColumn> sparse_columns(const Features& features,
                                         std::span<const BinColumn> columns,
                                         std::span<const std::size_t> usual,
                                         const Context& context) {
  const bool narrow = std::all_of(columns.begin(), columns.end(), [](const BinColumn& column) {
    return column.bins <= kNarrowBins;
  });
  const auto candidates =
      usual.size() - static_cast<std::size_t>(std::count(usual.begin(), usual.end(), kNoBin));
  if (!narrow || candidates < BinLayout().columns()) return {};
  return unusual_cells(features, columns, usual, context);
}

// Computed columns: their numbers make the edges first and are encoded later.
class Computing {
 public:
  Computing(const Features& features, const BinOptions& options, const Context& context)
      : columns_(options.computed),
        rows_(features.rows()),
        keep_(rows_ * columns_.size() <= kMostKept),
        context_(context) {
    const BinSample sample(rows_, features.cols());
    kept_.resize(columns_.size());
    bins_ = parallel::map_slots<BinColumn>(context, columns_.size(), [&](std::size_t i) {
      std::vector<double> numbers = columns_[i].numbers();
      const std::vector<double> sampled = sample.column(numbers, options.weights);
      BinColumn out = of_numbers({sampled}, options.max_bins, sample.rows()).bins;
      out.computed = true;
      if (keep_) kept_[i] = std::move(numbers);
      return out;
    });
  }

  // In the place of features, or behind them.
  void put_into(std::vector<FoundColumn>& found) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      found.resize(std::max(found.size(), columns_[i].column + 1));
      found[columns_[i].column] = {std::move(bins_[i])};
    }
  }

  void encode(BinnedTable& table) {
    for (std::size_t at = 0; at < columns_.size(); at += kComputedTogether) {
      const std::size_t count = std::min(kComputedTogether, columns_.size() - at);
      const auto numbers =
          parallel::map_slots<std::vector<double>>(context_, count, [&](std::size_t i) {
            return keep_ ? std::move(kept_[at + i]) : columns_[at + i].numbers();
          });
      parallel::for_each_block(context_, rows_, kComputedBlock, [&](parallel::Block block) {
        for (std::size_t i = 0; i < count; ++i) {
          table.encode_numbers(columns_[at + i].column,
                               std::span(numbers[i]).subspan(block.begin, block.size()),
                               block.begin);
        }
      });
    }
  }

 private:
  std::span<const ComputedColumn> columns_;
  std::size_t rows_;
  bool keep_;
  const Context context_;
  std::vector<BinColumn> bins_;
  std::vector<std::vector<double>> kept_;
};

}  // namespace

std::vector<double> column_edges(std::span<const double> numbers, std::size_t cols,
                                 const BinOptions& options) {
  const BinSample sample(numbers.size(), cols);
  return bin_edges(runs_of_any(sample.column(numbers, options.weights), 0), options.max_bins);
}

BinnedTable bin_table(const Features& features, const Signature& signature,
                      const BinOptions& options, const Context& context) {
  std::vector<FoundColumn> found = bins_of(features, signature, options, context);
  Computing computing(features, options, context);
  computing.put_into(found);
  std::vector<BinColumn> columns;
  std::vector<std::size_t> usual;
  for (FoundColumn& column : found) {
    columns.push_back(std::move(column.bins));
    usual.push_back(column.usual);
  }
  std::vector<SparseColumn> sparse;
  if (options.bundling == Bundling::exclusive) {
    sparse = sparse_columns(features, columns, usual, context);
  }
  BinnedTable table(features.rows(), std::move(columns), sparse, context);
  sparse = {};
  table.encode(features, context);
  computing.encode(table);
  table.keep_columns(context);
  return table;
}

}  // namespace gradus
