#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/data/io/format_testing.hpp"

namespace gradus::io {
namespace {

using testing::HasSubstr;

Dataset arff(std::string_view text, const ReadOptions& options = {}) {
  ReadReport report;
  return parse_arff({text, "t.arff"}, options, report);
}

Failure arff_failure(std::string_view text) {
  return failure_of([&] { arff(text); });
}

constexpr std::string_view kWeather =
    "% a comment\n"
    "@RELATION 'the weather'\n"
    "@Attribute outlook\t{sunny, 'over cast', rainy}  % levels\n"
    "@attribute humidity REAL\n"
    "@attribute note string\n"
    "@DATA\n"
    "sunny, 85, 'it\\'s\\n100% dry'\n"
    "\n"
    "'over cast'\t?\t\"say \\\"hi\\\"\"\n"
    "?,-1e3,?,{0.5}\r\n";

TEST(ArffReader, reads_quotes_escapes_comments_tabs_and_missing_values) {
  const Dataset data = arff(kWeather);
  ASSERT_EQ(data.rows(), 3U);
  EXPECT_EQ(data.column("outlook").levels(), (Levels{"sunny", "over cast", "rainy"}));
  EXPECT_EQ(data.column("outlook").text_at(1), "over cast");
  EXPECT_TRUE(data.column("outlook").missing(2));
  EXPECT_EQ(data.column("humidity").number(0), 85);
  EXPECT_TRUE(data.column("humidity").missing(1));
  EXPECT_EQ(data.column("humidity").number(2), -1000);
  EXPECT_EQ(data.column("note").kind(), ColumnKind::text);
  EXPECT_EQ(data.column("note").text_at(0), "it's\n100% dry");
  EXPECT_EQ(data.column("note").text_at(1), "say \"hi\"");
  EXPECT_TRUE(data.column("note").missing(2));
}

TEST(ArffReader, a_weight_in_braces_ends_a_row_and_other_rows_weigh_one) {
  const Dataset data = arff(kWeather);
  const auto weights = data.weights();
  EXPECT_EQ(std::vector<double>(weights.begin(), weights.end()), (std::vector<double>{1, 1, 0.5}));
}

TEST(ArffReader, a_quoted_question_mark_is_a_text_and_a_bare_one_is_missing) {
  const Dataset data = arff("@relation r\n@attribute a {'?',b}\n@data\n'?'\n?\n");
  EXPECT_EQ(data.column("a").text_at(0), "?");
  EXPECT_TRUE(data.column("a").missing(1));
}

TEST(ArffReader, a_sparse_row_means_zero_or_the_first_level_where_it_is_silent) {
  const Dataset data = arff(
      "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute c numeric\n@data\n"
      "{0 3, 2 ?}\n{}\n{1 y},{2}\n");
  EXPECT_EQ(data.column("a").number(0), 3);
  EXPECT_EQ(data.column("b").text_at(0), "x");
  EXPECT_TRUE(data.column("c").missing(0));
  EXPECT_EQ(data.column("a").number(1), 0);
  EXPECT_EQ(data.column("b").text_at(2), "y");
  EXPECT_EQ(data.weights()[2], 2);
}

TEST(ArffReader, dates_are_seconds_since_1970_in_utc) {
  const Dataset data = arff(
      "@relation r\n@attribute a date\n@attribute b date \"dd.MM.yyyy HH:mm\"\n"
      "@attribute c date yyyyMMdd\n@data\n"
      "1970-01-02T00:00:01,\"29.02.2000 12:30\",20000301\n");
  EXPECT_EQ(data.column("a").number(0), 86401);
  EXPECT_EQ(data.column("b").number(0), 951827400);
  EXPECT_EQ(data.column("c").number(0), 951868800);
}

TEST(ArffReader, a_date_that_does_not_exist_or_an_unknown_pattern_letter_is_refused) {
  EXPECT_EQ(arff_failure("@relation r\n@attribute a date yyyy-MM-dd\n@data\n2001-02-29\n").where,
            "t.arff:4:1");
  EXPECT_THAT(arff_failure("@relation r\n@attribute a date 'EEE yyyy'\n@data\n").message,
              HasSubstr("letter E"));
}

struct BadArff {
  std::string text;
  std::string where;
  std::string message;
};

TEST(ArffReader, every_broken_file_is_refused_at_its_line_and_column) {
  const std::string head = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n";
  const std::string rows = head + "@data\n";
  const std::vector<BadArff> cases = {
      {"", "t.arff", "empty file"},
      {head, "t.arff:4:1", "ends before @data"},
      {"@relation r\n1,2\n", "t.arff:2:1", "expected @relation"},
      {"@relation r\n@data\n1\n", "t.arff:2:1", "before any @attribute"},
      {"@relation r\n@attribute a\n@data\n", "t.arff:2:1", "has no type"},
      {"@relation r\n@attribute a relational\n", "t.arff:2:14", "relational"},
      {"@relation r\n@attribute a {x,y\n", "t.arff:2:18", "no closing"},
      {"@relation r\n@attribute a {x,x}\n", "t.arff:2:17", "twice"},
      {head + "@attribute a numeric\n", "t.arff:4:12", "two attributes"},
      {rows + "1,z\n", "t.arff:5:3", "not a declared level"},
      {rows + "1\n", "t.arff:5:2", "1 value, and 2 attributes"},
      {rows + "1,x,3\n", "t.arff:5:5", "more values"},
      {rows + "1,,x\n", "t.arff:5:3", "is needed here"},
      {rows + "1,x,\n", "t.arff:5:5", "after the last comma"},
      {rows + "1.2.3,x\n", "t.arff:5:1", "finite number"},
      {rows + "nan,x\n", "t.arff:5:1", "finite number"},
      {rows + "1e999,x\n", "t.arff:5:1", "finite number"},
      {rows + "1,'x\n", "t.arff:5:3", "never closes"},
      {rows + "1,'x'y\n", "t.arff:5:6", "closing quote"},
      {rows + "{0 1, 99999 p}\n", "t.arff:5:7", "0 to 1"},
      {rows + "{0 1, 0 2}\n", "t.arff:5:7", "ascend"},
      {rows + "{1 x, 0 2}\n", "t.arff:5:7", "ascend"},
      {rows + "{-1 x}\n", "t.arff:5:2", "0 to 1"},
      {rows + "{0 1\n", "t.arff:5:5", "0 to 1"},
      {rows + "1,x,{-2}\n", "t.arff:5:6", "weight"},
      {rows + "1,x,{2\n", "t.arff:5:7", "expected }"},
      {rows + std::string("1,x\0\n", 5), "t.arff:5:4", "NUL"},
      {rows + "1,\xFF\n", "t.arff:5:3", "UTF-8"},
  };
  for (const BadArff& bad : cases) {
    const Failure failure = arff_failure(bad.text);
    EXPECT_EQ(failure.kind, ErrorKind::bad_data) << bad.text;
    EXPECT_EQ(failure.where, bad.where) << bad.text;
    EXPECT_THAT(failure.message, HasSubstr(bad.message)) << bad.text;
  }
}

TEST(ArffReader, an_attribute_may_have_65536_levels) {
  std::string text = "@relation r\n@attribute a {0";
  for (int i = 1; i < 65536; ++i) text += "," + std::to_string(i);
  const Dataset data = arff(text + "}\n@data\n65535\n");
  EXPECT_EQ(data.column("a").code(0), 65535);
}

TEST(ArffReader, declarations_of_the_user_change_the_kind_of_a_column) {
  ReadOptions options;
  options.numeric = {"b"};
  options.nominal = {"a"};
  const Dataset data =
      arff("@relation r\n@attribute a numeric\n@attribute b {10,5}\n@data\n2,5\n1,10\n", options);
  EXPECT_EQ(data.column("a").levels(), (Levels{"1", "2"}));
  EXPECT_EQ(data.column("b").number(0), 5);
  options.numeric = {"c"};
  EXPECT_EQ(failure_of([&] { arff(kWeather, options); }).where, "--nominal");
}

TEST(ArffWriter, what_is_written_reads_back_as_the_same_table) {
  TextBlock notes;
  notes.push_back("a, 'b' \"c\" \\ %\t\n\r{}");
  notes.push_missing();
  notes.push_back("");
  const Dataset data =
      Dataset({Column::numeric("x 1", std::vector<double>{0.1, std::nan(""), -1e-300}),
               Column::nominal("k", {2, -1, 0}, {"?", "b c", "z'"}), Column::text("t", notes)})
          .with_weights({1, 0.25, 3});
  const std::string text = format_arff(data, {}, "my table");
  EXPECT_EQ(arff(text).fingerprint(), data.fingerprint()) << text;
}

TEST(ArffWriter, the_target_stands_last) {
  WriteOptions options;
  options.target = "a";
  const Dataset data(
      {Column::numeric("a", std::vector<double>{1}), Column::numeric("b", std::vector<double>{2})});
  EXPECT_EQ(arff(format_arff(data, options, "r")).names(), (std::vector<std::string>{"b", "a"}));
}

TEST(ArffWriter, sparse_features_are_written_in_sparse_rows) {
  CsrArrays matrix;
  matrix.cols = 3;
  matrix.row_begin = {0, 1, 1};
  matrix.index = {2};
  matrix.value = {7};
  SparseBlock block;
  block.matrix = std::make_shared<const CsrMatrix>(matrix);
  const Dataset data =
      Dataset({Column::numeric("label", std::vector<double>{1, 2})}).with_sparse(block);
  const Dataset back = arff(format_arff(data, {}, "r"));
  EXPECT_EQ(back.column("f3").number(0), 7);
  EXPECT_EQ(back.column("f3").number(1), 0);
  EXPECT_EQ(back.column("label").number(1), 2);
}

// The files of some collections are written so.
TEST(ArffReader, a_comma_at_the_end_of_lines_is_accepted_when_asked_for) {
  const std::string text = "@relation r\n@attribute a numeric\n@data\n1,\r\n2,\n3\n";
  EXPECT_THAT(arff_failure(text).message, HasSubstr("after the last comma"));
  ReadOptions options;
  options.allow_trailing_delimiter = true;
  const Dataset data = arff(text, options);
  ASSERT_EQ(data.rows(), 3U);
  EXPECT_EQ(data.columns()[0].number(2), 3);
  EXPECT_THROW(arff(text + "4,,\n", options), Error);
}

}  // namespace
}  // namespace gradus::io
