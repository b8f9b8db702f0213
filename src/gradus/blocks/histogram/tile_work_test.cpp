#include "gradus/blocks/histogram/tile_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <string>

#include "gradus/core/random.hpp"
#include "gradus/simd/word_pairs.hpp"
#include "support/names_of.hpp"

namespace gradus {
namespace {

constexpr std::size_t kRows = 100'000;  // several chunks
constexpr std::size_t kCols = 19;       // four tiles, one of which has a column less

BinnedTable table_of_chance() {
  Stream stream(5);
  std::vector<Column> columns;
  for (std::size_t j = 0; j < kCols; ++j) {
    std::vector<double> numbers(kRows);
    // Every fifth column has bins that more rows share than words can be added up.
    for (double& x : numbers) {
      x = stream.below(20) == 0 ? std::numeric_limits<double>::quiet_NaN()
                                : static_cast<double>(stream.below(j % 5 == 0 ? 3 : 50));
    }
    columns.push_back(Column::numeric("c" + std::to_string(j), std::move(numbers)));
  }
  Signature signature;
  signature.features = names_of(columns);
  std::vector<FeatureColumn> recipes;
  for (const Column& column : columns) recipes.push_back({column, {}});
  return bin_table(Features(kRows, std::move(recipes)), signature, {}, {});
}

struct RowGradients {
  std::vector<double> g;
  std::vector<double> h;
};

RowGradients gradients_of_chance() {
  Stream stream(6);
  RowGradients out;
  for (std::size_t i = 0; i < kRows; ++i) {
    out.g.push_back(2 * stream.uniform() - 1);
    out.h.push_back(stream.uniform());
  }
  return out;
}

// Some rows, or all of them, and the gradients of all in one form.
struct Leaf {
  std::vector<std::uint32_t> rows = {};
  std::vector<GradientPair> pairs = {};
  std::vector<std::uint64_t> words = {};

  LeafRows view() const { return {rows, pairs, words}; }
};

Leaf leaf_of(const RowGradients& all, const FixedPoint& scale, GradientForm form, bool odd) {
  std::vector<std::uint64_t> words(kRows);
  simd::gradient_words({all.g.data(), all.h.data(), nullptr, kRows}, scale.units(), words.data());
  Leaf leaf;
  for (std::uint32_t row = 1; odd && row < kRows; row += 2) leaf.rows.push_back(row);
  for (std::size_t row = 0; form == GradientForm::pairs && row < kRows; ++row) {
    leaf.pairs.push_back(scale.pack(all.g[row], all.h[row]));
  }
  if (form == GradientForm::words) leaf.words = std::move(words);
  return leaf;
}

GradientPair unpacked(std::uint64_t word, const FixedPoint& scale) {
  GradientPair out;
  simd::scalar::unpack_words(&word, 1, scale.count_bits(), &out.gradient);
  return out;
}

// The definition.
std::vector<GradientPair> plain_sums(const BinnedTable& table, const Leaf& leaf,
                                     const FixedPoint& scale,
                                     std::span<const std::size_t> columns) {
  std::vector<GradientPair> out(table.tiles() * table.layout().tile_pairs());
  for (std::size_t i = 0; i < leaf.view().size(); ++i) {
    const std::size_t row = leaf.rows.empty() ? i : leaf.rows[i];
    const GradientPair pair =
        leaf.words.empty() ? leaf.pairs[row] : unpacked(leaf.words[row], scale);
    for (const std::size_t col : columns) {
      out[table.place(col).stored * table.layout().slots + table.code(row, col)] += pair;
    }
  }
  return out;
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

void expect_plain_sums(GradientForm form, std::span<const std::size_t> columns) {
  const BinnedTable table = table_of_chance();
  const RowGradients all = gradients_of_chance();
  const FixedPoint scale =
      form == GradientForm::pairs ? FixedPoint(1, 1, kRows) : FixedPoint::of_words(1, 1, kRows);
  for (const bool odd : {false, true}) {
    const Leaf leaf = leaf_of(all, scale, form, odd);
    const std::vector<GradientPair> plain = plain_sums(table, leaf, scale, columns);
    for (const int threads : {1, 2, 3, 8}) {
      Context context;
      context.threads = threads;
      TileWork work(table, context);
      work.choose(columns, scale, form);
      std::vector<GradientPair> histogram(plain.size());
      // What is left from another leaf does not matter.
      for (std::size_t i = 0; i < histogram.size(); ++i) {
        if (plain[i] != GradientPair{}) histogram[i] = {7, 7};
      }
      work.build(leaf.view(), histogram.data());
      EXPECT_EQ(histogram, plain) << threads << " threads";
    }
  }
}

TEST(TileWork, sums_the_same_whichever_way_threads_share_it) {
  std::vector<std::size_t> all(kCols);
  std::iota(all.begin(), all.end(), std::size_t{0});
  expect_plain_sums(GradientForm::pairs, all);
  expect_plain_sums(GradientForm::words, all);
}

TEST(TileWork, sums_some_of_the_columns) {
  for (const std::vector<std::size_t>& some :
       std::vector<std::vector<std::size_t>>{{0}, {5, 18}, {1, 2, 3, 5, 8, 13}}) {
    expect_plain_sums(GradientForm::pairs, some);
    expect_plain_sums(GradientForm::words, some);
  }
}

TEST(TileWork, pairs_up_tiles_where_threads_still_share_evenly) {
  const BinnedTable table = table_of_chance();
  std::vector<std::size_t> all(kCols);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto units = [&](int threads, GradientForm form) {
    Context context;
    context.threads = threads;
    TileWork work(table, context);
    work.choose(all, FixedPoint::of_words(1, 1, kRows), form);
    std::vector<std::size_t> counts;
    std::mutex guard;
    work.for_units(kRows, [&](const TileWork::Unit& unit) {
      const std::lock_guard lock(guard);
      counts.push_back(unit.count);
    });
    return counts;
  };
  EXPECT_EQ(units(2, GradientForm::words), (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(units(4, GradientForm::words), (std::vector<std::size_t>{1, 1, 1, 1}));
  EXPECT_EQ(units(2, GradientForm::pairs), (std::vector<std::size_t>{1, 1, 1, 1}));
}

}  // namespace
}  // namespace gradus
