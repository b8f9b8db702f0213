// A small tree of values: what JSON can say, with object keys in the order they were written.
//
// Everything that leaves a learner for people or programs (fitted quantities, steps of an
// explanation, model headers, `--json` output) is built from it. It is our own type, and not the
// JSON library's, so that the public headers stay light to include; nlohmann-json parses.
//
//   Value v = object({{"n", 14}, {"entropy", 0.940286}});
//   v["gains"]["outlook"] = 0.24675;
//   std::string text = to_json(v);
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gradus {

class Value {
 public:
  using Array = std::vector<Value>;
  using Member = std::pair<std::string, Value>;
  using Object = std::vector<Member>;  // insertion order; keys are unique

  // Defined in value.cpp, also the special members: a program that includes this header does not
  // compile what a variant of seven types needs.
  Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  Value(std::nullptr_t);
  Value(bool value);
  Value(int value);
  Value(long value);
  Value(long long value);
  Value(unsigned value);
  Value(unsigned long value);
  Value(unsigned long long value);
  Value(double value);
  Value(const char* value);
  Value(std::string value);
  Value(std::string_view value);
  Value(Array value);
  Value(Object value);
  template <class T>
  Value(const std::vector<T>& items) : Value(Array(items.begin(), items.end())) {}

  bool is_null() const;
  bool is_bool() const;
  bool is_integer() const;
  bool is_number() const;  // an integer is one
  bool is_string() const;
  bool is_array() const;
  bool is_object() const;
  std::string_view type_name() const;

  // Typed access; a wrong type is an Error{bad_data} that names both types.
  bool as_bool() const;
  std::int64_t as_integer() const;
  double as_number() const;
  // Of a temporary they give a value, so that `for (const Value& v : f().as_array())` is safe.
  const std::string& as_string() const&;
  std::string as_string() &&;
  const Array& as_array() const&;
  Array& as_array() &;
  Array as_array() &&;
  const Object& as_object() const&;
  Object& as_object() &;
  Object as_object() &&;

  // Member of an object: created when absent (a null becomes an object).
  Value& operator[](std::string_view key);
  // Member of an object that must be there; Error{bad_data} names the key otherwise.
  const Value& at(std::string_view key) const&;
  Value at(std::string_view key) &&;
  const Value* find(std::string_view key) const;
  void push_back(Value value);
  std::size_t size() const;

  friend bool operator==(const Value& a, const Value& b);

 private:
  void set_unsigned(std::uint64_t value);

  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> data_;
};

extern template Value::Value(const std::vector<double>&);
extern template Value::Value(const std::vector<std::string>&);

// Builds an object with the members in the order given.
Value object(std::initializer_list<Value::Member> members = {});

enum class JsonStyle { compact, indented };

// JSON text with shortest round-trip numbers. Non-finite numbers have no JSON form and become null.
std::string to_json(const Value& value, JsonStyle style = JsonStyle::compact);

// Strict RFC 8259: refuses duplicate keys, trailing bytes, nesting over 64 levels and bad UTF-8.
// `where` is the file name for the error, which carries line and column.
Value parse_json(std::string_view text, const std::string& where = "json");

}  // namespace gradus
