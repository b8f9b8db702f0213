#include "gradus/core/quick_json.hpp"

#include <gtest/gtest.h>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

const char* const kPlain[] = {
    "null",
    "true",
    " false ",
    "0",
    "-1",
    "123456789012345678",
    "1.5",
    "-0.25",
    "1e3",
    "1E-3",
    "2.5e+10",
    "\"\"",
    "\"text, with: {all} [sorts]\"",
    "\"Größe\"",
    "[]",
    "{}",
    "[1,2.5,\"a\",null,[[]]]",
    "{\"a\":1,\"b\":{\"a\":[true,false]}}",
    " { \"a\" : [ 1 , 2 ] ,\n\t\"b\" : { } } ",
};

const char* const kOthers[] = {
    "",
    " ",
    "nul",
    "truee",
    "01",
    "-01",
    "-",
    "-0",
    "-0.0",
    "1.",
    ".5",
    "1e",
    "1e+",
    "+1",
    "0x1",
    "1e400",
    "1e-320",
    "1234567890123456789",
    "\"",
    "\"a\\n\"",
    "\"\\u0041\"",
    "\"\xff\"",
    "\"a\nb\"",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":1",
    "1 2",
    "[] []",
    "NaN",
};

TEST(QuickJson, reads_plain_documents_as_the_full_parser_does) {
  for (const char* text : kPlain) {
    const std::optional<Value> quick = quick_json(text);
    ASSERT_TRUE(quick.has_value()) << text;
    EXPECT_EQ(to_json(*quick), to_json(full_json(text, "json"))) << text;
  }
}

TEST(QuickJson, knows_the_form_that_is_written) {
  for (const char* text : kPlain) {
    const std::optional<Value> quick = quick_json(text, JsonForm::written);
    EXPECT_EQ(quick.has_value(), to_json(full_json(text, "json")) == text) << text;
    if (quick) {
      EXPECT_EQ(to_json(*quick), text);
    }
  }
  for (const char* text : kOthers) {
    EXPECT_FALSE(quick_json(text, JsonForm::written).has_value()) << text;
  }
}

TEST(QuickJson, leaves_everything_else_to_the_full_parser) {
  for (const char* text : kOthers) EXPECT_FALSE(quick_json(text).has_value()) << text;
}

TEST(QuickJson, deep_and_wide_documents_are_not_its_business) {
  const std::string deep = std::string(100000, '[');
  EXPECT_FALSE(quick_json(deep).has_value());
  Value wide = object();
  for (int i = 0; i < 40; ++i) wide["key" + std::to_string(i)] = i;
  EXPECT_FALSE(quick_json(to_json(wide)).has_value());
  EXPECT_EQ(parse_json(to_json(wide)), wide);
}

// A flipped byte may give a plain document or not: where it does, it is the same document.
TEST(QuickJson, a_changed_byte_never_makes_the_two_readers_differ) {
  const std::string text =
      R"({"learner":"ridge","parameters":{"alpha":0.5,"n":12},"list":["Größe",null,true,-7e-3]})";
  for (std::uint64_t trial = 0; trial < 4000; ++trial) {
    Stream stream(5, trial);
    std::string changed = text;
    for (std::size_t flips = 1 + stream.below(2); flips > 0; --flips) {
      changed[stream.below(changed.size())] = static_cast<char>(stream.below(256));
    }
    const std::optional<Value> quick = quick_json(changed);
    const std::optional<Value> written = quick_json(changed, JsonForm::written);
    ASSERT_EQ(written.has_value(), quick && to_json(*quick) == changed) << changed;
    if (!quick) continue;
    std::string full;
    ASSERT_NO_THROW(full = to_json(full_json(changed, "json"))) << changed;
    EXPECT_EQ(to_json(*quick), full) << changed;
  }
}

}  // namespace
}  // namespace gradus
