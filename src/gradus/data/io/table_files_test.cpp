// Tables through files: names, formats, round trips, schema files and rejected rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <clocale>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <locale>

#include "gradus/core/error.hpp"
#include "gradus/data/io/format_names.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/write.hpp"
#include "support/source_path.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

using io::format_csv;
using io::format_jsonl;
using io::format_of_name;
using io::Packing;
using ::testing::HasSubstr;

class TableFiles : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string file(const std::string& name, const std::string& bytes) const {
    return folder_.file(name, bytes);
  }
  static std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  TemporaryDirectory folder_;
};

Dataset mixed_table() {
  return Dataset({Column::numeric("x", std::vector<double>{0.1, std::nan(""), -1e300}),
                  Column::nominal("t", {1, 0, kMissingCode}, {"NA", "say \"hi\", you\nthere"}),
                  Column::numeric("f", std::vector<float>{0.1F, 2, 3})});
}

TEST(FormatNames, endings_prefixes_and_words_name_the_format) {
  EXPECT_EQ(format_of_name("a.csv", TableFormat::automatic).format, TableFormat::csv);
  EXPECT_EQ(format_of_name("A.TSV.GZ", TableFormat::automatic).format, TableFormat::tsv);
  EXPECT_EQ(format_of_name("A.TSV.GZ", TableFormat::automatic).packing, Packing::gzip);
  EXPECT_EQ(format_of_name("d/a.svmlight.zst", TableFormat::automatic).format, TableFormat::libsvm);
  EXPECT_EQ(format_of_name("t10k-images-idx3-ubyte.gz", TableFormat::automatic).format,
            TableFormat::idx);
  EXPECT_EQ(format_of_name("sqlite:a.db?SELECT 1", TableFormat::automatic).format,
            TableFormat::sqlite);
  EXPECT_EQ(format_of_name("postgresql://h/d?SELECT 1", TableFormat::automatic).format,
            TableFormat::postgresql);
  EXPECT_EQ(format_of_name("-", TableFormat::automatic).format, TableFormat::csv);
  EXPECT_EQ(format_of_name("a.xyz", TableFormat::arff).format, TableFormat::arff);
  EXPECT_EQ(format_of_name("a.json", TableFormat::jsonl).format, TableFormat::jsonl);
  EXPECT_THROW(format_of_name("a.xyz", TableFormat::automatic), Error);
}

TEST(FormatNames, formats_of_others_come_with_a_way_out) {
  const auto hint_for = [](std::string_view name) -> std::string {
    try {
      format_of_name(name, TableFormat::automatic);
    } catch (const Error& error) {
      return error.hint();
    }
    return "";
  };
  EXPECT_THAT(hint_for("d.v2/A.XLSX"), HasSubstr("use CSV"));
  EXPECT_THAT(hint_for("a.parquet"), HasSubstr("read_parquet"));
  EXPECT_THAT(hint_for("a.json.gz"), HasSubstr("--format jsonl"));
  EXPECT_THAT(hint_for("a.sqlite3"), HasSubstr("sqlite:FILE?SELECT"));
  EXPECT_THAT(hint_for("a.npz"), HasSubstr("numpy.save"));
  EXPECT_THAT(hint_for("a.zip"), HasSubstr("unpack it first"));
  EXPECT_THAT(hint_for("a.xyz"), HasSubstr("known endings"));
}

TEST(FormatNames, every_word_is_understood) {
  for (const std::string& word : format_words()) EXPECT_TRUE(format_from_word(word)) << word;
  EXPECT_EQ(format_from_word("NDJSON"), TableFormat::jsonl);
  EXPECT_FALSE(format_from_word("xls"));
}

TEST(ReadTable, columns_of_a_file_beside_are_added_row_by_row) {
  const TemporaryDirectory place;
  const std::string images = place.file("a.csv", "x,y\n1,2\n3,4\n");
  const std::string labels = place.file("b.csv", "label\ncat\ndog\n");
  const Dataset data = read_table(images, {.beside = labels});
  EXPECT_EQ(data.names(), (std::vector<std::string>{"x", "y", "label"}));
  EXPECT_EQ(data.column("label").cell(1), "dog");
  const auto refused = [&](const std::string& beside) {
    try {
      read_table(images, {.beside = beside});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused(place.file("c.csv", "label\ncat\n")),
              HasSubstr("1 row here and 2 in the data"));
  EXPECT_THAT(refused(place.file("d.csv", "x\n5\n6\n")), HasSubstr("column \"x\""));
  EXPECT_THAT(refused(place.file("e.libsvm", "1 1:2\n0 1:3\n")), HasSubstr("sparse"));
}

TEST(CsvWriter, cells_are_quoted_where_needed) {
  EXPECT_EQ(csv_cell("plain", ',', false), "plain");
  EXPECT_EQ(csv_cell("a,b", ',', false), "\"a,b\"");
  EXPECT_EQ(csv_cell("a,b", ';', false), "a,b");
  EXPECT_EQ(csv_cell("a\"b", ',', false), "\"a\"\"b\"");
  EXPECT_EQ(csv_cell("a\nb", ',', false), "\"a\nb\"");
  EXPECT_EQ(csv_cell("=1+1", ',', false), "=1+1");
}

TEST(CsvWriter, spreadsheet_safe_cells_cannot_be_formulas) {
  EXPECT_EQ(csv_cell("=1+1", ',', true), "'=1+1");
  EXPECT_EQ(csv_cell("@SUM(A1)", ',', true), "'@SUM(A1)");
  EXPECT_EQ(csv_cell("\rx", ',', true), "\"'\rx\"");
  const Dataset data(
      {Column::nominal("t", {0}, {"-2+3"}), Column::numeric("x", std::vector{-2.5})});
  EXPECT_EQ(io::format_csv(data, {.spreadsheet_safe = true}), "t,x\n'-2+3,-2.5\n");
}

TEST(CsvWriter, texts_that_look_missing_are_quoted) {
  EXPECT_EQ(io::format_csv(mixed_table(), {}),
            "x,t,f\n0.1,\"say \"\"hi\"\", you\nthere\",0.1\n,\"NA\",2\n-1e+300,,3\n");
  const Dataset one({Column::numeric("x", std::vector<double>{1, std::nan("")})});
  EXPECT_EQ(io::format_csv(one, {.header = false}), "1\n\"\"\n");
}

// What CSV gives back of a table.
Dataset through_csv(const Dataset& data) {
  return parse_table(format_csv(data, {}), TableFormat::csv);
}

TEST(CsvWriter, texts_that_look_like_something_else_read_back_as_they_were) {
  for (const std::string cell :
       {"x;y", "x|y", "x\ty", "x,y", "word 1", "inf", "-Infinity", "nan", "NA", " NA", "1e999", "?",
        "say \"hi\"", "two\nlines", "#", " ", "'", "a,b;c|d"}) {
    const Column texts = Column::nominal("t", {0, 1, 0, kMissingCode}, {cell, "~"});
    const Column numbers = Column::numeric("x", std::vector<double>{1, 2, 3, 4});
    for (const Dataset& data : {Dataset({texts}), Dataset({texts, numbers}),
                                Dataset({numbers, texts, texts.renamed("u")})}) {
      EXPECT_EQ(through_csv(data).fingerprint(), data.fingerprint()) << format_csv(data, {});
    }
  }
  const Dataset beside_numbers({Column::nominal("t", {0, 1}, {"1", "inf"})});
  EXPECT_EQ(through_csv(beside_numbers).fingerprint(), beside_numbers.fingerprint());
}

TEST(CsvWriter, names_that_look_like_data_read_back_as_names) {
  const Dataset years({Column::numeric("2019", std::vector<double>{1, 2}),
                       Column::numeric("2020", std::vector<double>{3, 4})});
  EXPECT_EQ(format_csv(years, {}), "\"2019\",\"2020\"\n1,3\n2,4\n");
  EXPECT_EQ(through_csv(years).fingerprint(), years.fingerprint());
  const Dataset red({Column::nominal("red", {0, 1}, {"blue", "red"})});
  EXPECT_EQ(through_csv(red).fingerprint(), red.fingerprint());
  TextBlock texts;
  for (const char* text : {"note", "other"}) texts.push_back(text);
  EXPECT_TRUE(format_csv(Dataset({Column::text("note", texts)}), {}).starts_with("\"note\"\n"));
}

TEST(CsvWriter, sparse_features_are_written_with_their_zeros) {
  const Dataset data = parse_table("1 1:2 3:4.5\n-1 2:7\n", TableFormat::libsvm);
  EXPECT_EQ(format_csv(data, {}), "label,f1,f2,f3\n1,2,0,4.5\n-1,0,7,0\n");
  EXPECT_EQ(format_csv(data.without("label"), {}), "f1,f2,f3\n2,0,4.5\n0,7,0\n");
  const Dataset twice = data.with_column(Column::numeric("f2", std::vector<double>{1, 2}));
  EXPECT_THROW(format_csv(twice, {}), Error);
}

TEST(CsvWriter, a_sparse_table_that_would_fill_the_disk_is_refused_with_its_size) {
  CsrArrays arrays;
  arrays.cols = 50'000'000;
  for (int row = 0; row < 20; ++row) {
    arrays.add(7, 1);
    arrays.end_row();
  }
  SparseBlock block;
  block.matrix = std::make_shared<const CsrMatrix>(std::move(arrays));
  const Dataset data =
      Dataset({Column::numeric("y", std::vector<double>(20, 1.0))}).with_sparse(block);
  try {
    format_csv(data, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    EXPECT_THAT(error.message(), HasSubstr("about 2.4 GB of CSV"));
  }
}

TEST(CsvWriter, weights_are_refused_and_not_dropped) {
  const Dataset data = mixed_table().with_weights({1, 2, 3});
  EXPECT_THROW(format_csv(data, {}), Error);
}

TEST(CsvWriter, the_text_of_many_rows_does_not_depend_on_the_threads) {
  std::vector<double> values;
  std::string expected = "x\n";
  for (int i = 0; i < 20000; ++i) {
    values.push_back(i + 0.5);
    expected += std::to_string(i) + ".5\n";
  }
  const Dataset data({Column::numeric("x", values)});
  EXPECT_EQ(io::format_csv(data, {}, {.threads = 1}), expected);
  EXPECT_EQ(io::format_csv(data, {}, {.threads = 2}), expected);
}

// Digits in groups, a decimal comma: what a host program may have set for its own output.
struct CommaNumbers : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_F(TableFiles, a_host_with_another_locale_reads_and_writes_the_same_bytes) {
  const std::string text = "x,t\n1234567.25,a\n-0.5,b\n";
  const auto round_trip = [&] {
    const Dataset data = parse_table(text, TableFormat::csv);
    return format_csv(data, {}) + format_jsonl(data, {}) + data.fingerprint();
  };
  const std::string before = round_trip();
  const std::locale cpp_before = std::locale::global(std::locale(std::locale(), new CommaNumbers));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  std::size_t locales = 0;
  for (const char* name : {"C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;  // not every machine has them all
    EXPECT_EQ(round_trip(), before) << name;
    ++locales;
  }
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(cpp_before);
  EXPECT_GT(locales, 0U);
}

TEST_F(TableFiles, what_was_written_reads_back_in_every_packing) {
  const Dataset data = mixed_table().without("f");
  for (const std::string name : {"a.csv", "a.tsv", "a.csv.gz", "a.csv.zst"}) {
    write_table(data, path(name));
    EXPECT_EQ(read_table(path(name)).fingerprint(), data.fingerprint()) << name;
  }
  EXPECT_EQ(bytes_of(path("a.csv.gz")).substr(0, 2), "\x1f\x8b");
  EXPECT_THROW(write_table(data, path("a.csv")), Error);
  write_table(data, path("a.csv"), {.overwrite = Overwrite::replace});
}

TEST_F(TableFiles, the_bundled_tables_are_read) {
  const std::string data = source_path("data/").string();
  EXPECT_EQ(read_csv(data + "iris.csv").column("species").levels().size(), 3U);
  EXPECT_EQ(read_csv(data + "wine.csv").rows(), 178U);
  EXPECT_EQ(read_csv(data + "breast_cancer.csv").columns().size(), 31U);
  EXPECT_TRUE(read_csv(data + "diabetes.csv").column("progression").is_numeric());
  EXPECT_EQ(read_csv(data + "penguins.csv").column("sex").missing_count(), 11U);
  EXPECT_EQ(read_csv(data + "play_tennis.csv").names().front(), "Day");
}

TEST_F(TableFiles, a_schema_file_declares_columns) {
  const std::string data = file("a.csv", "zip,size,v\n10,S,1\n20,M,2\n");
  ReadOptions options;
  options.schema_file = file("schema.json", R"({"columns": {
      "zip": {"kind": "text"}, "size": {"kind": "ordinal", "levels": ["S", "M", "L"]}}})");
  ReadReport report;
  const Dataset table = read_table(data, options, &report);
  EXPECT_EQ(table.column("zip").kind(), ColumnKind::text);
  EXPECT_EQ(table.column("size").levels().size(), 3U);
  EXPECT_THAT(report.columns[0].why, HasSubstr("schema.json"));
  for (const std::string bad : {"[]", "{\"columns\": {\"zip\": {\"kind\": \"date\"}}}",
                                "{\"columns\": {\"zip\": {\"kind\": \"ordinal\"}}}"}) {
    options.schema_file = file("bad.json", bad);
    EXPECT_THROW(read_table(data, options), Error) << bad;
  }
}

TEST_F(TableFiles, rejected_rows_are_written_with_line_column_and_reason) {
  const std::string data = file("a.csv", "x,t\n1,a\n2\n3,\"b\"c\n4,d\n");
  ReadOptions options;
  options.bad_rows = BadRow::reject;
  options.reject_file = path("bad.csv");
  ReadReport report;
  EXPECT_EQ(read_table(data, options, &report).rows(), 2U);
  EXPECT_EQ(report.rejected_rows, 2U);
  const Dataset bad = read_csv(path("bad.csv"));
  ASSERT_EQ(bad.rows(), 2U);
  EXPECT_EQ(bad.column("line").number(0), 3);
  EXPECT_EQ(bad.column("column").number(1), 6);
  EXPECT_THAT(std::string(bad.column("reason").text_at(0)), HasSubstr("1 cell, expected 2"));
  EXPECT_EQ(bad.column("row").cell(1), "3,\"b\"c");
}

TEST_F(TableFiles, every_rejected_row_has_its_own_line) {
  std::string text = "x,t\n";
  std::vector<double> expected;
  for (int i = 2; i < 300; ++i) {
    if (i % 7 == 0) expected.push_back(i);
    text += i % 7 == 0 ? "1,a,b\n" : "1,a\n";
  }
  ReadOptions options;
  options.bad_rows = BadRow::reject;
  options.reject_file = path("bad.csv");
  read_table(file("a.csv", text), options);
  const Dataset bad = read_csv(path("bad.csv"));
  ASSERT_EQ(bad.rows(), expected.size());
  for (std::size_t i = 0; i < bad.rows(); ++i) {
    EXPECT_EQ(bad.column("line").number(i), expected[i]);
    EXPECT_EQ(bad.column("column").number(i), 5);
  }
}

TEST_F(TableFiles, databases_are_not_written_to) {
  EXPECT_THROW(write_table(mixed_table(), "sqlite:" + path("a.db")), Error);
}

}  // namespace
}  // namespace gradus
