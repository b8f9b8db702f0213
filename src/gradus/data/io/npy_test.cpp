#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/data/io/binary_reader.hpp"
#include "gradus/data/io/format_testing.hpp"

namespace gradus::io {
namespace {

using testing::HasSubstr;

Dataset npy(std::string_view bytes, const ReadOptions& options = {}) {
  ReadReport report;
  return parse_npy({bytes, "t.npy"}, options, report, {});
}

std::string file(int version, const std::string& header, const std::string& data) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  if (version == 1) {
    append_as(out, static_cast<std::uint16_t>(header.size()), std::endian::little);
  } else {
    append_as(out, static_cast<std::uint32_t>(header.size()), std::endian::little);
  }
  return out + header + data;
}

std::string header(const std::string& type, const std::string& shape,
                   const char* fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape +
         ", }  \n";
}

template <class T>
std::string bytes_of(std::vector<T> values, std::endian order = std::endian::little) {
  std::string out;
  for (const T value : values) append_as(out, value, order);
  return out;
}

TEST(NpyReader, reads_c_and_fortran_order_of_every_version) {
  const std::string data = bytes_of<double>({1, 2, 3, 4, 5, 6});
  for (const int version : {1, 2, 3}) {
    const Dataset c = npy(file(version, header("<f8", "(2, 3)"), data));
    ASSERT_EQ(c.rows(), 2U);
    EXPECT_EQ(c.names(), (std::vector<std::string>{"x1", "x2", "x3"}));
    EXPECT_EQ(c.column("x2").number(0), 2);
    EXPECT_EQ(c.column("x1").number(1), 4);
    const Dataset fortran = npy(file(version, header("<f8", "(2, 3)", "True"), data));
    EXPECT_EQ(fortran.column("x1").number(1), 2);
    EXPECT_EQ(fortran.column("x3").number(0), 5);
  }
}

template <class T>
void expect_type(const std::string& code) {
  const std::vector<T> values = {static_cast<T>(100), static_cast<T>(7)};
  const Dataset little = npy(file(1, header("<" + code, "(2,)"), bytes_of(values)));
  const Dataset big = npy(file(1, header(">" + code, "(2,)"), bytes_of(values, std::endian::big)));
  EXPECT_EQ(little.column("x1").number(0), 100) << code;
  EXPECT_EQ(big.column("x1").number(1), 7) << code;
}

TEST(NpyReader, reads_every_element_type_in_both_byte_orders) {
  expect_type<float>("f4");
  expect_type<double>("f8");
  expect_type<std::int8_t>("i1");
  expect_type<std::int16_t>("i2");
  expect_type<std::int32_t>("i4");
  expect_type<std::int64_t>("i8");
  expect_type<std::uint8_t>("u1");
  expect_type<std::uint16_t>("u2");
  expect_type<std::uint32_t>("u4");
  expect_type<std::uint64_t>("u8");
  const Dataset truth = npy(file(1, header("|b1", "(2,)"), std::string("\0\1", 2)));
  EXPECT_EQ(truth.column("x1").number(0), 0);
  EXPECT_EQ(truth.column("x1").number(1), 1);
}

TEST(NpyReader, every_broken_file_is_refused) {
  const std::string one = bytes_of<double>({1});
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "empty file"},
      {"PK\3\4", "not a NumPy array"},
      {"\x93NUMPY", "ends inside"},
      {file(9, header("<f8", "(1,)"), one), "version 9.0"},
      {file(1, header("<f8", "(1,)"), one).substr(0, 30), "ends inside"},
      {file(1, header("<f8", "(2,)"), one), "does not match"},
      {file(1, header("<f8", "(1,)"), one + "x"), "does not match"},
      {file(1, header("<f8", "(4611686018427387904, 4)"), ""), "does not match"},
      {file(1, header("<f8", "(99999999999999999999,)"), ""), "too large"},
      {file(1, header("<f8", "(1, 1, 1)"), one), "3 dimensions"},
      {file(1, header("<f8", "()"), one), "0 dimensions"},
      {file(1, header("<f8", "(3, 0)"), ""), "no columns"},
      {file(1, header("|O", "(1,)"), one), "not supported"},
      {file(1, header("<c16", "(1,)"), one), "not supported"},
      {file(1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", one), "records"},
      {file(1, "{'descr': '<f8', 'shape': (1,)}", one), "are needed"},
      {file(1, "{'descr': '<f8', 'descr': '<f8', 'shape': (1,)}", one), "twice"},
      {file(1, "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}", one), "True or False"},
      {file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", one), "whole number"},
      {file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} + x", one), "after the"},
      {file(1, header("<f8", "(1,)"), bytes_of<double>({HUGE_VAL})), "infinite"},
  };
  for (const auto& [bytes, message] : cases) {
    const Failure failure = failure_of([&] { npy(bytes); });
    EXPECT_EQ(failure.kind, ErrorKind::bad_data) << message;
    EXPECT_EQ(failure.where, "t.npy");
    EXPECT_THAT(failure.message, HasSubstr(message));
  }
}

TEST(NpyReader, a_declared_column_becomes_categories) {
  ReadOptions options;
  options.nominal = {"x1"};
  const Dataset data = npy(file(1, header("|u1", "(3,)"), "\1\2\1"), options);
  EXPECT_EQ(data.column("x1").levels(), (Levels{"1", "2"}));
}

TEST(NpyWriter, what_is_written_reads_back_as_the_same_table) {
  const Dataset data({Column::numeric("x1", std::vector<double>{0.1, std::nan(""), -0.0}),
                      Column::numeric("x2", std::vector<double>{1e300, 2, 3})});
  const std::string bytes = format_npy(data, {});
  EXPECT_EQ(npy(bytes).fingerprint(), data.fingerprint());
  EXPECT_EQ((bytes.size() - 48) % 64, 0U);  // the six numbers begin at a multiple of 64
}

TEST(NpyWriter, the_bytes_depend_neither_on_the_threads_nor_on_how_the_columns_lie) {
  constexpr std::size_t kRows = 20011;
  constexpr std::size_t kCols = 7;
  std::vector<double> rows;
  std::vector<std::vector<double>> columns(kCols);
  for (std::size_t i = 0; i < kRows * kCols; ++i) {
    rows.push_back(static_cast<double>(i * i % 1009) / 8);
    columns[i % kCols].push_back(rows.back());
  }
  std::vector<Column> apart;
  std::vector<Column> together;
  for (std::size_t j = 0; j < kCols; ++j) {
    const std::string name = "x" + std::to_string(j + 1);
    if (j + 1 < kCols) {
      apart.push_back(Column::numeric(name, columns[j]));
    } else {
      apart.push_back(
          Column::numeric(name, std::vector<float>(columns[j].begin(), columns[j].end())));
    }
    together.push_back(Column::numeric(name, columns[j]));
  }
  const std::string numbers(reinterpret_cast<const char*>(rows.data()),
                            rows.size() * sizeof(double));
  for (const int threads : {1, 2, 8}) {
    for (const Dataset& data : {Dataset(apart), Dataset(together)}) {
      EXPECT_TRUE(format_npy(data, {}, {.threads = threads}).ends_with(numbers));
    }
  }
}

TEST(NpyWriter, text_columns_are_refused_by_name) {
  EXPECT_EQ(failure_of([] { format_npy(Dataset({Column::nominal("k", {0}, {"a"})}), {}); }).where,
            "column \"k\"");
}

}  // namespace
}  // namespace gradus::io
