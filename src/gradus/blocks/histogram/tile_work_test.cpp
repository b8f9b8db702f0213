#include "gradus/blocks/histogram/tile_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "gradus/core/random.hpp"
#include "support/names_of.hpp"

namespace gradus {
namespace {

constexpr std::size_t kRows = 100'000;  // several chunks
constexpr std::size_t kCols = 19;       // three tiles: no multiple of two threads

BinnedTable table_of_chance() {
  Stream stream(5);
  std::vector<Column> columns;
  for (std::size_t j = 0; j < kCols; ++j) {
    std::vector<double> numbers(kRows);
    for (double& x : numbers) x = static_cast<double>(stream.below(50));
    columns.push_back(Column::numeric("c" + std::to_string(j), std::move(numbers)));
  }
  Signature signature;
  signature.features = names_of(columns);
  std::vector<FeatureColumn> recipes;
  for (const Column& column : columns) recipes.push_back({column, {}});
  return bin_table(Features(kRows, std::move(recipes)), signature, {}, {});
}

std::vector<GradientPair> pairs_of_chance() {
  Stream stream(6);
  const FixedPoint scale(1, 1, kRows);
  std::vector<GradientPair> pairs;
  for (std::size_t i = 0; i < kRows; ++i) {
    pairs.push_back(scale.pack(stream.uniform() - 0.5, stream.uniform()));
  }
  return pairs;
}

TEST(DealtPlaces, are_even_and_fill_the_first_bytes_of_every_tile) {
  for (const std::size_t columns : {1U, 8U, 9U, 19U, 28U, 50U}) {
    const BinLayout layout;
    std::vector<std::size_t> in_tile(layout.tiles(columns), 0);
    for (std::size_t nth = 0; nth < columns; ++nth) {
      const std::size_t place = layout.dealt_place(nth, columns);
      EXPECT_EQ(place % layout.columns(), in_tile[place / layout.columns()]++);
    }
    const auto [least, most] = std::minmax_element(in_tile.begin(), in_tile.end());
    EXPECT_LE(*most - *least, 1U) << columns;
    EXPECT_LE(*most, layout.columns());
  }
}

TEST(TileWork, sums_the_same_whichever_way_threads_share_it) {
  const BinnedTable table = table_of_chance();
  const std::vector<GradientPair> pairs = pairs_of_chance();
  std::vector<std::uint32_t> odd;
  std::vector<GradientPair> of_odd;
  for (std::uint32_t row = 1; row < kRows; row += 2) {
    odd.push_back(row);
    of_odd.push_back(pairs[row]);
  }
  std::vector<std::size_t> all(kCols);
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const LeafRows& rows : {LeafRows{{}, pairs}, LeafRows{odd, of_odd}}) {
    std::vector<GradientPair> plain(table.tiles() * table.layout().tile_pairs());
    for (std::size_t i = 0; i < rows.gradients.size(); ++i) {
      const std::size_t row = rows.rows.empty() ? i : rows.rows[i];
      for (const std::size_t col : all) {
        const std::size_t first = table.place(col).stored * table.layout().slots;
        plain[first + table.code(row, col)] += rows.gradients[i];
      }
    }
    for (const int threads : {1, 2, 3, 8}) {
      Context context;
      context.threads = threads;
      TileWork work(table, context);
      work.choose(all);
      std::vector<GradientPair> histogram(plain.size());
      work.build(rows, histogram.data());
      EXPECT_EQ(histogram, plain) << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace gradus
