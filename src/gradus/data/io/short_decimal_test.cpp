#include "gradus/data/io/short_decimal.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "gradus/core/number.hpp"
#include "gradus/core/random.hpp"

namespace gradus::io {
namespace {

std::string short_decimal(double value) {
  char text[kShortDecimalSize];
  char* end = write_short_decimal(text, value);
  return end == nullptr ? "" : std::string(&text[0], end);
}

std::string reference(double value) {
  char text[64];
  return {&text[0], std::to_chars(text, text + sizeof text, value).ptr};
}

TEST(ShortDecimal, numbers_of_few_digits_are_written_with_these_digits) {
  for (const char* text : {"1", "-1", "10", "99999", "0.001", "-0.001", "0.25", "1.5", "100.01",
                           "0.1", "12345.6789012345", "0.00123456789012345", "99999.9999999999"}) {
    EXPECT_EQ(short_decimal(*parse_number(text)), text);
  }
}

TEST(ShortDecimal, what_needs_more_digits_or_an_exponent_is_left_to_others) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value :
       {0.0, -0.0, 1e5, -1e5, 9e-4, 1e300, 5e-324, 1.0 / 3, infinity, -infinity, std::nan(""),
        std::nextafter(1.0, 2.0), std::nextafter(1e5, 0.0)}) {
    EXPECT_EQ(short_decimal(value), "") << value;
  }
}

TEST(ShortDecimal, decimals_and_their_neighbours_get_the_bytes_of_the_standard_library) {
  std::size_t written = 0;
  for (std::size_t i = 0; i < 20000; ++i) {
    Stream stream(11, i);
    const double digits = std::floor(std::pow(10.0, 1 + 15 * stream.uniform()) * stream.uniform());
    const double decimal = digits / std::pow(10.0, std::floor(19 * stream.uniform()));
    for (const double value : {decimal, -decimal, std::nextafter(decimal, 0.0),
                               std::nextafter(decimal, 1e300), stream.normal()}) {
      const std::string text = short_decimal(value);
      if (text.empty()) continue;
      EXPECT_EQ(text, reference(value));
      ++written;
    }
  }
  EXPECT_GT(written, 10000U);
}

TEST(ShortDecimal, powers_of_ten_and_their_neighbours_get_the_bytes_of_the_standard_library) {
  for (const double power : {1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4}) {
    EXPECT_EQ(short_decimal(power), reference(power));
    for (const double value : {std::nextafter(power, 0.0), std::nextafter(power, 1e9)}) {
      EXPECT_EQ(short_decimal(value), "") << value;
    }
  }
}

}  // namespace
}  // namespace gradus::io
