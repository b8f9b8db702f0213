// Parts one after the other must be the table that the file gives as a whole.
#include "gradus/data/io/table_parts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gradus/core/error.hpp"
#include "support/packed.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

std::string rows_text(std::size_t rows) {
  std::string text = "x,city,note\n";
  for (std::size_t i = 0; i < rows; ++i) {
    text += fmt::format("{},\"c{}\",{}\n", i, i * i % 11, i < 12000 ? 1 : 2);
  }
  return text;
}

std::vector<std::string> cells_of(TableParts& parts) {
  std::vector<std::string> cells;
  while (const auto part = parts.next()) {
    for (std::size_t row = 0; row < part->rows(); ++row) {
      for (const Column& column : part->columns()) cells.push_back(column.cell(row));
    }
  }
  return cells;
}

std::vector<std::string> cells_of(const Dataset& data) {
  std::vector<std::string> cells;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (const Column& column : data.columns()) cells.push_back(column.cell(row));
  }
  return cells;
}

class TablePartsTest : public testing::Test {
 protected:
  std::string error_of(const std::string& text, const ReadOptions& options,
                       std::size_t rows) const {
    try {
      TableParts parts(folder_.file("e.csv", text), options, rows, context_);
      cells_of(parts);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryDirectory folder_;
  Context context_ = {.threads = 2};
};

TEST_F(TablePartsTest, are_the_rows_of_the_whole_file_plain_or_packed) {
  const std::string text = rows_text(25000);
  const std::string plain = folder_.file("t.csv", text);
  const std::vector<std::string> whole = cells_of(read_table(plain));
  for (const std::string& file : {plain, folder_.file("t.csv.gz", gzip(text)),
                                  folder_.file("b.csv", "\xEF\xBB\xBF" + text)}) {
    for (const std::size_t rows : {std::size_t{7000}, std::size_t{100000}}) {
      TableParts parts(file, {}, rows, context_);
      EXPECT_EQ(cells_of(parts), whole) << file << " in parts of " << rows;
    }
  }
}

TEST_F(TablePartsTest, have_the_number_of_rows_that_was_asked_for) {
  TableParts parts(folder_.file("t.csv", rows_text(1000)), {}, 300, context_);
  std::vector<std::size_t> sizes;
  while (const auto part = parts.next()) {
    EXPECT_EQ(parts.rows_before(), 300 * sizes.size());
    sizes.push_back(part->rows());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{300, 300, 300, 100}));
}

TEST_F(TablePartsTest, have_all_categories_of_the_file_once_they_are_settled) {
  const std::string text = "x,city,y\n1,b,3\n2,a,1\n3,c,3\n4,a,2\n";
  TableParts parts(folder_.file("t.csv", text), {}, 1, context_);
  EXPECT_TRUE(parts.has_open_levels());
  EXPECT_EQ(parts.next()->column("city").levels(), (Levels{"b"}));
  EXPECT_EQ(parts.settle_levels("y"), (Levels{"1", "2", "3"}));
  EXPECT_FALSE(parts.has_open_levels());
  std::size_t count = 0;
  while (const auto part = parts.next()) {
    EXPECT_EQ(part->column("city").levels(), (Levels{"a", "b", "c"}));
    ++count;
  }
  EXPECT_EQ(count, 4U);
}

TEST_F(TablePartsTest, can_be_read_again_from_the_first_row) {
  TableParts parts(folder_.file("t.csv", rows_text(50)), {}, 20, context_);
  const std::vector<std::string> once = cells_of(parts);
  ASSERT_TRUE(parts.can_rewind());
  parts.rewind();
  EXPECT_EQ(cells_of(parts), once);
}

TEST_F(TablePartsTest, name_the_line_of_the_file_in_errors_of_later_parts) {
  const std::string text = rows_text(30000);
  EXPECT_NE(error_of(text + "word,c1,2\n", {}, 1000)
                .find("e.csv:30002:1: error[bad_data]: column \"x\": expected a number, got "
                      "\"word\""),
            std::string::npos);
  EXPECT_NE(error_of(text + "1,c1\n", {}, 1000).find("e.csv:30002:"), std::string::npos);
  EXPECT_NE(error_of(text + "1,\"open\n", {}, 1000).find("e.csv:30002:3"), std::string::npos);
}

TEST_F(TablePartsTest, hold_no_more_text_than_a_part_and_the_first_rows) {
  const std::string text = rows_text(300000);
  TableParts parts(folder_.file("t.csv", text), {}, 1000, context_);
  std::size_t rows = 0;
  while (const auto part = parts.next()) rows += part->rows();
  EXPECT_EQ(rows, 300000U);
  EXPECT_LT(parts.most_text_bytes(), std::size_t{9} << 20);  // one piece, twice at most
}

TEST_F(TablePartsTest, refuse_what_they_cannot_read) {
  ReadOptions rejecting;
  rejecting.bad_rows = BadRow::reject;
  EXPECT_NE(error_of("x\n1\n", rejecting, 5).find("--on-bad-row"), std::string::npos);
  ReadOptions latin;
  latin.encoding = TextEncoding::latin1;
  EXPECT_NE(error_of("x\n1\n", latin, 5).find("--encoding"), std::string::npos);
  EXPECT_NE(error_of("x\n1\n", {}, 0).find("at least 1 row"), std::string::npos);
  ReadOptions lines;
  lines.format = TableFormat::jsonl;
  EXPECT_NE(error_of("{}\n", lines, 5).find("only CSV and TSV"), std::string::npos);
  EXPECT_NE(error_of("", {}, 5).find("the file is empty"), std::string::npos);
}

}  // namespace
}  // namespace gradus
