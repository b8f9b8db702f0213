#include "gradus/data/io/large_integers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "gradus/data/io/binary_reader.hpp"
#include "gradus/data/io/format_testing.hpp"

namespace gradus::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A text of each format with the same two large integers, and where the first stands.
struct Sample53 {
  TableFormat format;
  std::string text;
  std::string place;
};

std::vector<Sample53> samples() {
  std::string npy = "\x93NUMPY\x01";
  const std::string head = "{'descr': '<i8', 'fortran_order': False, 'shape': (3, 1), }\n";
  npy += '\0';
  append_as(npy, static_cast<std::uint16_t>(head.size()), std::endian::little);
  npy += head;
  for (const std::int64_t x : {INT64_C(7), INT64_C(9007199254740993), INT64_C(-9007199254740995)}) {
    append_as(npy, x, std::endian::little);
  }
  return {{TableFormat::csv, "id\n7\n9007199254740993\n-9007199254740995\n", ":3:1: "},
          {TableFormat::jsonl,
           "{\"id\":7}\n{\"id\": 9007199254740993}\n{\"id\":-9007199254740995}\n", ":2:8: "},
          {TableFormat::arff,
           "@relation r\n@attribute id numeric\n@data\n7\n9007199254740993\n-9007199254740995\n",
           ":5:1: "},
          {TableFormat::libsvm, "7\n9007199254740993\n-9007199254740995\n", ":2:1: "},
          {TableFormat::npy, npy, ": row 2: "}};
}

std::vector<std::string> warnings_of(const std::string& text, TableFormat format,
                                     const ReadOptions& options = {}) {
  ReadReport report;
  parse_table(text, format, options, &report);
  return report.warnings;
}

TEST(LargeIntegers, are_told_alike_by_the_readers_of_all_formats) {
  for (const Sample53& sample : samples()) {
    const std::vector<std::string> told = warnings_of(sample.text, sample.format);
    ASSERT_EQ(told.size(), 1U) << sample.text;
    EXPECT_THAT(told[0], HasSubstr(sample.place));
    EXPECT_THAT(told[0], HasSubstr("2 integers of 2^53 or more, where numbers lose digits, first"));
    EXPECT_THAT(told[0], HasSubstr("9007199254740993"));
  }
}

TEST(LargeIntegers, are_refused_when_strict) {
  for (const Sample53& sample : samples()) {
    ReadOptions strict;
    strict.strict = true;
    EXPECT_EQ(failure_of([&] { warnings_of(sample.text, sample.format, strict); }).kind,
              ErrorKind::bad_data)
        << sample.text;
  }
}

TEST(LargeIntegers, keep_their_digits_as_texts) {
  ReadOptions as_text;
  as_text.text = {"id"};
  const std::string json = "{\"id\":9007199254740993}\n{\"id\":12}\n";
  const Dataset data = parse_table(json, TableFormat::jsonl, as_text);
  EXPECT_EQ(data.column("id").text_at(0), "9007199254740993");
  EXPECT_EQ(data.column("id").text_at(1), "12");
  EXPECT_THAT(warnings_of(json, TableFormat::jsonl, as_text), IsEmpty());
  ReadOptions classes;
  classes.nominal = {"label"};
  const Dataset sparse =
      parse_table("9007199254740993 1:1\n2.0 1:1\n", TableFormat::libsvm, classes);
  EXPECT_EQ(sparse.column("label").text_at(0), "9007199254740993");
  EXPECT_EQ(sparse.column("label").text_at(1), "2");
}

TEST(LargeIntegers, of_sparse_features_are_told_together) {
  const std::string text = "1 1:9007199254740993 2:1e20\n1 3:9007199254740995\n";
  EXPECT_THAT(warnings_of(text, TableFormat::libsvm),
              ElementsAre(HasSubstr(":1:5: the features: 2 integers of 2^53 or more")));
}

TEST(LargeIntegers, numbers_with_a_point_or_an_exponent_promise_no_digits) {
  for (const char* text : {"1e20", "90071992547409930.5", "9007199254740991", "-12"}) {
    const std::string json = "{\"x\":" + std::string(text) + "}\n";
    EXPECT_THAT(warnings_of(json, TableFormat::jsonl), IsEmpty()) << text;
  }
}

TEST(LargeIntegers, of_a_row_that_is_left_out_are_not_told) {
  LargeIntegerNotes notes;
  notes.note(0, 5, "9007199254740993");
  notes.drop_row();
  notes.note(1, 9, "9007199254740995");
  notes.keep_row();
  ASSERT_EQ(notes.columns().size(), 1U);
  EXPECT_EQ(notes.columns().at(1).first, 9U);
}

}  // namespace
}  // namespace gradus::io
