#include "gradus/blocks/histogram/binning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/blocks/splitter/number_order.hpp"
#include "gradus/blocks/tree/between.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/core/random.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Computed columns that are held as numbers at the same time.
constexpr std::size_t kComputedTogether = 4;
// So many numbers of computed columns are kept between finding their edges and encoding them
// (128 MB); more are computed twice.
constexpr std::size_t kMostKept = std::size_t{1} << 24U;
constexpr std::size_t kEncodeBlock = 2048;

// Numbers that quantiles are taken from: enough that a bin of 1/255 is met hundreds of times.
constexpr std::size_t kMostSampled = std::size_t{1} << 17U;
constexpr std::size_t kLeastSampled = std::size_t{1} << 14U;
constexpr std::size_t kSampleCells = std::size_t{1} << 24U;

// A column is worth bundling when its usual bin holds this share of the cells.
constexpr double kUsualShare = 0.8;

// The stream of the sample: fixed, since bins are no random choice of the user.
constexpr std::uint32_t kSamplePurpose = 0x62696e73;

struct Run {
  double value = 0;
  std::size_t count = 0;
};

std::vector<Run> runs_of(std::span<const double> sorted) {
  std::vector<Run> runs;
  for (const double x : sorted) {
    if (runs.empty() || runs.back().value != x) runs.push_back({x, 0});
    ++runs.back().count;
  }
  return runs;
}

// One row of each of `count` equal stretches, so that the sample follows the table from end to end.
std::vector<std::size_t> sample_rows(std::size_t rows, std::size_t count) {
  std::vector<std::size_t> chosen(count);
  Stream stream(0, 0, kSamplePurpose);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * rows / count;
    const std::size_t end = (i + 1) * rows / count;
    chosen[i] = begin + (count == rows ? 0 : stream.below(end - begin));
  }
  return chosen;
}

// The rows that bins are made from.
std::vector<std::size_t> rows_of_sample(std::size_t rows, std::size_t cols) {
  const std::size_t limit =
      std::clamp(kSampleCells / std::max<std::size_t>(1, cols), kLeastSampled, kMostSampled);
  return sample_rows(rows, std::min(rows, limit));
}

// The sampled numbers of the features, column by column.
std::vector<std::vector<double>> sample_columns(const Features& features,
                                                std::span<const std::size_t> chosen,
                                                const Context& context) {
  const std::size_t cols = features.cols();
  context.require_memory(chosen.size() * cols * sizeof(double),
                         "the sample that bins are made from");
  std::vector<std::vector<double>> columns(cols, std::vector<double>(chosen.size()));
  parallel::for_each_block(context, chosen.size(), 512, [&](parallel::Block block) {
    std::vector<double> scratch;
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const RowBlock row = features.block(chosen[i], chosen[i] + 1, scratch);
      for (std::size_t j = 0; j < cols; ++j) columns[j][i] = row.data[j];
    }
  });
  return columns;
}

std::vector<double> taken(std::span<const double> numbers, std::span<const std::size_t> chosen) {
  std::vector<double> out;
  out.reserve(chosen.size());
  for (const std::size_t row : chosen) out.push_back(numbers[row]);
  return out;
}

// Leaves out what is missing and what weighs nothing.
void keep_present(std::vector<double>& numbers, std::span<const std::size_t> chosen,
                  std::span<const double> weights) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isnan(numbers[i]) || !(weights.empty() || weights[chosen[i]] > 0)) continue;
    numbers[kept++] = numbers[i];
  }
  numbers.resize(kept);
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

}  // namespace

std::vector<double> bin_edges(std::span<const double> sorted, std::size_t max_bins) {
  const std::vector<Run> runs = runs_of(sorted);
  std::vector<double> edges;
  if (runs.size() <= max_bins) {
    for (std::size_t i = 1; i < runs.size(); ++i) {
      edges.push_back(between(runs[i - 1].value, runs[i].value));
    }
    return edges;
  }
  // Greedy: close a bin when it holds its fair share of what is left, or when the next value alone
  // would fill one.
  std::size_t rest = sorted.size();
  std::size_t held = 0;
  for (std::size_t i = 0; i + 1 < runs.size() && edges.size() + 1 < max_bins; ++i) {
    held += runs[i].count;
    const std::size_t bins_left = max_bins - edges.size();
    const std::size_t share = (rest + bins_left - 1) / bins_left;
    if (held < share && runs[i + 1].count < share) continue;
    edges.push_back(between(runs[i].value, runs[i + 1].value));
    rest -= held;
    held = 0;
  }
  return edges;
}

namespace {

// What is missing is left out.
std::vector<double> in_order(std::span<const double> numbers) {
  const NumberOrder order(numbers);
  std::vector<double> sorted(order.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = order.number(i);
  return sorted;
}

}  // namespace

std::vector<double> column_edges(std::span<const double> numbers, std::size_t cols,
                                 const BinOptions& options) {
  const std::vector<std::size_t> chosen = rows_of_sample(numbers.size(), cols);
  std::vector<double> sample = taken(numbers, chosen);
  keep_present(sample, chosen, options.weights);
  return bin_edges(in_order(sample), options.max_bins);
}

EdgeSearch::EdgeSearch(std::span<const double> edges)
    : edges_(edges.begin(), edges.end()), half_(std::bit_ceil(edges.size() + 1) / 2) {
  edges_.resize(std::bit_ceil(edges.size() + 1), std::numeric_limits<double>::infinity());
}

namespace {

BinLayout layout_for(std::span<const BinColumn> columns) {
  std::size_t widest = 0;
  for (const BinColumn& column : columns) widest = std::max(widest, column.bins);
  GRADUS_ASSERT(widest <= kMostBins);
  if (widest <= kNarrowBins) return {};
  return {.bits = 16, .slots = widest + 1};
}

}  // namespace

BinnedTable::BinnedTable(std::size_t rows, std::vector<BinColumn> columns)
    : rows_(rows), stored_(columns.size()), columns_(std::move(columns)) {
  layout_ = layout_for(columns_);
  for (std::size_t j = 0; j < stored_; ++j) {
    places_.push_back({.stored = layout_.dealt_place(j, stored_)});
    columns_[j].missing = layout_.missing();
    search_.emplace_back(columns_[j].edges);
  }
  stride_ = std::min<std::size_t>(2, tiles());
  reserve_large_pages(words_, tiles() * rows_);
  words_.assign(tiles() * rows_, 0);
  count_slots();
}

namespace {

std::uint64_t code_of(const EdgeSearch& search, double number, std::size_t missing) {
  const std::size_t bin = search.bin_of(number);
  return std::isnan(number) ? missing : bin;
}

}  // namespace

void BinnedTable::encode_numbers(std::size_t col, std::span<const double> numbers,
                                 std::size_t begin) {
  const std::size_t stored = places_[col].stored;
  std::uint64_t* words = words_.data() + first_word(stored / layout_.columns()) + begin * stride_;
  const std::size_t stride = stride_;
  const std::size_t shift = layout_.shift(stored);
  const EdgeSearch& search = search_[col];
  const std::size_t missing = layout_.missing();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    words[i * stride] |= code_of(search, numbers[i], missing) << shift;
  }
}

void BinnedTable::encode(const RowBlock& block, std::size_t begin) {
  const std::size_t missing = layout_.missing();
  const std::size_t stride = stride_;
  for (std::size_t j = 0; j < block.cols; ++j) {
    if (columns_[j].computed) continue;
    const std::size_t stored = places_[j].stored;
    std::uint64_t* words = words_.data() + first_word(stored / layout_.columns()) + begin * stride_;
    const std::size_t shift = layout_.shift(stored);
    const double* x = block.data + j;
    if (columns_[j].nominal) {
      const std::vector<std::uint16_t>& bin_of = columns_[j].bin_of;
      for (std::size_t i = 0; i < block.rows; ++i) {
        const double level = x[i * block.cols];
        const std::uint64_t bin =
            std::isnan(level) ? missing : bin_of[static_cast<std::size_t>(level)];
        words[i * stride] |= bin << shift;
      }
      continue;
    }
    const EdgeSearch& search = search_[j];
    for (std::size_t i = 0; i < block.rows; ++i) {
      words[i * stride] |= code_of(search, x[i * block.cols], missing) << shift;
    }
  }
}

namespace {

// Smaller tables stay near the processor, however they are read.
constexpr std::size_t kLeastWordsByColumn = std::size_t{1} << 17U;

// The most frequent bin of a column, if it holds most of the sampled cells; else kNoBin.
std::size_t usual_bin(const BinColumn& column, std::span<const double> numbers, std::size_t cells) {
  std::vector<std::size_t> count(column.bins, 0);
  if (column.nominal) {
    for (const double level : numbers) ++count[column.bin_of[static_cast<std::size_t>(level)]];
  } else {
    std::size_t below = 0;
    for (std::size_t bin = 0; bin < column.bins; ++bin) {
      const std::size_t end =
          bin < column.edges.size()
              ? static_cast<std::size_t>(
                    std::upper_bound(numbers.begin(), numbers.end(), column.edges[bin]) -
                    numbers.begin())
              : numbers.size();
      count[bin] = end - below;
      below = end;
    }
  }
  const auto most = std::max_element(count.begin(), count.end());
  const bool sparse = static_cast<double>(*most) >= kUsualShare * static_cast<double>(cells);
  return sparse ? static_cast<std::size_t>(most - count.begin()) : kNoBin;
}

// By column of the table; null: a column of the features.
std::vector<const ComputedColumn*> computed_columns(std::size_t features,
                                                    std::span<const ComputedColumn> computed) {
  std::vector<const ComputedColumn*> out(features, nullptr);
  for (const ComputedColumn& own : computed) {
    out.resize(std::max(out.size(), own.column + 1), nullptr);
    out[own.column] = &own;
  }
  return out;
}

}  // namespace

void BinnedTable::keep_columns(const Context& context) {
  if (!layout_.narrow() || words_.size() < kLeastWordsByColumn) return;
  context.require_memory(stored_ * rows_, "the binned columns");
  reserve_large_pages(by_column_, stored_ * rows_);
  by_column_.resize(stored_ * rows_);
  std::vector<std::size_t> places;
  column_at_.assign(layout_.columns() * tiles(), 0);
  for (std::size_t place = 0; place < column_at_.size(); ++place) {
    if (slots_of_[place] == 0) continue;  // nobody stands there
    column_at_[place] = places.size() * rows_;
    places.push_back(place);
  }
  parallel::for_each_block(context, rows_, kEncodeBlock, [&](parallel::Block block) {
    for (const std::size_t place : places) {
      const TileWords words = tile(place / layout_.columns());
      const std::size_t shift = layout_.shift(place);
      std::uint8_t* out = by_column_.data() + column_at_[place];
      for (std::size_t row = block.begin; row < block.end; ++row) {
        out[row] = static_cast<std::uint8_t>(words[row] >> shift);
      }
    }
  });
}

CodeColumn BinnedTable::codes_of(std::size_t stored) const {
  static_assert(std::endian::native == std::endian::little);
  if (!by_column_.empty()) {
    return {reinterpret_cast<const std::byte*>(by_column_.data() + column_at_[stored]), 1, true};
  }
  const TileWords words = tile(stored / layout_.columns());
  return {reinterpret_cast<const std::byte*>(words.first) + layout_.shift(stored) / 8,
          words.stride * sizeof(std::uint64_t), layout_.narrow()};
}

BinnedTable bin_table(const Features& features, const Signature& signature,
                      const BinOptions& options, const Context& context) {
  const std::vector<const ComputedColumn*> computed =
      computed_columns(features.cols(), options.computed);
  const std::vector<std::size_t> chosen = rows_of_sample(features.rows(), features.cols());
  std::vector<std::vector<double>> sample = sample_columns(features, chosen, context);
  std::vector<std::size_t> usual(computed.size(), kNoBin);
  const bool keep = features.rows() * options.computed.size() <= kMostKept;
  std::vector<std::vector<double>> kept(computed.size());
  std::vector<BinColumn> columns =
      parallel::map_slots<BinColumn>(context, computed.size(), [&](std::size_t j) {
        BinColumn column;
        column.computed = computed[j] != nullptr;
        std::vector<double> numbers;
        if (column.computed) {
          std::vector<double> all = computed[j]->numbers();
          numbers = taken(all, chosen);
          if (keep) kept[j] = std::move(all);
        } else {
          numbers = std::move(sample[j]);
        }
        const std::size_t cells = numbers.size();
        keep_present(numbers, chosen, options.weights);
        if (!column.computed && signature.features.nominal(j)) {
          bin_levels(column, signature.features.levels(j).size(), numbers, options.max_bins);
        } else {
          numbers = in_order(numbers);
          column.edges = bin_edges(numbers, options.max_bins);
          column.bins = column.edges.size() + 1;
        }
        usual[j] = usual_bin(column, numbers, cells);
        return column;
      });
  const std::size_t tiles = layout_for(columns).tiles(columns.size());
  context.require_memory(features.rows() * tiles * sizeof(std::uint64_t), "the binned table");
  BinnedTable table(features.rows(), std::move(columns));
  parallel::for_each_block(context, features.rows(), kEncodeBlock, [&](parallel::Block block) {
    std::vector<double> scratch;
    table.encode(features.block(block.begin, block.end, scratch), block.begin);
  });
  for (std::size_t at = 0; at < options.computed.size(); at += kComputedTogether) {
    const auto some =
        options.computed.subspan(at, std::min(kComputedTogether, options.computed.size() - at));
    const auto numbers = parallel::map_slots<std::vector<double>>(
        context, some.size(),
        [&](std::size_t i) { return keep ? std::move(kept[some[i].column]) : some[i].numbers(); });
    parallel::for_each_block(context, features.rows(), kEncodeBlock, [&](parallel::Block block) {
      for (std::size_t i = 0; i < some.size(); ++i) {
        table.encode_numbers(some[i].column,
                             std::span(numbers[i]).subspan(block.begin, block.size()), block.begin);
      }
    });
  }
  if (options.bundling == Bundling::exclusive && table.layout().narrow()) {
    table.bundle(usual, context);
  }
  table.keep_columns(context);
  return table;
}

}  // namespace gradus
