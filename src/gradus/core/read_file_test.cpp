#include "gradus/core/read_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "gradus/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

ErrorKind kind_of_reading(const std::string& path, std::uint64_t limit = 1000) {
  try {
    read_whole_file(path, limit);
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), path);
    return error.kind();
  }
  ADD_FAILURE() << path << " was read";
  return ErrorKind::internal;
}

TEST(ReadFile, gives_every_byte_of_a_file_of_any_size) {
  const TemporaryDirectory dir;
  for (const std::size_t size : {0UL, 1UL, 65535UL, 65536UL, 65537UL, 1000000UL}) {
    std::string content(size, 'x');
    for (std::size_t i = 0; i < size; i += 7) content[i] = static_cast<char>(i);
    std::ofstream(dir.path("f"), std::ios::binary) << content;
    EXPECT_EQ(read_whole_file(dir.path("f"), 1000000), content);
  }
}

TEST(ReadFile, stops_at_the_limit) {
  const TemporaryDirectory dir;
  std::ofstream(dir.path("f")) << std::string(1001, 'x');
  EXPECT_EQ(kind_of_reading(dir.path("f")), ErrorKind::limit);
  std::filesystem::resize_file(dir.path("f"), std::uintmax_t{100} << 30);
  EXPECT_EQ(kind_of_reading(dir.path("f"), std::uint64_t{64} << 30), ErrorKind::limit);
}

TEST(ReadFile, reads_a_pipe_to_its_end) {
  const TemporaryDirectory dir;
  ASSERT_EQ(::mkfifo(dir.path("pipe").c_str(), 0600), 0);
  const std::string content(300000, 'p');
  std::thread writer([&] { std::ofstream(dir.path("pipe")) << content; });
  EXPECT_EQ(read_whole_file(dir.path("pipe"), 300000), content);
  writer.join();
}

TEST(ReadFile, a_pipe_that_nobody_writes_to_is_empty) {
  const TemporaryDirectory dir;
  ASSERT_EQ(::mkfifo(dir.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_whole_file(dir.path("pipe"), 1000), "");
}

TEST(ReadFile, a_foreign_file_is_not_read_to_its_end) {
  const TemporaryDirectory dir;
  std::ofstream(dir.path("f")) << "no";
  std::filesystem::resize_file(dir.path("f"), std::uintmax_t{10} << 30);
  const std::string start = read_whole_file(dir.path("f"), std::uint64_t{64} << 30, "yes");
  EXPECT_EQ(start.substr(0, 2), "no");
  EXPECT_LT(start.size(), 100000U);
}

TEST(ReadFile, names_what_cannot_be_read) {
  const TemporaryDirectory dir;
  EXPECT_EQ(kind_of_reading(dir.path("absent")), ErrorKind::missing_input);
  EXPECT_EQ(kind_of_reading(dir.path("absent/f")), ErrorKind::missing_input);
  EXPECT_EQ(kind_of_reading(dir.path("")), ErrorKind::bad_data);
  EXPECT_EQ(kind_of_reading("/dev/zero"), ErrorKind::bad_data);
}

}  // namespace
}  // namespace gradus
