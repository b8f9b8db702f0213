#include "gradus/core/value.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

TEST(Value, keeps_the_order_of_keys_and_round_trips_through_json) {
  Value value = object({{"z", 1}, {"a", Value::Array{Value(0.1), Value(), Value("x\n\"")}}});
  value["m"]["nested"] = true;
  const std::string text = to_json(value);
  EXPECT_EQ(text, R"({"z":1,"a":[0.1,null,"x\n\""],"m":{"nested":true}})");
  EXPECT_EQ(parse_json(text), value);
}

TEST(Value, numbers_survive_bit_for_bit) {
  for (const double x : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789012345680.0}) {
    EXPECT_EQ(parse_json(to_json(Value(x))).as_number(), x);
  }
  EXPECT_EQ(to_json(Value(std::numeric_limits<double>::infinity())), "null");
}

TEST(Value, a_wrong_type_is_named_with_the_right_one) {
  try {
    Value("text").as_number();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "expected a number, got a text");
  }
}

// Address sanitizer sees what a reference into the temporary would be.
TEST(Value, parts_of_a_temporary_outlive_it) {
  const std::string text = R"({"rows":[{"name":"a name too long to live inside of the string"}]})";
  std::string seen;
  for (const Value& row : parse_json(text).at("rows").as_array()) {
    for (const auto& [key, name] : Value(row).as_object()) seen += key + '=' + name.as_string();
  }
  EXPECT_EQ(seen, "name=a name too long to live inside of the string");
  const std::string& kept = Value("also a text that has its letters elsewhere").as_string();
  EXPECT_EQ(kept, "also a text that has its letters elsewhere");
  EXPECT_THROW(parse_json(text).at("columns"), Error);
  EXPECT_THROW(parse_json(text).as_array(), Error);
  EXPECT_THROW(parse_json(text).as_string(), Error);
}

void expect_refused(std::string_view text, const std::string& fragment) {
  try {
    parse_json(text, "file.json");
    FAIL() << "accepted: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
  }
}

TEST(ParseJson, refuses_what_rfc_8259_refuses) {
  for (const char* text : {"", "{", "[1,]", "01", "+1", ".5", "NaN", "Infinity", "{\"a\":1}x",
                           "\"\\ud800\"", "\"\xff\"", "[1] [2]", "// c\n1", "1e400"}) {
    expect_refused(text, "not valid JSON");
  }
}

TEST(ParseJson, refuses_duplicate_keys_and_deep_nesting_without_recursion) {
  expect_refused(R"({"a":1,"a":2})", "stands twice");
  expect_refused(std::string(100000, '['), "nested deeper than 64");
}

TEST(ParseJson, names_line_and_column) { expect_refused("{\n  \"a\": tru\n}", "file.json:2:"); }

TEST(ParseJson, names_the_place_of_a_key_that_stands_twice) {
  expect_refused("{\"a\": 1,\n \"a\": 2}", "file.json:2:2");
  expect_refused("{\"a\": 1, \"q\\\"\": 1,\n\n  \"q\\\"\" : 2}", "file.json:3:3");
  expect_refused("\n" + std::string(70, '['), "file.json:2:65");
}

}  // namespace
}  // namespace gradus
