// A window must cut a text into the records of csv_record.hpp, wherever its pieces begin and end.
#include "gradus/data/io/record_window.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <vector>

#include "gradus/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

using io::RecordWindow;

class RecordWindowTest : public testing::Test {
 protected:
  std::vector<std::string> parts(const std::string& text, std::size_t count, std::size_t piece,
                                 std::optional<char> comment = {}) const {
    RecordWindow window(folder_.file("t.csv", text), {.piece = piece});
    window.follow({',', '.', comment});
    std::vector<std::string> out;
    while (!window.next(count, {}).empty()) out.emplace_back(window.text());
    return out;
  }

  TemporaryDirectory folder_;
};

TEST_F(RecordWindowTest, cuts_after_the_wanted_records_whatever_the_size_of_its_pieces) {
  const std::string text = "a,b\n1,2\n\"x\ny\",\"say \"\"\n\"\"\"\n3,4\n\n5,\"6\"";
  const std::vector<std::string> two = {"a,b\n1,2\n", "\"x\ny\",\"say \"\"\n\"\"\"\n3,4\n",
                                        "\n5,\"6\""};
  for (std::size_t piece = 1; piece < text.size() + 2; ++piece) {
    EXPECT_EQ(parts(text, 2, piece), two) << "pieces of " << piece;
  }
}

TEST_F(RecordWindowTest, takes_a_quote_inside_a_cell_for_a_letter) {
  const std::vector<std::string> lines = {"5\" pipe,1\n", "6\",2\n"};
  EXPECT_EQ(parts("5\" pipe,1\n6\",2\n", 1, 3), lines);
}

TEST_F(RecordWindowTest, finds_no_quotes_in_comments) {
  const std::vector<std::string> lines = {"#,\"open\n", "1,2\n"};
  EXPECT_EQ(parts("#,\"open\n1,2\n", 1, 4, '#'), lines);
}

TEST_F(RecordWindowTest, counts_the_lines_before_its_text_also_those_inside_quotes) {
  RecordWindow window(folder_.file("t.csv", "a\n\"b\nc\"\nd\ne\n"), {.piece = 2});
  window.next(2, {});
  EXPECT_EQ(window.lines_before(), 0U);
  window.next(1, {});
  EXPECT_EQ(window.lines_before(), 3U);
  window.next(9, {});
  EXPECT_EQ(window.lines_before(), 4U);
}

TEST_F(RecordWindowTest, gives_back_what_was_not_wanted) {
  RecordWindow window(folder_.file("t.csv", "head\n1\n2\n3\n"), {.piece = 4});
  EXPECT_EQ(window.next(3, {}), "head\n1\n2\n");
  window.keep_from(5);
  EXPECT_EQ(window.next(2, {}), "1\n2\n");
  EXPECT_EQ(window.lines_before(), 1U);
}

TEST_F(RecordWindowTest, holds_no_more_than_its_records_and_a_piece) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += fmt::format("{},{}\n", i, i % 7);
  RecordWindow window(folder_.file("t.csv", text), {.piece = 1000});
  std::size_t longest = 0;
  std::size_t total = 0;
  while (!window.next(100, {}).empty()) {
    longest = std::max(longest, window.text().size());
    total += window.text().size();
  }
  EXPECT_EQ(total, text.size());
  EXPECT_LE(window.most_bytes(), 2 * (longest + 1000));
}

TEST_F(RecordWindowTest, refuses_a_record_beyond_the_limit_at_its_line) {
  const std::string text = "a,b\n1,2\n3,\"" + std::string(5000, 'x');
  RecordWindow window(folder_.file("t.csv", text), {.max_line_bytes = 1000, .piece = 100});
  try {
    window.next(10, {});
    FAIL() << "a quote that never closes was read to the end";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    EXPECT_TRUE(error.where().ends_with("t.csv:3")) << error.where();
  }
  EXPECT_LT(window.most_bytes(), 3000U);
}

}  // namespace
}  // namespace gradus
