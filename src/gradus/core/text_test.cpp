#include "gradus/core/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "gradus/core/number.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

TEST(Text, control_sequences_become_visible) {
  EXPECT_EQ(escape_controls("a\x1b[31mred"), "a\\x1b[31mred");
  EXPECT_EQ(escape_controls("right\u202Eleft"), "right\\xe2\\x80\\xaeleft");
  EXPECT_EQ(escape_controls("bad\xff"), "bad\\xff");
  EXPECT_EQ(escape_controls("schön 日本 🌍"), "schön 日本 🌍");
}

TEST(Text, invalid_utf8_is_found_where_it_stands) {
  EXPECT_EQ(find_invalid_utf8("abc"), std::string::npos);
  EXPECT_EQ(find_invalid_utf8("ab\x80"), 2U);
  EXPECT_EQ(find_invalid_utf8("\xc0\xaf"), 0U);           // overlong
  EXPECT_EQ(find_invalid_utf8("x\xed\xa0\x80"), 1U);      // surrogate
  EXPECT_EQ(find_invalid_utf8("x\xf4\x90\x80\x80"), 1U);  // beyond U+10FFFF
}

TEST(Text, a_misspelt_name_gets_its_neighbours) {
  const std::vector<std::string> names = {"kmeans", "naive_bayes", "linear_regression"};
  EXPECT_EQ(nearest("kmean", names), std::vector<std::string>{"kmeans"});
  EXPECT_EQ(did_you_mean("bayes", names), "did you mean \"naive_bayes\"?");
  EXPECT_TRUE(did_you_mean("zzz", names).empty());
}

TEST(Text, spellings_that_a_reader_cannot_tell_apart_are_near) {
  const std::vector<std::string> names = {"caf\xC3\xA9", "Gr\xC3\xBC\xC3\x9F"};
  EXPECT_EQ(nearest("cafe\xCC\x81", names), std::vector<std::string>{names[0]});
  EXPECT_EQ(nearest("gru\xCC\x88\xC3\x9F", names), std::vector<std::string>{names[1]});
  EXPECT_TRUE(nearest(std::string(100000, 'x'), names).empty());
  EXPECT_EQ(nearest("\xFF", std::vector<std::string>{"\xFE"}).size(), 1U);
}

TEST(Text, long_texts_are_cut_between_characters) { EXPECT_EQ(in_quotes("ééé", 3), "\"é…\""); }

TEST(Number, every_double_survives_printing_and_reading) {
  Stream stream(5);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = stream.next();
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    if (!std::isfinite(x)) continue;
    const auto back = parse_number(shortest(x));
    ASSERT_TRUE(back.has_value());
    ASSERT_EQ(std::memcmp(&*back, &x, sizeof x), 0) << shortest(x);
  }
}

TEST(Number, whole_numbers_only_and_never_a_prefix) {
  for (const char* text : {"+1", ".5", "5.", "1e5", "1E+05", "-0", "1e-400"}) {
    EXPECT_TRUE(parse_number(text).has_value()) << text;
  }
  for (const char* text : {"", "+", "-", ".", "e5", "1e", "1.2.3", "0x1p3", "1_000", "1,5", "--1",
                           "+-1", " 1", "1 ", "1d3", "١٢", "2e06918610327a"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
  EXPECT_TRUE(std::signbit(*parse_number("-0")));
}

}  // namespace
}  // namespace gradus
