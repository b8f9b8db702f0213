#include "gradus/data/io/row_texts.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "gradus/core/error.hpp"
#include "gradus/data/io/formats.hpp"

namespace gradus::io {
namespace {

TEST(RowTexts, rows_stand_in_their_order_for_any_number_of_threads) {
  constexpr std::size_t kRows = 30000;
  std::string expected = "head\n";
  for (std::size_t row = 0; row < kRows; ++row) expected += std::to_string(row) + "\n";
  for (const int threads : {1, 2, 8}) {
    const std::string text =
        text_of_rows("head\n", kRows, {.threads = threads},
                     [](std::string& out, std::size_t row) { out += std::to_string(row) + "\n"; });
    EXPECT_EQ(text, expected);
  }
  EXPECT_EQ(text_of_rows("only\n", 0, {}, [](std::string&, std::size_t) {}), "only\n");
}

TEST(RowTexts, the_error_of_the_first_wrong_row_comes_out) {
  const auto write = [](int threads) {
    return text_of_rows({}, 40000, {.threads = threads}, [](std::string&, std::size_t row) {
      if (row % 10000 == 9999) throw Error(ErrorKind::bad_data, std::to_string(row), "wrong");
    });
  };
  for (const int threads : {1, 2, 8}) {
    try {
      write(threads);
      FAIL() << "an error is expected";
    } catch (const Error& error) {
      EXPECT_EQ(error.where(), "9999");
    }
  }
}

TEST(RowTexts, streamed_rows_stand_in_their_order_for_any_number_of_threads) {
  // One wave has 16 384 rows: none, a part of one, exactly one, one row more, and several.
  for (const std::size_t rows : {0, 1000, 16384, 16385, 50001}) {
    std::string expected = "head\n";
    for (std::size_t row = 0; row < rows; ++row) expected += std::to_string(row) + "\n";
    for (const int threads : {1, 2, 8}) {
      std::string text;
      stream_rows(
          "head\n", rows, {.threads = threads},
          [](std::string& out, std::size_t row) { out += std::to_string(row) + "\n"; },
          [&](std::string_view part) { text += part; });
      EXPECT_EQ(text, expected);
    }
  }
}

TEST(RowTexts, what_the_sink_refuses_ends_the_stream) {
  const auto write = [] {
    stream_rows(
        {}, 40000, {.threads = 2}, [](std::string& out, std::size_t) { out += "row\n"; },
        [](std::string_view part) {
          if (!part.empty()) throw Error(ErrorKind::io, "disk", "full");
        });
  };
  EXPECT_THROW(write(), Error);
}

TEST(RowTexts, numbers_are_written_as_the_cells_of_their_column) {
  const std::vector<double> wide = {0.1,    -0.0,         1e300,
                                    5e-324, 123456789.25, 1.0 / 3,
                                    -1e22,  65504,        std::numeric_limits<double>::infinity()};
  const std::vector<float> narrow(wide.begin(), wide.end());
  for (const Column& column : {Column::numeric("x", wide), Column::numeric("x", narrow)}) {
    for (std::size_t row = 0; row < wide.size(); ++row) {
      std::string text;
      append_number(text, column, row);
      EXPECT_EQ(text, column.cell(row));
    }
  }
}

TEST(JsonlWriter, the_text_of_every_kind_of_column_does_not_depend_on_the_threads) {
  constexpr std::size_t kRows = 20000;
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;
  std::vector<std::int32_t> truths;
  TextBlock texts;
  std::string expected;
  for (std::size_t row = 0; row < kRows; ++row) {
    numbers.push_back(static_cast<double>(row) / 2);
    codes.push_back(static_cast<std::int32_t>(row % 3) - 1);
    truths.push_back(static_cast<std::int32_t>(row % 2));
    texts.push_back("t\t" + std::to_string(row));
    const char* const level[] = {"null", "\"a\"", R"("say \"b\"")"};
    expected += R"({"x":)" + std::to_string(row / 2) + (row % 2 == 0 ? "" : ".5") + R"(,"k":)" +
                level[row % 3] + R"(,"b":)" + (row % 2 == 0 ? "false" : "true") + R"(,"t":"t\t)" +
                std::to_string(row) + "\"}\n";
  }
  const Dataset data({Column::numeric("x", numbers),
                      Column::nominal("k", codes, {"a", "say \"b\""}),
                      Column::nominal("b", truths, {"false", "true"}), Column::text("t", texts)});
  for (const int threads : {1, 2, 8}) {
    EXPECT_EQ(format_jsonl(data, {}, {.threads = threads}), expected);
  }
}

}  // namespace
}  // namespace gradus::io
