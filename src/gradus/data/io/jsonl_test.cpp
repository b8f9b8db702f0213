#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/data/io/format_testing.hpp"

namespace gradus::io {
namespace {

using testing::HasSubstr;

Dataset jsonl(std::string_view text, const ReadOptions& options = {},
              ReadReport* report = nullptr) {
  ReadReport unused;
  return parse_jsonl({text, "t.jsonl"}, options, report != nullptr ? *report : unused);
}

TEST(JsonlReader, objects_become_rows_with_columns_in_order_of_appearance) {
  ReadReport report;
  const Dataset data = jsonl(
      "\xEF\xBB\xBF{\"age\": 39, \"job\": \"cl\\u00e9rk\\n\", \"paid\": true}\r\n\n"
      "{\"paid\": false, \"age\": null, \"job\": null}\n"
      "{\"age\": -0.5e1, \"job\": \"\\ud83d\\ude00\", \"paid\": null}",
      {}, &report);
  EXPECT_EQ(data.names(), (std::vector<std::string>{"age", "job", "paid"}));
  ASSERT_EQ(data.rows(), 3U);
  EXPECT_EQ(data.column("age").number(0), 39);
  EXPECT_TRUE(data.column("age").missing(1));
  EXPECT_EQ(data.column("age").number(2), -5);
  EXPECT_EQ(data.column("job").text_at(0), "cl\xC3\xA9rk\n");
  EXPECT_TRUE(data.column("job").missing(1));
  EXPECT_EQ(data.column("job").text_at(2), "\xF0\x9F\x98\x80");
  EXPECT_EQ(data.column("paid").levels(), (Levels{"false", "true"}));
  EXPECT_EQ(data.column("paid").text_at(1), "false");
  EXPECT_THAT(report.warnings, testing::ElementsAre("1 blank line skipped"));
}

TEST(JsonlReader, arrays_become_rows_with_numbered_columns) {
  const Dataset data = jsonl("[1, \"a\", true]\n[2, null, true]\n");
  EXPECT_EQ(data.names(), (std::vector<std::string>{"x1", "x2", "x3"}));
  EXPECT_EQ(data.column("x1").number(1), 2);
  EXPECT_TRUE(data.column("x2").missing(1));
  EXPECT_EQ(data.column("x3").levels(), (Levels{"false", "true"}));
}

TEST(JsonlReader, valid_numbers_are_read_to_the_last_bit) {
  const Dataset data = jsonl("[-0, 1E5, 0.1, 2.2250738585072014e-308, 9007199254740993]\n");
  EXPECT_TRUE(std::signbit(data.column("x1").number(0)));
  EXPECT_EQ(data.column("x2").number(0), 1e5);
  EXPECT_EQ(data.column("x3").number(0), 0.1);
  EXPECT_EQ(data.column("x4").number(0), 2.2250738585072014e-308);
  EXPECT_EQ(data.column("x5").number(0), 9007199254740992.0);
}

struct Bad {
  std::string text;
  std::string where;
  std::string message;
};

TEST(JsonlReader, every_broken_row_is_refused_at_its_line_and_column) {
  const std::string first = "{\"a\": 1, \"b\": \"x\"}\n";
  const std::vector<Bad> cases = {
      {"", "t.jsonl", "empty file"},
      {"\n \n", "t.jsonl", "no data rows"},
      {"{}\n", "t.jsonl:1:1", "no cells"},
      {"5\n", "t.jsonl:1:1", "{ is expected"},
      {std::string(100000, '['), "t.jsonl:1:2", "nested"},
      {"{\"a\": {\"b\": 1}}\n", "t.jsonl:1:7", "nested"},
      {"[1e400]\n", "t.jsonl:1:2", "too large"},
      {"[" + std::string(309, '9') + "]\n", "t.jsonl:1:2", "too large"},
      {"[NaN]\n", "t.jsonl:1:2", "is expected"},
      {"[Infinity]\n", "t.jsonl:1:2", "is expected"},
      {"[01]\n", "t.jsonl:1:2", "begin with 0"},
      {"[+1]\n", "t.jsonl:1:2", "is expected"},
      {"[.5]\n", "t.jsonl:1:2", "is expected"},
      {"[5.]\n", "t.jsonl:1:4", "after the point"},
      {"[1e]\n", "t.jsonl:1:4", "exponent"},
      {"[-]\n", "t.jsonl:1:3", "digit"},
      {"{\"a\": 1, \"a\": 2}\n", "t.jsonl:1:10", "first at t.jsonl:1:2"},
      {first + "{\"a\": 1, \"b\": \"x\", \"a\": 2}\n", "t.jsonl:2:20", "first at t.jsonl:2:2"},
      {"[\"\\ud800\"]\n", "t.jsonl:1:3", "surrogate"},
      {"[\"\\ud800\\u0041\"]\n", "t.jsonl:1:3", "surrogate"},
      {"[\"\\udc00\"]\n", "t.jsonl:1:3", "surrogate"},
      {"[\"\\u0000\"]\n", "t.jsonl:1:3", "NUL"},
      {"[\"\\x\"]\n", "t.jsonl:1:4", "escape"},
      {"[\"\\u12G4\"]\n", "t.jsonl:1:7", "hexadecimal"},
      {"[\"a\tb\"]\n", "t.jsonl:1:4", "control character"},
      {"[\"\xC0\xAF\"]\n", "t.jsonl:1:3", "UTF-8"},
      {"[\"abc]\n", "t.jsonl:1:2", "never closes"},
      {first + "{\"a\": 1}\n", "t.jsonl:2:1", "no key \"b\""},
      {first + "{\"a\": 1, \"c\": 2}\n", "t.jsonl:2:10", "no key \"c\""},
      {first + "{\"a\": \"5\", \"b\": \"x\"}\n", "t.jsonl:2:7", "holds numbers"},
      {first + "{\"a\": 5, \"b\": 7}\n", "t.jsonl:2:15", "holds texts"},
      {first + "{\"a\": 5, \"b\": true}\n", "t.jsonl:2:15", "mixes"},
      {first + "[1, 2]\n", "t.jsonl:2:1", "is an array"},
      {"[1,]\n", "t.jsonl:1:4", "is expected"},
      {"[1 2]\n", "t.jsonl:1:4", ", is expected"},
      {"[1] // x\n", "t.jsonl:1:5", "nothing may follow"},
      {"[1] [2]\n", "t.jsonl:1:5", "nothing may follow"},
      {"[1,2]\n[1]\n", "t.jsonl:2:1", "row 2 has 1 cell"},
      {"{\"\": 1}\n", "t.jsonl:1:2", "empty"},
      {"{a: 1}\n", "t.jsonl:1:2", "is expected"},
      {"[truee]\n", "t.jsonl:1:6", "is expected"},
  };
  for (const Bad& bad : cases) {
    const Failure failure = failure_of([&] { jsonl(bad.text); });
    const std::string shown = bad.text.substr(0, 80);
    EXPECT_EQ(failure.kind, ErrorKind::bad_data) << shown;
    EXPECT_EQ(failure.where, bad.where) << shown;
    EXPECT_THAT(failure.message, HasSubstr(bad.message)) << shown;
  }
}

TEST(JsonlReader, a_line_over_the_limit_is_refused_as_a_limit) {
  ReadOptions options;
  options.max_line_bytes = 100;
  const Failure failure = failure_of([&] { jsonl(std::string(1000, ' '), options); });
  EXPECT_EQ(failure.kind, ErrorKind::limit);
  EXPECT_EQ(failure.where, "t.jsonl:1:1");
}

TEST(JsonlReader, declarations_of_the_user_decide_the_kind) {
  ReadOptions options;
  options.numeric = {"a"};
  options.nominal = {"b"};
  options.text = {"c"};
  options.ordinal = {{"d", {"low", "high"}}};
  const Dataset data = jsonl(
      "{\"a\": \"5\", \"b\": 1, \"c\": 1.5, \"d\": \"high\"}\n"
      "{\"a\": 6, \"b\": \"x\", \"c\": null, \"d\": \"low\"}\n",
      options);
  EXPECT_EQ(data.column("a").number(0), 5);
  EXPECT_EQ(data.column("b").levels(), (Levels{"1", "x"}));
  EXPECT_EQ(data.column("c").text_at(0), "1.5");
  EXPECT_TRUE(data.column("c").missing(1));
  EXPECT_EQ(data.column("d").kind(), ColumnKind::ordinal);
  EXPECT_EQ(data.column("d").code(0), 1);
  options.ordinal = {{"d", {"low"}}};
  EXPECT_EQ(failure_of([&] {
              jsonl("{\"a\": 1, \"b\": 1, \"c\": 1, \"d\": \"high\"}\n", options);
            }).where,
            "t.jsonl:1:31");
}

TEST(JsonlWriter, what_is_written_reads_back_as_the_same_table) {
  const Dataset data(
      {Column::numeric("x \"1\"", std::vector<double>{0.1, std::nan(""), -1.7976931348623157e308}),
       Column::nominal("k", {1, -1, 0}, {"a\\b\n", "\xC3\xA9"}),
       Column::nominal("t", {1, 1, -1}, {"false", "true"})});
  const std::string text = format_jsonl(data, {});
  EXPECT_THAT(text, HasSubstr("\"t\":true}"));
  EXPECT_EQ(jsonl(text).fingerprint(), data.fingerprint()) << text;
}

TEST(JsonlWriter, an_infinite_number_is_refused_by_name) {
  const Dataset data({Column::numeric("x", std::vector<double>{HUGE_VAL})});
  EXPECT_EQ(failure_of([&] { format_jsonl(data, {}); }).where, "column \"x\"");
}

}  // namespace
}  // namespace gradus::io
