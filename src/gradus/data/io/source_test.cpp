#include "gradus/data/io/source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/read.hpp"
#include "support/packed.hpp"
#include "support/temporary_directory.hpp"

namespace gradus::io {
namespace {

using ::testing::HasSubstr;

class Source : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string file(const std::string& name, const std::string& bytes) const {
    return folder_.file(name, bytes);
  }

  TemporaryDirectory folder_;
};

ErrorKind kind_of(const std::string& path, const SourceLimits& limits = {}) {
  try {
    read_source(path, limits);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::check_failed;  // no error
}

std::string content(const std::string& path) { return std::string(read_source(path, {}).view()); }

TEST_F(Source, plain_files_come_back_byte_by_byte) {
  std::string large;
  for (int i = 0; large.size() < 9U << 20; ++i) large += std::to_string(i) + "\n";
  EXPECT_EQ(content(file("a.csv", large)), large);
  EXPECT_EQ(content(file("b.csv", "")), "");
}

TEST_F(Source, gzip_and_zstd_are_opened_whatever_the_name_is) {
  EXPECT_EQ(content(file("a.csv", gzip("x,y\n1,2\n"))), "x,y\n1,2\n");
  EXPECT_EQ(content(file("b.csv", zstd("x,y\n1,2\n"))), "x,y\n1,2\n");
  const std::string zeros(3U << 20, '0');
  EXPECT_EQ(content(file("c.csv", gzip(zeros))), zeros);
  EXPECT_EQ(content(file("d.csv", zstd(zeros))), zeros);
}

TEST_F(Source, several_archives_in_a_row_are_joined) {
  EXPECT_EQ(content(file("a.gz", gzip("one,") + gzip("two"))), "one,two");
  EXPECT_EQ(content(file("a.zst", zstd("one,") + zstd("two"))), "one,two");
}

TEST_F(Source, truncated_archives_and_trailing_garbage_are_refused) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i * i) + "\n";
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    EXPECT_EQ(kind_of(file("garbage", packed + "tail")), ErrorKind::bad_data);
    for (std::size_t cut = 4; cut < packed.size(); cut += 1 + packed.size() / 50) {
      EXPECT_EQ(kind_of(file("cut", packed.substr(0, cut))), ErrorKind::bad_data) << cut;
    }
    std::string damaged = packed;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
    if (packed.substr(0, 2) == "\x1f\x8b") {
      EXPECT_EQ(kind_of(file("damaged", damaged)), ErrorKind::bad_data);
    }
  }
}

TEST_F(Source, a_bomb_stops_at_the_limit) {
  const std::string zeros(8U << 20, '0');
  EXPECT_EQ(kind_of(file("a.gz", gzip(zeros)), {.max_bytes = 1U << 20}), ErrorKind::limit);
  EXPECT_EQ(kind_of(file("a.zst", zstd(zeros)), {.max_bytes = 1U << 20}), ErrorKind::limit);
  EXPECT_EQ(kind_of(file("a.csv", zeros), {.max_bytes = 1U << 20}), ErrorKind::limit);
}

TEST_F(Source, a_first_line_beyond_the_limit_is_given_up_early) {
  const std::string path = file("a.csv", std::string(5000, 'x'));
  EXPECT_EQ(kind_of(path, {.max_first_line = 1000}), ErrorKind::limit);
  EXPECT_EQ(kind_of(path, {.max_first_line = 6000}), ErrorKind::check_failed);
}

TEST_F(Source, what_cannot_be_read_is_an_error_of_the_right_kind) {
  EXPECT_EQ(kind_of(path("absent.csv")), ErrorKind::missing_input);
  EXPECT_EQ(kind_of(""), ErrorKind::missing_input);
  EXPECT_EQ(kind_of(folder_.path()), ErrorKind::io);
  EXPECT_EQ(kind_of("/dev/zero"), ErrorKind::bad_data);
  EXPECT_EQ(kind_of("/dev/null"), ErrorKind::check_failed);
  ASSERT_EQ(::symlink(path("loop").c_str(), path("loop").c_str()), 0);
  EXPECT_EQ(kind_of(path("loop")), ErrorKind::io);
  if (::geteuid() != 0) {
    ASSERT_EQ(::chmod(file("locked.csv", "x\n").c_str(), 0), 0);
    EXPECT_EQ(kind_of(path("locked.csv")), ErrorKind::permission);
  }
}

TEST_F(Source, a_pipe_is_read_to_its_end) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(pipe);
    for (int i = 0; i < 3; ++i) out << "x,y\n" << std::flush;
  });
  EXPECT_EQ(content(pipe), "x,y\nx,y\nx,y\n");
  writer.join();
}

TEST_F(Source, a_pipe_that_ends_inside_a_row_is_bad_data) {
  const std::string pipe = path("pipe.csv");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "x,y\n1,2\n3"; });
  EXPECT_THROW(
      {
        try {
          read_table(pipe);
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::bad_data);
          throw;
        }
      },
      Error);
  writer.join();
}

}  // namespace
}  // namespace gradus::io
