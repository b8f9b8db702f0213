// Rows come in the same order and with the same numbers, whether they are copied ahead or not.
#include "gradus/blocks/linear/rows_in_turn.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

namespace gradus {
namespace {

constexpr int kPasses = 3;
constexpr Seed kSeed = 11;

// A table of dense rows; number j of row i is i + j / 100.
struct Table {
  std::size_t rows;
  std::size_t cols;
  std::vector<double> numbers = std::vector<double>(rows * cols);
  Features features = {};

  Table(std::size_t n, std::size_t d) : rows(n), cols(d) {
    std::vector<FeatureColumn> columns;
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        numbers[i * d + j] = static_cast<double>(i) + static_cast<double>(j) / 100;
      }
      columns.push_back({Column::numeric_view("x", ElementType::float64, numbers.data() + j, n,
                                              static_cast<std::ptrdiff_t>(d * sizeof(double)),
                                              std::make_shared<int>(0)),
                         {}});
    }
    features = Features(n, std::move(columns));
  }

  std::vector<std::uint32_t> in_order() const {
    std::vector<std::uint32_t> out(rows);
    std::iota(out.begin(), out.end(), 0U);
    return out;
  }
};

// The rows of all passes as they were met; `last` as the caller announced it.
std::vector<std::uint32_t> met(const Table& table, int last, int threads) {
  Context context;
  context.threads = threads;
  const LinearRows rows(table.features, context);
  RowsInTurn turns(rows, table.in_order(), {.seed = kSeed, .function = 2}, context);
  std::vector<std::uint32_t> out;
  for (int pass = 1; pass <= kPasses; ++pass) {
    turns.run_pass(pass, last, [&](const RowsInTurn::Stretch& stretch) {
      for (std::size_t turn = 0; turn < stretch.size(); ++turn) {
        const LinearRows::Visit visit = stretch.visit(turn);
        out.push_back(static_cast<std::uint32_t>(visit.row));
        for (std::size_t j = 0; j < visit.width; ++j) {
          const double expected = j < table.cols ? table.numbers[visit.row * table.cols + j] : 0;
          if (visit.numbers[j] != expected) out.push_back(0xFFFFFFFF);
        }
      }
    });
  }
  return out;
}

std::vector<std::uint32_t> expected(const Table& table) {
  std::vector<std::uint32_t> order = table.in_order();
  std::vector<std::uint32_t> out;
  for (std::uint64_t pass = 1; pass <= kPasses; ++pass) {
    Stream(kSeed, 2 * 1000003 + pass).shuffle(std::span(order));
    out.insert(out.end(), order.begin(), order.end());
  }
  return out;
}

TEST(RowsInTurn, follow_the_shuffle_of_each_pass) {
  for (const std::size_t rows : {1U, 100U, 30011U}) {
    const Table table(rows, 19);
    for (const int threads : {1, 2, 5}) {
      EXPECT_EQ(met(table, kPasses, threads), expected(table)) << rows << " rows";
    }
  }
}

TEST(RowsInTurn, a_pass_that_nobody_announced_is_mixed_when_it_comes) {
  const Table table(30011, 19);
  EXPECT_EQ(met(table, 1, 2), expected(table));
  EXPECT_EQ(met(table, kPasses + 5, 2), expected(table));
}

TEST(RowsInTurn, stay_as_they_are_without_mixing) {
  const Table table(30011, 19);
  const LinearRows rows(table.features, {});
  RowsInTurn turns(rows, table.in_order(), {.on = false}, {});
  std::vector<std::uint32_t> out;
  turns.run_pass(1, 1, [&](const RowsInTurn::Stretch& stretch) {
    out.insert(out.end(), stretch.rows.begin(), stretch.rows.end());
  });
  EXPECT_EQ(out, table.in_order());
}

TEST(RowsInTurn, copies_give_the_sums_of_the_rows_themselves) {
  const Table table(30011, 19);
  const LinearRows rows(table.features, {});
  RowsInTurn turns(rows, table.in_order(), {.seed = kSeed}, {});
  ASSERT_EQ(turns.width(), 32U);
  std::vector<double> w(turns.width(), 0.0);
  for (std::size_t j = 0; j < table.cols; ++j) w[j] = 1 / static_cast<double>(j + 3);
  std::size_t different = 0;
  turns.run_pass(1, 1, [&](const RowsInTurn::Stretch& stretch) {
    for (std::size_t turn = 0; turn < stretch.size(); ++turn) {
      if (rows.dot(stretch.visit(turn), w.data()) != rows.dot(stretch.rows[turn], w.data())) {
        ++different;
      }
    }
  });
  EXPECT_EQ(different, 0U);
}

}  // namespace
}  // namespace gradus
