// A stream gives the bytes that read_source gives, in any pieces, and the same errors.
#include "gradus/data/io/byte_stream.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gradus/core/error.hpp"
#include "support/packed.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

class ByteStreamTest : public testing::Test {
 protected:
  std::string all(const std::string& bytes, std::size_t piece,
                  std::uint64_t most = 1U << 30) const {
    io::ByteStream stream(folder_.file("f", bytes), most);
    std::string out;
    std::string buffer(piece, '\0');
    while (true) {
      const std::size_t got = stream.read(buffer.data(), piece, {});
      out.append(buffer, 0, got);
      if (got < piece) return out;
    }
  }
  std::string error_of(const std::string& bytes, std::uint64_t most = 1U << 30) const {
    try {
      all(bytes, 1000, most);
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  }

  TemporaryDirectory folder_;
  std::string text_ = [] {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += std::to_string(i % 1009 * 7) + ",";
    return text;
  }();
};

TEST_F(ByteStreamTest, gives_plain_and_packed_bytes_in_any_pieces) {
  for (const std::size_t piece : {std::size_t{7}, std::size_t{4096}, std::size_t{1} << 22}) {
    EXPECT_EQ(all(text_, piece), text_);
    EXPECT_EQ(all(gzip(text_), piece), text_);
    EXPECT_EQ(all(zstd(text_), piece), text_);
    EXPECT_EQ(all(gzip(text_) + gzip("more"), piece), text_ + "more");
    EXPECT_EQ(all(zstd(text_) + zstd("more"), piece), text_ + "more");
  }
  EXPECT_EQ(all("", 10), "");
  EXPECT_EQ(all("ab", 10), "ab");
}

TEST_F(ByteStreamTest, refuses_archives_that_are_cut_short_or_followed_by_something_else) {
  const std::string one = gzip(text_);
  const std::string other = zstd(text_);
  EXPECT_NE(error_of(one.substr(0, one.size() - 9)).find("too early"), std::string::npos);
  EXPECT_NE(error_of(other.substr(0, other.size() - 9)).find("too early"), std::string::npos);
  EXPECT_NE(error_of(one + "junk").find("not gzip"), std::string::npos);
}

TEST_F(ByteStreamTest, keeps_the_limit_of_bytes_after_decompression) {
  EXPECT_NE(error_of(gzip(text_), 5000).find("limit of 5000 bytes"), std::string::npos);
  EXPECT_EQ(error_of(gzip("short"), 5000), "");
}

TEST_F(ByteStreamTest, knows_which_sources_can_be_read_again) {
  EXPECT_TRUE(io::ByteStream(folder_.file("f", "x"), 100).can_be_read_again());
  EXPECT_FALSE(io::ByteStream("-", 100).can_be_read_again());
  EXPECT_THROW(io::ByteStream(folder_.path("nothing"), 100), Error);
  EXPECT_THROW(io::ByteStream("/dev/zero", 100), Error);
}

}  // namespace
}  // namespace gradus
