// The CSV reader against the torture list of the reliability plan (C01 to C46).
#include "gradus/data/io/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;

Dataset csv(std::string_view text, const ReadOptions& options = {}, ReadReport* report = nullptr) {
  return parse_table(text, TableFormat::csv, options, report, {}, "t.csv");
}

Error csv_error(std::string_view text, const ReadOptions& options = {}) {
  try {
    csv(text, options);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error for " << in_quotes(text);
  return Error(ErrorKind::internal, "", "");
}

std::vector<double> numbers(const Dataset& data, std::string_view name) {
  std::vector<double> values;
  const Column& column = data.column(name);
  for (std::size_t row = 0; row < column.size(); ++row) values.push_back(column.number(row));
  return values;
}

std::vector<std::string> cells(const Dataset& data, std::string_view name) {
  std::vector<std::string> values;
  const Column& column = data.column(name);
  for (std::size_t row = 0; row < column.size(); ++row) values.push_back(column.cell(row));
  return values;
}

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

TEST(CsvReader, an_empty_file_is_an_error) {
  const Error error = csv_error("");
  EXPECT_EQ(error.kind(), ErrorKind::bad_data);
  EXPECT_THAT(error.message(), HasSubstr("empty"));
}

TEST(CsvReader, blank_lines_alone_are_no_data_rows) {
  EXPECT_THAT(csv_error("\n  \n\n").message(), HasSubstr("no data rows"));
  EXPECT_THAT(csv_error("\xEF\xBB\xBF").message(), HasSubstr("no data rows"));
}

TEST(CsvReader, a_header_alone_is_a_table_of_0_rows) {
  const Dataset data = csv("x,y\n");
  EXPECT_EQ(data.rows(), 0U);
  EXPECT_EQ(data.names(), (Texts{"x", "y"}));
}

TEST(CsvReader, a_byte_order_mark_is_not_part_of_the_first_name) {
  EXPECT_EQ(csv("\xEF\xBB\xBFx,y\n1,2\n").names(), (Texts{"x", "y"}));
}

TEST(CsvReader, utf16_is_refused_by_name) {
  EXPECT_THAT(csv_error("\xFF\xFEx\0,\0y\0\n\0"s).message(), HasSubstr("UTF-16 LE"));
  EXPECT_THAT(csv_error("\xFE\xFF\0x\0,\0y"s).message(), HasSubstr("UTF-16 BE"));
  EXPECT_THAT(csv_error("x\0,\0y\0\n\0"s).message(), HasSubstr("UTF-16 LE"));
}

TEST(CsvReader, lf_and_crlf_give_the_same_table) {
  const Dataset lf = csv("x,y\n1,a\n2,b\n");
  const Dataset crlf = csv("x,y\r\n1,a\r\n2,b\r\n");
  EXPECT_EQ(lf.fingerprint(), crlf.fingerprint());
  EXPECT_EQ(csv("x,y\r\n1,a\n2,b\r\n").fingerprint(), lf.fingerprint());
}

TEST(CsvReader, a_bare_cr_is_refused_and_never_merges_rows) {
  EXPECT_THAT(csv_error("x,y\r1,2\r3,4\r").message(), HasSubstr("CR alone"));
  const Error error = csv_error("x,y\n1,2\n3,4\r5,6\n");
  EXPECT_EQ(error.where(), "t.csv:3:4");
}

TEST(CsvReader, a_last_line_without_newline_is_kept) {
  EXPECT_EQ(numbers(csv("x,y\n1,2\n3,4"), "y"), (Numbers{2, 4}));
}

TEST(CsvReader, a_trailing_delimiter_is_refused_unless_allowed) {
  EXPECT_THAT(csv_error("x,y,\n1,2,\n3,4,\n").hint(), HasSubstr("--allow-trailing-delimiter"));
  const Dataset data = csv("x,y,\n1,2,\n3,4,\n", {.allow_trailing_delimiter = true});
  EXPECT_EQ(data.names(), (Texts{"x", "y"}));
  EXPECT_EQ(numbers(data, "y"), (Numbers{2, 4}));
  EXPECT_EQ(csv_error("x,y,\n1,2,\n3,4,5\n").kind(), ErrorKind::bad_data);
}

TEST(CsvReader, blank_lines_are_skipped_with_a_counted_warning) {
  ReadReport report;
  const Dataset data = csv("x,y\n1,2\n\n3,4\n  \n\r\n", {}, &report);
  EXPECT_EQ(numbers(data, "x"), (Numbers{1, 3}));
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_THAT(report.warnings[0], HasSubstr("3 blank lines"));
}

TEST(CsvReader, a_blank_line_in_a_file_of_one_column_is_a_missing_value) {
  const Dataset data = csv("x\n1\n\n3\n");
  EXPECT_EQ(data.rows(), 3U);
  EXPECT_TRUE(data.column("x").missing(1));
}

TEST(CsvReader, rows_with_too_few_or_too_many_cells_are_refused_with_counts) {
  std::string text = "a,b,c\n";
  for (int i = 0; i < 5000; ++i) text += "1,2,3\n";
  const Error few = csv_error(text + "1,2\n4,5,6\n");
  EXPECT_THAT(few.where(), HasSubstr("t.csv:5002:"));
  EXPECT_THAT(few.message(), HasSubstr("2 cells, expected 3"));
  EXPECT_THAT(csv_error(text + "1,2,3,4\n").message(), HasSubstr("4 cells, expected 3"));
}

TEST(CsvReader, quotes_protect_delimiters_newlines_and_quotes) {
  const Dataset data = csv("t,x\n\"a,b\",1\n\"c\nd\",2\n\"say \"\"hi\"\"\",3\n");
  EXPECT_EQ(cells(data, "t"), (Texts{"a,b", "c\nd", "say \"hi\""}));
  EXPECT_EQ(numbers(data, "x"), (Numbers{1, 2, 3}));
  // Lines in errors are physical.
  EXPECT_THAT(csv_error("t,x\n\"c\nd\",2\n\"e\",1,1\n").where(), HasSubstr("t.csv:4:"));
}

TEST(CsvReader, a_quote_that_never_closes_is_an_error_at_its_start) {
  std::string text = "t,x\nabcde,\"open\n";
  for (int i = 0; i < 1000; ++i) text += "1,2\n";
  const Error error = csv_error(text);
  EXPECT_EQ(error.where(), "t.csv:2:7");
  EXPECT_THAT(error.message(), HasSubstr("never closed"));
}

TEST(CsvReader, text_after_a_closing_quote_is_refused) {
  const Error error = csv_error("t,x\n\"a\"b,1\n");
  EXPECT_EQ(error.where(), "t.csv:2:4");
}

TEST(CsvReader, a_quote_inside_an_unquoted_cell_is_kept) {
  EXPECT_EQ(cells(csv("t,x\nab\"c,1\n5\" disk,2\n"), "t"), (Texts{"ab\"c", "5\" disk"}));
}

TEST(CsvReader, nul_bytes_and_invalid_utf8_are_refused_with_their_place) {
  EXPECT_EQ(csv_error("x,y\n1,a\0b\n"s).where(), "t.csv:2:4");
  EXPECT_EQ(csv_error("x\0,y\n1,2\n"s).where(), "t.csv:1:2");
  EXPECT_EQ(csv_error("x,y\n1,2\n\0"s).where(), "t.csv:3:1");
  for (const std::string bad : {"\x80", "\xC0\xAF", "\xED\xA0\x80", "\xFF", "\xE2\x82"}) {
    const Error error = csv_error("x,y\n1,a" + bad + "\n2,b\n");
    EXPECT_EQ(error.where(), "t.csv:2:4");
    EXPECT_THAT(error.message(), HasSubstr("UTF-8"));
    EXPECT_EQ(csv_error("x" + bad + ",y\n1,2\n").where(), "t.csv:1:2");
  }
}

TEST(CsvReader, duplicate_and_empty_names_are_refused) {
  EXPECT_THAT(csv_error("x,y,x\n1,2,3\n").message(), HasSubstr("columns 1 and 3"));
  EXPECT_THAT(csv_error("x,,z\n1,2,3\n").message(), HasSubstr("column 2 has an empty name"));
}

TEST(CsvReader, odd_names_are_kept_exactly) {
  const std::string wide(4096, 'n');
  const Dataset data =
      csv("\"a\tb\",\"c\nd\",\"e\"\"f\",\xF0\x9F\x8C\xB3," + wide + "\n1,2,3,4,5\n",
          {.delimiter = ','});
  EXPECT_EQ(data.names(), (Texts{"a\tb", "c\nd", "e\"f", "\xF0\x9F\x8C\xB3", wide}));
}

TEST(CsvReader, limits_of_columns_cells_lines_and_categories_are_named) {
  const Error columns = csv_error("a,b,c\n1,2,3\n", {.max_columns = 2});
  EXPECT_EQ(columns.kind(), ErrorKind::limit);
  EXPECT_THAT(columns.hint(), HasSubstr("--max-columns"));
  EXPECT_EQ(csv("a,b,c\n1,2,3\n", {.max_columns = 3}).columns().size(), 3U);
  const Error cell = csv_error("a,b\n1,xxxxxxxxxxx\n", {.max_cell_bytes = 10});
  EXPECT_EQ(cell.kind(), ErrorKind::limit);
  EXPECT_THAT(cell.message(), HasSubstr("column \"b\""));
  EXPECT_EQ(csv_error("a,b\n1,xxxxxxxxxxx\n", {.max_line_bytes = 10}).kind(), ErrorKind::limit);
  const Error categories = csv_error("a,b\n1,x\n1,y\n1,z\n1,x\n1,x\n1,x\n", {.max_categories = 2});
  EXPECT_EQ(categories.kind(), ErrorKind::limit);
  EXPECT_THAT(categories.where(), HasSubstr("\"b\""));
}

TEST(CsvReader, every_number_form_is_read) {
  const Dataset data = csv("x,y\n+1,0\n.5,0\n5.,0\n1e5,0\n1E+05,0\n-0,0\n1e-400,0\n 7 ,0\n");
  EXPECT_EQ(numbers(data, "x"), (Numbers{1, 0.5, 5, 1e5, 1e5, 0, 0, 7}));
  EXPECT_TRUE(std::signbit(data.column("x").number(5)));
}

TEST(CsvReader, infinity_is_refused_or_missing) {
  for (const std::string cell : {"1e999", "inf", "Infinity", "-inf"}) {
    const Error error = csv_error("x,y\n1,0\n" + cell + ",0\n");
    EXPECT_EQ(error.where(), "t.csv:3:1");
    EXPECT_THAT(error.hint(), HasSubstr("--inf missing"));
    const Dataset data = csv("x,y\n1,0\n" + cell + ",0\n", {.infinite_is_missing = true});
    EXPECT_TRUE(data.column("x").missing(1));
  }
}

TEST(CsvReader, what_is_not_wholly_a_number_is_a_category_or_an_error) {
  for (const std::string cell :
       {"0x1p3", "1_000", "1.2.3", "\"1,234\"", "1d3", "--1", "1e", "e5", ".", "+", "+-1",
        "\xD9\xA1\xD9\xA2", "\xEF\xBC\x91", "2e06918610327a"}) {
    const std::string text = "x,y\n1,0\n" + cell + ",0\n";
    EXPECT_EQ(csv(text).column("x").kind(), ColumnKind::nominal) << cell;
    const Error error = csv_error(text, {.numeric = {"x"}});
    EXPECT_THAT(error.where(), HasSubstr("t.csv:3:")) << cell;
    EXPECT_THAT(error.hint(), HasSubstr("--nominal"));
  }
}

TEST(CsvReader, long_digit_strings_are_rounded_correctly) {
  const std::string digits(5000, '9');
  ReadReport report;
  const Dataset data = csv("x,y\n1234567890123456789012345,0\n0." + digits + ",0\n", {}, &report);
  EXPECT_EQ(numbers(data, "x"), (Numbers{1234567890123456789012345.0, 1.0}));
}

TEST(CsvReader, integers_beyond_2_to_the_53_are_warned_about_or_refused_when_strict) {
  const std::string text = "x,y\n9007199254740993,1\n1e20,2\n-9007199254740995,3\n";
  ReadReport report;
  csv(text, {}, &report);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_THAT(report.warnings[0], HasSubstr("2 integers"));
  EXPECT_THAT(report.warnings[0], HasSubstr("t.csv:2:1"));
  EXPECT_EQ(csv_error(text, {.strict = true}).kind(), ErrorKind::bad_data);
}

TEST(CsvReader, every_double_survives_a_round_trip) {
  Stream stream(7);
  std::vector<double> values;
  while (values.size() < 20000) {
    const double value = std::bit_cast<double>(stream.next());
    if (std::isfinite(value)) values.push_back(value);
  }
  const Dataset data({Column::numeric("x", values)});
  const Dataset again = csv(io::format_csv(data, {}));
  EXPECT_EQ(again.fingerprint(), data.fingerprint());
}

TEST(CsvReader, decimal_commas_are_read_when_asked_and_refused_otherwise) {
  EXPECT_EQ(numbers(csv("x;y\n0,5;1,5\n2;-3,25\n", {.decimal = ','}), "y"), (Numbers{1.5, -3.25}));
  EXPECT_THAT(csv_error("0,5;1,5\n0,5;1,5\n").message(), HasSubstr("delimiter is not clear"));
  const Error error = csv_error("x;y\n0,5;1,5\n1,5;2,5\n");
  EXPECT_THAT(error.hint(), HasSubstr("--decimal ,"));
  EXPECT_EQ(csv("x;y\n1.5;1\n2;2\n", {.decimal = ','}).column("x").kind(), ColumnKind::nominal);
}

TEST(CsvReader, identifiers_declared_text_are_kept_exactly) {
  const Dataset data = csv("id,y\n007,1\n+491234,2\n1e5,3\n", {.text = {"id"}});
  EXPECT_EQ(data.column("id").kind(), ColumnKind::text);
  EXPECT_EQ(cells(data, "id"), (Texts{"007", "+491234", "1e5"}));
}

TEST(CsvReader, missing_markers_are_missing_and_quoted_ones_are_text) {
  const Dataset data = csv("x,t\n1,a\n,NA\nNA,\"NA\"\nNaN,?\n?,null\nnull,None\nNone,\n 2, NA \n");
  EXPECT_EQ(data.column("x").missing_count(), 6U);
  EXPECT_EQ(data.column("t").levels(), (Levels{"NA", "a"}));
  EXPECT_EQ(cells(data, "t")[2], "NA");
  EXPECT_EQ(data.column("t").missing_count(), 6U);
}

TEST(CsvReader, cells_that_came_before_mean_the_same_again_quoted_or_not) {
  std::string text = "n,t\n";
  for (int i = 0; i < 50; ++i) {
    text +=
        "1,NA\n2,\"NA\"\n3,\"\"\"NA\"\"\"\n4,a\n5,\"a\"\n6, a\n7,\n8,a long text of many bytes\n";
  }
  const Texts rows = cells(csv(text), "t");
  const Texts once = {"", "NA", "\"NA\"", "a", "a", " a", "", "a long text of many bytes"};
  ASSERT_EQ(rows.size(), 50 * once.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], once[i % once.size()]) << i;
}

TEST(CsvReader, own_missing_tokens_may_be_numbers) {
  const Dataset data = csv("x,y\n1,0\n-999,1\n", {.missing_tokens = {"-999"}});
  EXPECT_TRUE(data.column("x").missing(1));
}

TEST(CsvReader, a_stray_word_after_many_numbers_is_an_error_at_its_row) {
  std::string text = "x,y\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + ",1\n";
  const Error error = csv_error(text + "abc,1\n");
  EXPECT_EQ(error.where(), "t.csv:5002:1");
  EXPECT_THAT(error.hint(), HasSubstr("--nominal \"x\""));
  const Dataset data = csv(text + "abc,1\n", {.nominal = {"x"}});
  EXPECT_EQ(data.column("x").levels().size(), 5001U);
}

TEST(CsvReader, many_words_after_numbers_make_all_rows_categories) {
  std::string text = "x,y\n";
  for (int i = 0; i < 3000; ++i) text += "0" + std::to_string(i % 10) + ",1\n";
  for (int i = 0; i < 300; ++i) text += "abc,1\n";
  const Dataset data = csv(text);
  ASSERT_EQ(data.column("x").kind(), ColumnKind::nominal);
  EXPECT_EQ(data.column("x").text_at(0), "00");
  EXPECT_EQ(data.column("x").levels().size(), 11U);
  EXPECT_EQ(numbers(data, "y").size(), 3300U);
}

TEST(CsvReader, the_delimiter_is_decided_by_content) {
  for (const char d : {',', ';', '\t', '|', ' '}) {
    const std::string s(1, d);
    ReadReport report;
    const Dataset data = csv("x" + s + "y\n1" + s + "a\n2" + s + "b\n", {}, &report);
    EXPECT_EQ(data.names(), (Texts{"x", "y"})) << report.format;
  }
  ReadReport report;
  EXPECT_EQ(csv("x\n1\n2\n", {}, &report).columns().size(), 1U);
  EXPECT_THAT(report.format, HasSubstr("one column"));
  EXPECT_EQ(csv("greeting\nhello world\ngood day\n").columns().size(), 1U);
}

TEST(CsvReader, a_delimiter_that_is_not_clear_is_refused_with_the_candidates) {
  const Error error = csv_error("a;b,c\n1;2,3\n");
  EXPECT_THAT(error.message(), HasSubstr("',' (2 columns) or ';' (2 columns)"));
}

TEST(CsvReader, comments_are_skipped_only_when_asked_for) {
  const std::string text = "# it's \"odd\", \"unclosed\nx,y\n1,#a\n#2,\"b\n3,c\n";
  const Dataset data = csv(text, {.comment = '#'});
  EXPECT_EQ(numbers(data, "x"), (Numbers{1, 3}));
  EXPECT_EQ(cells(data, "y"), (Texts{"#a", "c"}));
  EXPECT_EQ(cells(csv("x,y\n1,#a\n#2,b\n"), "x"), (Texts{"1", "#2"}));
}

TEST(CsvReader, a_header_is_recognised_by_content) {
  EXPECT_EQ(csv("1,2\n3,4\n").names(), (Texts{"c1", "c2"}));
  EXPECT_EQ(csv("x,y\n3,4\n").names(), (Texts{"x", "y"}));
  EXPECT_EQ(csv("red,big\nblue,small\nred,small\n").rows(), 3U);
  EXPECT_EQ(csv("colour,size\nblue,small\nred,small\n").rows(), 2U);
  EXPECT_EQ(csv("1,2\n3,4\n", {.header = Header::yes}).names(), (Texts{"1", "2"}));
  // A name that is also a value is chance where numbers stand below other names.
  EXPECT_EQ(csv("spam,a,b\nspam,1,2\nham,3,4\n").names(), (Texts{"spam", "a", "b"}));
  EXPECT_EQ(csv("colour,size,good\nred,big,good\nblue,small,bad\n").rows(), 2U);
  EXPECT_EQ(csv("x,y\na,b\n", {.header = Header::no}).rows(), 2U);
}

TEST(CsvReader, kinds_are_inferred_with_a_reason) {
  ReadReport report;
  std::string text = "n,c,t,e\n";
  for (int i = 0; i < 100; ++i) {
    text += std::to_string(i) + ",k" + std::to_string(i % 3) + ",a long remark that is number " +
            std::to_string(i) + ",\n";
  }
  const Dataset data = csv(text, {.header = Header::yes}, &report);
  ASSERT_EQ(report.columns.size(), 4U);
  EXPECT_EQ(report.columns[0].kind, ColumnKind::numeric);
  EXPECT_EQ(report.columns[0].why, "all 100 values are numbers");
  EXPECT_EQ(report.columns[1].kind, ColumnKind::nominal);
  EXPECT_EQ(report.columns[1].distinct, 3U);
  EXPECT_EQ(report.columns[2].kind, ColumnKind::text);
  EXPECT_EQ(report.columns[3].kind, ColumnKind::numeric);
  EXPECT_EQ(report.columns[3].missing, 100U);
}

TEST(CsvReader, declared_kinds_win) {
  const std::string text = "zip,size,note\n1000,M,1\n2000,S,2\n1000,L,3\n";
  const Dataset data =
      csv(text, {.nominal = {"zip"}, .text = {"note"}, .ordinal = {{"size", {"S", "M", "L"}}}});
  EXPECT_EQ(data.column("zip").levels(), (Levels{"1000", "2000"}));
  EXPECT_EQ(data.column("size").kind(), ColumnKind::ordinal);
  EXPECT_EQ(data.column("size").code(0), 1);
  EXPECT_EQ(data.column("note").kind(), ColumnKind::text);
  const Error unknown = csv_error(text, {.nominal = {"zpi"}});
  EXPECT_EQ(unknown.kind(), ErrorKind::usage);
  EXPECT_THAT(unknown.hint(), HasSubstr("\"zip\""));
  const Error level = csv_error(text, {.ordinal = {{"size", {"S", "M"}}}});
  EXPECT_EQ(level.where(), "t.csv:4:6");
  EXPECT_EQ(csv_error(text, {.nominal = {"zip"}, .text = {"zip"}}).kind(), ErrorKind::usage);
}

TEST(CsvReader, levels_do_not_depend_on_the_order_of_rows) {
  EXPECT_EQ(csv("t\nb\n10\n9\na\n").column("t").levels(),
            csv("t\n9\na\nb\n10\n").column("t").levels());
}

TEST(CsvReader, cells_that_look_like_formulas_are_stored_exactly) {
  EXPECT_EQ(cells(csv("t,x\n=1+1,1\n@SUM(A1),2\n-2+3,3\n\tx,4\n", {.delimiter = ','}), "t"),
            (Texts{"=1+1", "@SUM(A1)", "-2+3", "\tx"}));
}

TEST(CsvReader, marks_that_cannot_work_are_refused) {
  EXPECT_EQ(csv_error("x\n1\n", {.delimiter = '"'}).where(), "--delimiter");
  EXPECT_EQ(csv_error("x\n1\n", {.delimiter = ',', .decimal = ','}).kind(), ErrorKind::usage);
  EXPECT_EQ(csv_error("x\n1\n", {.decimal = 'x'}).where(), "--decimal");
}

// A file with everything in it: quotes, doubled quotes, newlines and CR LF in cells, blank lines,
// literal quotes, multi-byte characters, numbers, missing values.
std::string torture_text() {
  std::string text = "id,text,\"na\"\"me\",value\r\n";
  Stream stream(3);
  const std::vector<std::string> pieces = {
      "plain", "\"a,b\"", "\"line\r\nbreak\"", "\"\"\"q\"\"\"", "5\"",     "\"\"", "",
      "NA",    "\"NA\"",  "\xC3\xA9t\xC3\xA9", "\"\n\"",        "\"\"\"\""};
  for (int row = 0; text.size() < 4096; ++row) {
    text += std::to_string(row) + "," + pieces[stream.below(pieces.size())] + "," +
            pieces[stream.below(pieces.size())] + "," + shortest(stream.normal()) +
            (stream.below(2) == 0 ? "\n" : "\r\n");
    if (stream.below(8) == 0) text += stream.below(2) == 0 ? "\n" : "\r\n";
  }
  return text;
}

TEST(CsvReader, chunks_of_every_size_and_any_number_of_threads_give_the_same_table) {
  const std::string text = torture_text();
  ReadReport whole_report;
  const io::Input input{text, "t.csv"};
  const Dataset whole = io::parse_csv_in_chunks(input, {}, whole_report, {.threads = 1}, 0);
  ASSERT_GT(whole.rows(), 50U);
  for (std::size_t bytes = 1; bytes <= 4096; bytes += bytes < 300 ? 1 : 97) {
    ReadReport report;
    const Context context{.threads = 1 + static_cast<int>(bytes % 3)};
    const Dataset data = io::parse_csv_in_chunks(input, {}, report, context, bytes);
    ASSERT_EQ(data.fingerprint(), whole.fingerprint()) << bytes;
    ASSERT_EQ(report.warnings, whole_report.warnings) << bytes;
  }
}

TEST(CsvReader, errors_do_not_depend_on_chunks) {
  const std::string text = torture_text() + "1,2\n";
  const std::string open = torture_text() + "1,\"x,3,4\n5,6,7,8\n";
  const auto place = [](const std::string& bad, std::size_t bytes) {
    ReadReport report;
    try {
      io::parse_csv_in_chunks({bad, "t.csv"}, {}, report, {.threads = 2}, bytes);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const std::size_t bytes : {1U, 2U, 3U, 7U, 64U, 1000U}) {
    EXPECT_EQ(place(text, bytes), place(text, 0));
    EXPECT_EQ(place(open, bytes), place(open, 0));
  }
  EXPECT_THAT(place(text, 0), HasSubstr("2 cells, expected 4"));
  EXPECT_THAT(place(open, 0), HasSubstr("never closed"));
}

TEST(CsvReader, comments_and_quotes_together_do_not_depend_on_chunks) {
  const std::string text =
      "x,t\n# \"note\n1,\"a\n# in the cell\n\"\n#,\"\n2,\"b \"\"#\"\" \"\n#\"\n3,c\n";
  ReadReport report;
  const ReadOptions options{.comment = '#'};
  const Dataset whole = io::parse_csv_in_chunks({text, "t"}, options, report, {}, 0);
  EXPECT_EQ(cells(whole, "t"), (Texts{"a\n# in the cell\n", "b \"#\" ", "c"}));
  for (std::size_t bytes = 1; bytes < text.size(); ++bytes) {
    const Dataset data = io::parse_csv_in_chunks({text, "t"}, options, report, {}, bytes);
    ASSERT_EQ(data.fingerprint(), whole.fingerprint()) << bytes;
  }
}

TEST(CsvReader, a_table_of_very_many_columns_is_read) {
  constexpr std::size_t kColumns = 50000;
  std::string text;
  for (std::size_t j = 0; j < kColumns; ++j) text += (j > 0 ? ",n" : "n") + std::to_string(j);
  for (int row = 0; row < 3; ++row) {
    text += '\n';
    for (std::size_t j = 0; j < kColumns; ++j) {
      text += (j > 0 ? "," : "") + (j % 2 == 0 ? std::to_string(row) : "k" + std::to_string(row));
    }
  }
  const Dataset data = csv(text);
  ASSERT_EQ(data.columns().size(), kColumns);
  EXPECT_EQ(data.column("n49998").number(2), 2);
  EXPECT_EQ(data.column("n49999").text_at(2), "k2");
}

TEST(CsvReader, many_blank_lines_in_a_wide_file_take_no_memory) {
  std::string text;
  for (int j = 0; j < 2000; ++j) text += (j > 0 ? ",n" : "n") + std::to_string(j);
  text += std::string(2000000, '\n');
  for (int j = 0; j < 2000; ++j) text += j > 0 ? ",1" : "1";
  const Context context{.memory_limit = 1U << 20};
  ReadReport report;
  EXPECT_EQ(parse_table(text, TableFormat::csv, {}, &report, context).rows(), 1U);
}

TEST(CsvReader, a_rejected_row_after_many_blank_lines_stays_inside_the_table) {
  ReadReport report;
  const Dataset data = csv("1;\n\n\n\n\n\n\n\n\n6;;", {.bad_rows = BadRow::reject}, &report);
  EXPECT_EQ(data.rows(), 1U);
  EXPECT_EQ(report.rejected_rows, 1U);
}

TEST(CsvReader, rejected_rows_are_counted_and_leave_no_trace_in_the_columns) {
  std::string text = "x,t\n";
  for (int i = 0; i < 3000; ++i) {
    if (i % 100 == 50) text += "bad,ghost,row\n";
    if (i == 2500) text += "word,ghost\n";
    text += std::to_string(i) + ",k" + std::to_string(i % 2) + "\n";
  }
  ReadReport report;
  const Dataset data = csv(text, {.bad_rows = BadRow::reject}, &report);
  EXPECT_EQ(data.rows(), 3000U);
  EXPECT_EQ(report.rejected_rows, 31U);
  EXPECT_EQ(data.column("x").kind(), ColumnKind::numeric);
  EXPECT_EQ(data.column("t").levels(), (Levels{"k0", "k1"}));
  EXPECT_EQ(data.column("x").number(2999), 2999);
}

}  // namespace
}  // namespace gradus
