// Rejected rows in the formats of lines: what is left is the table of the good rows alone.
#include "gradus/data/io/bad_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/read_file.hpp"
#include "gradus/data/io/format_testing.hpp"
#include "support/temporary_directory.hpp"

namespace gradus::io {
namespace {

struct Mixed {
  TableFormat format;
  std::string good;  // the file without its bad rows
  std::string bad;   // the whole file
  std::size_t rejected;
};

const std::vector<Mixed>& mixed_files() {
  static const std::string head =
      "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute t string\n@data\n";
  static const std::vector<Mixed> files = {
      // The first line decides nothing when it is bad, and neither do the cells of other bad rows.
      {TableFormat::jsonl, "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2, \"b\": null}\n",
       "{\"a\": 1, \"a\": 2}\n{\"a\": 1, \"b\": \"x\"}\n{\"a\": 1}\n{\"b\": \"z\", \"a\": \"7\"}\n"
       "{\"a\": 2, \"b\": null}\n[1]\n",
       4},
      {TableFormat::jsonl, "{\"a\": null, \"b\": 1}\n{\"a\": 5, \"b\": 2}\n",
       "{\"a\": null, \"b\": 1}\n{\"a\": \"text\", \"b\": \"text\"}\n{\"a\": true, \"b\": true}\n"
       "{\"a\": 5, \"b\": 2}\n",
       2},
      {TableFormat::arff, head + "1,x,'one'\n{0 2},{3}\n?,?,?\n",
       head + "1,x,'one'\n9,z,q\n{0 2},{3}\n5,y,w,{2}rest\n1\n?,?,?\n7,x,w,{-1}\n", 4},
      {TableFormat::libsvm, "1 1:1 3:2\n0 2:5\n",
       "1 1:1 3:2\n1 9:1 10:x\nx 1:1\n0 2:5\n1 2:1 1:1\n", 3}};
  return files;
}

TEST(BadRows, what_is_left_is_the_table_of_the_good_rows) {
  const TemporaryDirectory folder;
  ReadOptions options;
  options.bad_rows = BadRow::reject;
  options.reject_file = folder.path("bad.csv");
  for (const Mixed& file : mixed_files()) {
    ReadReport report;
    const Dataset data = parse_table(file.bad, file.format, options, &report, {}, "t");
    EXPECT_EQ(data.fingerprint(), parse_table(file.good, file.format).fingerprint()) << file.bad;
    EXPECT_EQ(report.rejected_rows, file.rejected) << file.bad;
    EXPECT_THAT(report.warnings, testing::Contains(testing::HasSubstr("bad rows rejected")));
    EXPECT_EQ(failure_of([&] { parse_table(file.bad, file.format); }).kind, ErrorKind::bad_data);
  }
}

TEST(BadRows, each_is_written_with_line_column_reason_and_text) {
  const TemporaryDirectory folder;
  ReadOptions options;
  options.bad_rows = BadRow::reject;
  options.reject_file = folder.path("bad.csv");
  parse_table("1 1:1\n2 0:1\n\n3 1:\"\r\n4 1:1\n", TableFormat::libsvm, options);
  EXPECT_EQ(read_whole_file(folder.path("bad.csv"), 1000),
            "line,column,reason,row\n"
            "2,3,indices begin with 1 (got 0),2 0:1\n"
            "4,5,\"a value must be a finite number (got \"\"\"\"\"\")\",\"3 1:\"\"\"\n");
}

TEST(BadRows, a_limit_is_never_a_bad_row) {
  ReadOptions options;
  options.bad_rows = BadRow::reject;
  options.max_index = 5;
  const auto read = [&] { parse_table("1 1:1\n1 9:1\n", TableFormat::libsvm, options); };
  EXPECT_EQ(failure_of(read).kind, ErrorKind::limit);
}

TEST(BadRows, formats_without_rows_of_text_refuse_to_reject) {
  ReadOptions options;
  options.bad_rows = BadRow::reject;
  for (const TableFormat format : {TableFormat::npy, TableFormat::idx}) {
    const Failure failure = failure_of([&] { parse_table("x", format, options); });
    EXPECT_EQ(failure.kind, ErrorKind::usage);
    EXPECT_EQ(failure.where, "--on-bad-row");
  }
}

TEST(Latin1, every_byte_is_its_character) {
  ReadOptions options;
  options.encoding = TextEncoding::latin1;
  const Dataset data = parse_table("n\n\xE9\n\xFF\n\x7E\n", TableFormat::csv, options);
  EXPECT_EQ(data.column("n").text_at(0), "é");
  EXPECT_EQ(data.column("n").text_at(1), "ÿ");
  EXPECT_EQ(data.column("n").text_at(2), "~");
}

}  // namespace
}  // namespace gradus::io
