#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/data/io/binary_reader.hpp"
#include "gradus/data/io/format_testing.hpp"

namespace gradus::io {
namespace {

using testing::HasSubstr;

Dataset idx(std::string_view bytes, const ReadOptions& options = {}) {
  ReadReport report;
  return parse_idx({bytes, "t-ubyte"}, options, report, {});
}

template <class T>
std::string file(char type, std::vector<std::uint32_t> sizes, std::vector<T> values) {
  std::string out = {'\0', '\0', type, static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes) append_as(out, size, std::endian::big);
  for (const T value : values) append_as(out, value, std::endian::big);
  return out;
}

TEST(IdxReader, images_become_one_row_of_pixels_each) {
  const Dataset data = idx(file<std::uint8_t>(8, {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 255}));
  ASSERT_EQ(data.rows(), 2U);
  EXPECT_EQ(data.names(), (std::vector<std::string>{"p1", "p2", "p3", "p4"}));
  EXPECT_EQ(data.column("p3").number(0), 3);
  EXPECT_EQ(data.column("p4").number(1), 255);
}

TEST(IdxReader, one_dimension_is_a_label) {
  const Dataset data = idx(file<std::uint8_t>(8, {3}, {7, 2, 1}));
  EXPECT_EQ(data.column("label").number(2), 1);
}

template <class T>
void expect_type(char type) {
  const Dataset data = idx(file<T>(type, {2}, {static_cast<T>(-3), static_cast<T>(100)}));
  EXPECT_EQ(data.column("label").number(0), -3);
  EXPECT_EQ(data.column("label").number(1), 100);
}

TEST(IdxReader, reads_every_element_type) {
  expect_type<std::int8_t>(0x09);
  expect_type<std::int16_t>(0x0B);
  expect_type<std::int32_t>(0x0C);
  expect_type<float>(0x0D);
  expect_type<double>(0x0E);
}

TEST(IdxReader, every_broken_file_is_refused) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "empty file"},
      {"abcd", "not an IDX file"},
      {std::string("\0\0\x0A\1", 4), "0x0A"},
      {std::string("\0\0\x08\0", 4), "inside its header"},
      {std::string("\0\0\x08\3\0\0\0\1", 8), "inside its header"},
      {file<std::uint8_t>(8, {3}, {1, 2}), "do not match"},
      {file<std::uint8_t>(8, {1}, {1, 2}), "do not match"},
      {file<std::uint8_t>(8, {1, 0}, {}), "no pixels"},
      {file<std::uint8_t>(8, {4294967295U, 1000, 1000}, {}), "do not match"},
  };
  for (const auto& [bytes, message] : cases) {
    const Failure failure = failure_of([&] { idx(bytes); });
    EXPECT_EQ(failure.kind, ErrorKind::bad_data) << message;
    EXPECT_EQ(failure.where, "t-ubyte");
    EXPECT_THAT(failure.message, HasSubstr(message));
  }
  const Failure wide = failure_of([] {
    idx(file<std::uint8_t>(8, {1, 4294967295U, 4294967295U}, {}));
  });
  EXPECT_EQ(wide.kind, ErrorKind::limit);
}

TEST(IdxWriter, what_is_written_reads_back_as_the_same_table) {
  const std::string images = file<std::uint8_t>(8, {2, 3}, {1, 2, 3, 4, 5, 255});
  EXPECT_EQ(format_idx(idx(images), {}), images);
  const std::string labels = file<std::uint8_t>(8, {2}, {1, 9});
  EXPECT_EQ(format_idx(idx(labels), {}), labels);
  for (const std::string& bytes : {file<float>(0x0D, {2, 2}, {0.5F, -1.0F, 3.0F, 4.0F}),
                                   file<double>(0x0E, {2, 2}, {0.1, -0.0, 1e300, 4})}) {
    const Dataset data = idx(bytes);
    EXPECT_EQ(idx(format_idx(data, {})).fingerprint(), data.fingerprint());
  }
}

TEST(IdxWriter, text_columns_are_refused_by_name) {
  EXPECT_EQ(failure_of([] { format_idx(Dataset({Column::nominal("k", {0}, {"a"})}), {}); }).where,
            "column \"k\"");
}

}  // namespace
}  // namespace gradus::io
