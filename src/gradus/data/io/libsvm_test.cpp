#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/data/io/format_testing.hpp"

namespace gradus::io {
namespace {

using testing::HasSubstr;

Dataset libsvm(std::string_view text, const ReadOptions& options = {}, ReadReport* report = nullptr,
               int threads = 1) {
  ReadReport unused;
  Context context;
  context.threads = threads;
  return parse_libsvm({text, "t.svm"}, options, report != nullptr ? *report : unused, context);
}

TEST(LibsvmReader, reads_labels_features_queries_and_comments) {
  ReadReport report;
  const Dataset data = libsvm(
      "\xEF\xBB\xBF+1 qid:3 1:0.5 4:-2e3 # first\r\n\n# only a comment\n-1\tqid:4\n1.0 qid:4 2:7",
      {}, &report);
  ASSERT_EQ(data.rows(), 3U);
  EXPECT_EQ(data.column("label").number(0), data.column("label").number(2));
  EXPECT_EQ(data.column("label").number(1), -1);
  EXPECT_EQ(data.column("qid").number(1), 4);
  const CsrArrays matrix = data.sparse()->matrix->arrays();
  EXPECT_EQ(matrix.cols, 4U);
  EXPECT_EQ(matrix.row_begin, (std::vector<std::uint64_t>{0, 2, 2, 3}));
  EXPECT_EQ(matrix.index, (std::vector<std::uint32_t>{0, 3, 1}));
  EXPECT_EQ(matrix.value, (std::vector<double>{0.5, -2000, 7}));
  EXPECT_EQ(data.sparse()->name(3), "f4");
  EXPECT_THAT(report.warnings, testing::ElementsAre("1 blank line skipped"));
}

TEST(LibsvmReader, labels_1_2_and_1_7_stay_apart) {
  const Dataset data = libsvm("1.2 1:1\n1.7 1:1\n");
  EXPECT_NE(data.column("label").number(0), data.column("label").number(1));
}

TEST(LibsvmReader, a_label_alone_is_a_row_of_zeros) {
  const Dataset data = libsvm("1\n");
  EXPECT_EQ(data.rows(), 1U);
  EXPECT_EQ(data.sparse()->matrix->stored(), 0U);
}

struct Hostile {
  std::string text;
  ErrorKind kind;
  std::string where;
  std::string message;
};

TEST(LibsvmReader, every_hostile_file_is_refused_at_its_line_and_column) {
  constexpr auto kBad = ErrorKind::bad_data;
  const std::vector<Hostile> cases = {
      {"1 1:1 2147483647:1\n", ErrorKind::limit, "t.svm:1:7", "larger than 100000000"},
      {"1 4294967297:1\n", kBad, "t.svm:1:3", "4294967297"},
      {"1 99999999999999999999:1\n", kBad, "t.svm:1:3", "larger than 4294967295"},
      {"1 0:1\n", kBad, "t.svm:1:3", "begin with 1"},
      {"1 1:1\n1 -1:1\n", kBad, "t.svm:2:3", "whole number"},
      {"1 +1:1\n", kBad, "t.svm:1:3", "whole number"},
      {"1 1.5:1\n", kBad, "t.svm:1:3", "whole number"},
      {"1 :3\n", kBad, "t.svm:1:3", "whole number"},
      {"1 1: 1\n", kBad, "t.svm:1:5", "finite number"},
      {"1 1:1 1:2\n", kBad, "t.svm:1:7", "twice"},
      {"1 3:1 2:2\n", kBad, "t.svm:1:7", "ascend"},
      {"1 1:nan\n", kBad, "t.svm:1:5", "finite number"},
      {"1 1:inf\n", kBad, "t.svm:1:5", "finite number"},
      {"1 1:1e999\n", kBad, "t.svm:1:5", "finite number"},
      {"1 1:0x1p3\n", kBad, "t.svm:1:5", "finite number"},
      {"1 1:0,5\n", kBad, "t.svm:1:5", "finite number"},
      {"1 1:--1\n", kBad, "t.svm:1:5", "finite number"},
      {"1 1:1e\n", kBad, "t.svm:1:5", "finite number"},
      {"1 1 2:3\n", kBad, "t.svm:1:3", "index:value"},
      {"1 1:2:3\n", kBad, "t.svm:1:5", "finite number"},
      {std::string("1 1:1\0 2:1\n", 11), kBad, "t.svm:1:6", "NUL"},
      {"cat 1:1\n", kBad, "t.svm:1:1", "label"},
      {"nan 1:1\n", kBad, "t.svm:1:1", "label"},
      {"inf 1:1\n", kBad, "t.svm:1:1", "label"},
      {"1,3 2:1\n", kBad, "t.svm:1:1", "label"},
      {"1:1 2:1\n", kBad, "t.svm:1:1", "no label"},
      {"", kBad, "t.svm", "empty file"},
      {"\n", kBad, "t.svm", "no data rows"},
      {"1 qid:2 1:1\n1 1:1\n", kBad, "t.svm:2:1", "has no qid"},
      {"1 qid:-2 1:1\n", kBad, "t.svm:1:3", "qid:"},
      {"1 1:1\rqid\n", kBad, "t.svm:1:5", "finite number"},
  };
  for (const Hostile& hostile : cases) {
    const Failure failure = failure_of([&] { libsvm(hostile.text); });
    EXPECT_EQ(failure.kind, hostile.kind) << hostile.text;
    EXPECT_EQ(failure.where, hostile.where) << hostile.text;
    EXPECT_THAT(failure.message, HasSubstr(hostile.message)) << hostile.text;
  }
}

TEST(LibsvmReader, a_line_over_the_limit_is_refused_as_a_limit) {
  ReadOptions options;
  options.max_line_bytes = 10;
  const Failure failure = failure_of([&] { libsvm("1 1:1\n1 1:1 2:1 3:1\n", options); });
  EXPECT_EQ(failure.kind, ErrorKind::limit);
  EXPECT_EQ(failure.where, "t.svm:2:1");
}

TEST(LibsvmReader, options_allow_zero_based_unsorted_and_text_labels) {
  ReadOptions options;
  options.zero_based = true;
  options.sort_indices = true;
  options.nominal = {"label"};
  const Dataset data = libsvm("cat 3:3 0:1\n+1 1:1\n1.0 2:1\n", options);
  EXPECT_EQ(data.column("label").levels(), (Levels{"1", "cat"}));
  EXPECT_EQ(data.sparse()->matrix->arrays().index, (std::vector<std::uint32_t>{0, 3, 1, 2}));
  EXPECT_EQ(data.sparse()->matrix->arrays().value, (std::vector<double>{1, 3, 1, 1}));
  EXPECT_EQ(data.sparse()->name(0), "f0");
  EXPECT_EQ(failure_of([&] { libsvm(" \xEF\xBB\xBFx 1:1\n", options); }).where, "t.svm:1:2");
  EXPECT_EQ(failure_of([&] { libsvm("a\xFF 1:1\n", options); }).where, "t.svm:1:1");
  EXPECT_THAT(failure_of([&] { libsvm("1 3:1 3:2\n", options); }).message,
              HasSubstr("3 stands twice"));
}

TEST(LibsvmReader, the_table_does_not_depend_on_the_number_of_threads) {
  std::string text;
  for (int row = 0; row < 60000; ++row) {
    text += std::to_string(row % 7) + " qid:" + std::to_string(row / 10);
    for (int j = 1; j < 8; ++j)
      text += " " + std::to_string(j) + ":0." + std::to_string(row * j % 997);
    text += row % 3 == 0 ? "\r\n" : "\n";
  }
  ASSERT_GT(text.size(), std::size_t{3} << 20);
  const Dataset one = libsvm(text, {}, nullptr, 1);
  EXPECT_EQ(one.rows(), 60000U);
  EXPECT_EQ(one.fingerprint(), libsvm(text, {}, nullptr, 2).fingerprint());
  EXPECT_EQ(one.fingerprint(), libsvm(text, {}, nullptr, 8).fingerprint());
  text += "1 qid:0 x:1\n1 qid:0 y:1\n";
  EXPECT_EQ(failure_of([&] { libsvm(text, {}, nullptr, 8); }).where, "t.svm:60001:9");
}

TEST(LibsvmWriter, what_is_written_reads_back_as_the_same_table) {
  const Dataset data = libsvm("+1 qid:3 1:0.1 4:-2e-300\n0 qid:3\n-1.5 qid:4 2:1e300\n");
  EXPECT_EQ(libsvm(format_libsvm(data, {})).fingerprint(), data.fingerprint());
}

TEST(LibsvmWriter, dense_columns_become_features_without_their_zeros) {
  WriteOptions options;
  options.target = "y";
  const Dataset data({Column::numeric("a", std::vector<double>{0, 2}),
                      Column::nominal("y", {1, 0}, {"no", "yes"}),
                      Column::numeric("b", std::vector<double>{3, 0})});
  EXPECT_EQ(format_libsvm(data, options), "yes 2:3\nno 1:2\n");
}

TEST(LibsvmWriter, what_the_format_cannot_hold_is_refused) {
  const Column label = Column::numeric("label", std::vector<double>{1});
  const auto write = [](const Dataset& data) { return [data] { format_libsvm(data, {}); }; };
  EXPECT_THAT(failure_of(write(Dataset({label, Column::nominal("k", {0}, {"a"})}))).message,
              HasSubstr("nominal"));
  EXPECT_THAT(
      failure_of(write(Dataset({label, Column::numeric("x", std::vector<double>{NAN})}))).message,
      HasSubstr("missing value in row 1"));
  EXPECT_EQ(failure_of(write(Dataset({label}).with_weights({2}))).where, "weights");
  EXPECT_EQ(failure_of(write(Dataset({label.renamed("y")}))).where, "--target");
}

}  // namespace
}  // namespace gradus::io
