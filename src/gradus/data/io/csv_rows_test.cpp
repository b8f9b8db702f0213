// The two ways of the CSV reader, by marked rows and by careful records, must give one table. A
// chunk of a single byte leaves no room for marked rows, so chunk size 1 is the careful way.
#include "gradus/data/io/csv_rows.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/data/io/csv.hpp"

namespace gradus {
namespace {

TEST(RowMarks, give_the_cells_of_a_column) {
  const std::string text = "1,22,\n333,,\"4,\n4\"\n5";
  io::RowMarks rows;
  rows.prepare({}, 100);
  rows.mark(text.data(), text.data() + text.size());
  ASSERT_EQ(rows.count(), 2U);
  EXPECT_EQ(rows.begin(0), text.data());
  EXPECT_EQ(rows.begin(2) - text.data(), 18);
  EXPECT_EQ(rows.cells(0), 3U);
  EXPECT_EQ(rows.cells(1), 3U);
  const auto cell = [&](std::size_t row, std::size_t column) {
    const io::CellsDown cells = rows.column(0, column, 3);
    return std::string(cells.begin(row), cells.end(row));
  };
  EXPECT_EQ(cell(0, 0), "1");
  EXPECT_EQ(cell(0, 1), "22");
  EXPECT_EQ(cell(0, 2), "");
  EXPECT_EQ(cell(1, 0), "333");
  EXPECT_EQ(cell(1, 1), "");
  EXPECT_EQ(cell(1, 2), "\"4,\n4\"");
}

TEST(RowMarks, mark_nothing_behind_a_quote_inside_a_cell) {
  const std::string text = "5\" pipe,1\n2,3\n";
  io::RowMarks rows;
  rows.prepare({}, 100);
  rows.mark(text.data(), text.data() + text.size());
  EXPECT_TRUE(rows.odd_quote());
  EXPECT_EQ(rows.count(), 0U);
}

struct Outcome {
  std::string text;
  std::size_t rejected = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const std::string& text, const ReadOptions& options, std::size_t chunk_bytes) {
  ReadReport report;
  try {
    const Dataset data =
        io::parse_csv_in_chunks({text, "t.csv"}, options, report, {.threads = 2}, chunk_bytes);
    std::string all = data.fingerprint();
    for (const auto& column : report.columns) all += "\n" + column.name + ": " + column.why;
    for (const auto& warning : report.warnings) all += "\n" + warning;
    return {all, report.rejected_rows};
  } catch (const Error& error) {
    return {error.what(), 0};
  }
}

std::string random_cell(Stream& random, std::size_t column) {
  const std::uint64_t kind = random.below(60);
  if (kind == 0) return "";
  if (kind == 1) return "NA";
  if (kind == 2) return "\"1.5\"";
  if (kind == 3) return " 7 ";
  if (kind == 4) return "1e-7";
  if (kind == 5 && column == 2) return "\"x,\n\"\"y\"\"\"";
  if (column == 2) return "level" + std::to_string(random.below(30));
  return std::to_string(random.normal()) + std::to_string(random.below(100000));
}

// `damage` is put into one cell in 200.
std::string random_table(std::uint64_t seed, const std::string& line_end,
                         const std::string& damage) {
  Stream random(11, seed);
  std::string text = "a,b,c" + line_end;
  for (int row = 0; row < 400; ++row) {
    if (random.below(50) == 0) text += line_end;
    for (std::size_t column = 0; column < 3; ++column) {
      const bool damaged = !damage.empty() && random.below(200) == 0;
      text += (column > 0 ? "," : "") + (damaged ? damage : random_cell(random, column));
    }
    text += line_end;
  }
  return text;
}

TEST(CsvRows, both_ways_give_the_same_table_and_the_same_first_error) {
  const std::string damages[] = {"",
                                 "a,b",
                                 "5\" pipe",
                                 "\"open",
                                 "\"closed\"behind",
                                 "word",
                                 "inf",
                                 "1\r2",
                                 "12345678901234567890"};
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (const std::string& damage : damages) {
      const std::string text = random_table(seed, seed % 2 == 0 ? "\n" : "\r\n", damage);
      for (const BadRow bad_rows : {BadRow::error, BadRow::reject}) {
        for (const bool declared : {false, true}) {
          ReadOptions options{.bad_rows = bad_rows};
          if (declared) options.numeric = {"a", "b"};
          const Outcome fast = outcome(text, options, 0);
          ASSERT_EQ(fast.text, outcome(text, options, 1).text) << damage;
          ASSERT_EQ(fast, outcome(text, options, 5000)) << damage;
        }
      }
    }
  }
}

TEST(CsvRows, the_first_bad_byte_is_the_one_reported_whatever_the_chunks) {
  using namespace std::string_literals;
  const std::string high_first = "a,b\n1,\xC3\n2,x\0\n"s;
  const std::string nul_first = "a,b\n1,x\0\n2,\xC3\n"s;
  for (const std::size_t bytes : {0U, 1U, 5U, 9U}) {
    EXPECT_NE(outcome(high_first, {}, bytes).text.find("t.csv:2:3"), std::string::npos) << bytes;
    EXPECT_NE(outcome(nul_first, {}, bytes).text.find("t.csv:2:4"), std::string::npos) << bytes;
  }
}

}  // namespace
}  // namespace gradus
