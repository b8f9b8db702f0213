#include "gradus/core/decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "gradus/core/number.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

// Reads `text` in the middle of bytes that could be taken for parts of it.
struct Reading {
  bool plain = false;
  double value = 0;
};
Reading read_between(const std::string& text, const std::string& around) {
  std::string padded;
  while (padded.size() < decimal::kBytesBeforeEnd) padded += around;
  const std::size_t begin = padded.size();
  padded += text;
  for (const std::size_t size = padded.size(); padded.size() < size + decimal::kBytesAfterBegin;) {
    padded += around;
  }
  Reading reading;
  const char* first = padded.data() + begin;
  reading.plain = decimal::read_plain(first, first + text.size(), reading.value);
  return reading;
}

void expect_exact(const std::string& text) {
  for (const std::string around : {"9", ",", ".", "\n-", "\xFF"}) {
    const Reading reading = read_between(text, around);
    const std::optional<double> expected = parse_number(text);
    if (!reading.plain) continue;
    ASSERT_TRUE(expected.has_value()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(reading.value), std::bit_cast<std::uint64_t>(*expected))
        << text;
  }
}

std::string random_digits(Stream& random, std::size_t count) {
  std::string digits;
  for (std::size_t i = 0; i < count; ++i) digits += static_cast<char>('0' + random.below(10));
  return digits;
}

TEST(Decimal, every_plain_shape_is_read_and_rounded_as_parse_number_does) {
  Stream random(7, 1);
  for (std::size_t whole = 0; whole <= 7; ++whole) {
    for (std::size_t fraction = whole == 0 ? 1 : 0; whole + fraction <= 19; ++fraction) {
      for (int sample = 0; sample < 400; ++sample) {
        std::string text = sample % 2 == 0 ? "" : "-";
        text += random_digits(random, whole) + "." + random_digits(random, fraction);
        const Reading reading = read_between(text, ",");
        ASSERT_TRUE(reading.plain) << text;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(reading.value),
                  std::bit_cast<std::uint64_t>(*parse_number(text)))
            << text;
        expect_exact(text);
      }
    }
  }
}

TEST(Decimal, integers_of_up_to_8_digits_are_read) {
  Stream random(7, 2);
  for (std::size_t digits = 1; digits <= 8; ++digits) {
    for (int sample = 0; sample < 200; ++sample) {
      const std::string text = (sample % 2 == 0 ? "" : "-") + random_digits(random, digits);
      ASSERT_TRUE(read_between(text, "9").plain) << text;
      expect_exact(text);
    }
  }
}

TEST(Decimal, numbers_halfway_between_two_doubles_are_rounded_to_even) {
  // 2^53 + 1 and its neighbours, scaled: ties that one wrong bit decides.
  for (const std::string text :
       {"0.9007199254740993", "900719.9254740993", "9.007199254740993", "0.4503599627370497",
        "1.000000000000000111", "0.500000000000000055", ".1000000000000000055",
        ".9999999999999999999", "9999999.999999999999", ".0000000000000000001"}) {
    EXPECT_TRUE(read_between(text, ",").plain) << text;
    expect_exact(text);
  }
}

TEST(Decimal, what_is_no_plain_number_is_never_read_as_one) {
  for (const std::string text : {"",
                                 "-",
                                 ".",
                                 "-.",
                                 "--1",
                                 "1-",
                                 "+1",
                                 "1e5",
                                 "1.5e-05",
                                 " 1",
                                 "1 ",
                                 "1.2.3",
                                 "1..2",
                                 "nan",
                                 "inf",
                                 "0x10",
                                 "1_000",
                                 "1,5",
                                 "12345678901",
                                 "123456789.5",
                                 "/1",
                                 ":1",
                                 "1/",
                                 "1:",
                                 "\"1.5\"",
                                 "0.12345678/0123456",
                                 "0.:2345678901234567",
                                 "1.23456789012345678901"}) {
    EXPECT_FALSE(read_between(text, "0").plain) << text;
  }
}

TEST(Decimal, random_bytes_give_a_number_only_where_parse_number_gives_it) {
  Stream random(7, 3);
  const std::string bytes = "0123456789..--+eE ,/:\x80\xB0";
  for (int sample = 0; sample < 200000; ++sample) {
    std::string text;
    const std::size_t size = random.below(24);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t most = random.below(3) == 0 ? bytes.size() : 11;
      text += bytes[random.below(most)];
    }
    expect_exact(text);
  }
}

}  // namespace
}  // namespace gradus
