#include "gradus/core/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

[[noreturn]] void wrong_type(std::string_view wanted, const Value& got) {
  throw Error(ErrorKind::bad_data, "", fmt::format("expected {}, got {}", wanted, got.type_name()));
}

void write_string(std::string& out, std::string_view text) {
  out += '"';
  const auto is_special = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
  };
  const auto special = std::find_if(text.begin(), text.end(), is_special);
  const auto plain = static_cast<std::size_t>(special - text.begin());
  out += text.substr(0, plain);
  for (const char c : text.substr(plain)) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

class Writer {
 public:
  Writer(std::string& out, JsonStyle style) : out_(out), indented_(style == JsonStyle::indented) {}

  void write(const Value& value, std::size_t depth) {
    if (value.is_null()) {
      out_ += "null";
    } else if (value.is_bool()) {
      out_ += value.as_bool() ? "true" : "false";
    } else if (value.is_integer()) {
      const fmt::format_int digits(value.as_integer());
      out_.append(digits.data(), digits.size());
    } else if (value.is_number()) {
      const double number = value.as_number();
      // `-0` would read back as the integer 0.
      const bool negative_zero = number == 0 && std::signbit(number);
      out_ += negative_zero ? "-0.0" : std::isfinite(number) ? shortest(number) : "null";
    } else if (value.is_string()) {
      write_string(out_, value.as_string());
    } else if (value.is_array()) {
      write_array(value.as_array(), depth);
    } else {
      write_object(value.as_object(), depth);
    }
  }

 private:
  void write_array(const Value::Array& items, std::size_t depth) {
    // Arrays of plain values stay on one line also when indented: tables of numbers remain
    // readable.
    bool nested = false;
    for (const Value& item : items) nested = nested || item.is_array() || item.is_object();
    out_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += nested || !indented_ ? "," : ", ";
      if (nested) line_break(depth + 1);
      write(items[i], depth + 1);
    }
    if (nested && !items.empty()) line_break(depth);
    out_ += ']';
  }

  void write_object(const Value::Object& members, std::size_t depth) {
    out_ += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) out_ += ',';
      line_break(depth + 1);
      write_string(out_, members[i].first);
      out_ += indented_ ? ": " : ":";
      write(members[i].second, depth + 1);
    }
    if (!members.empty()) line_break(depth);
    out_ += '}';
  }

  void line_break(std::size_t depth) {
    if (!indented_) return;
    out_ += '\n';
    out_.append(2 * depth, ' ');
  }

  std::string& out_;
  bool indented_;
};

}  // namespace

Value::Value() = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

Value::Value(std::nullptr_t) {}
Value::Value(bool value) : data_(value) {}
Value::Value(int value) : data_(static_cast<std::int64_t>(value)) {}
Value::Value(long value) : data_(static_cast<std::int64_t>(value)) {}
Value::Value(long long value) : data_(static_cast<std::int64_t>(value)) {}
Value::Value(unsigned value) : data_(static_cast<std::int64_t>(value)) {}
Value::Value(unsigned long value) { set_unsigned(value); }
Value::Value(unsigned long long value) { set_unsigned(value); }
Value::Value(double value) : data_(value) {}
Value::Value(const char* value) : data_(std::string(value)) {}
Value::Value(std::string value) : data_(std::move(value)) {}
Value::Value(std::string_view value) : data_(std::string(value)) {}
Value::Value(Array value) : data_(std::move(value)) {}
Value::Value(Object value) : data_(std::move(value)) {}

bool operator==(const Value& a, const Value& b) { return a.data_ == b.data_; }

template Value::Value(const std::vector<double>&);
template Value::Value(const std::vector<std::string>&);

bool Value::is_null() const { return std::holds_alternative<std::monostate>(data_); }
bool Value::is_bool() const { return std::holds_alternative<bool>(data_); }
bool Value::is_integer() const { return std::holds_alternative<std::int64_t>(data_); }
bool Value::is_number() const { return is_integer() || std::holds_alternative<double>(data_); }
bool Value::is_string() const { return std::holds_alternative<std::string>(data_); }
bool Value::is_array() const { return std::holds_alternative<Array>(data_); }
bool Value::is_object() const { return std::holds_alternative<Object>(data_); }

void Value::set_unsigned(std::uint64_t value) {
  // JSON readers keep 64-bit integers only when signed; a larger one is kept as text, not rounded.
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    data_ = static_cast<std::int64_t>(value);
  } else {
    data_ = std::to_string(value);
  }
}

std::string_view Value::type_name() const {
  constexpr std::string_view kNames[] = {"null",   "a boolean", "an integer", "a number",
                                         "a text", "a list",    "an object"};
  return kNames[data_.index()];
}

bool Value::as_bool() const {
  if (!is_bool()) wrong_type("a boolean", *this);
  return std::get<bool>(data_);
}

std::int64_t Value::as_integer() const {
  if (!is_integer()) wrong_type("an integer", *this);
  return std::get<std::int64_t>(data_);
}

double Value::as_number() const {
  if (is_integer()) return static_cast<double>(std::get<std::int64_t>(data_));
  if (!is_number()) wrong_type("a number", *this);
  return std::get<double>(data_);
}

const std::string& Value::as_string() const& {
  if (!is_string()) wrong_type("a text", *this);
  return std::get<std::string>(data_);
}

std::string Value::as_string() && {
  if (!is_string()) wrong_type("a text", *this);
  return std::get<std::string>(std::move(data_));
}

const Value::Array& Value::as_array() const& {
  if (!is_array()) wrong_type("a list", *this);
  return std::get<Array>(data_);
}

Value::Array& Value::as_array() & {
  if (!is_array()) wrong_type("a list", *this);
  return std::get<Array>(data_);
}

Value::Array Value::as_array() && { return std::move(as_array()); }

const Value::Object& Value::as_object() const& {
  if (!is_object()) wrong_type("an object", *this);
  return std::get<Object>(data_);
}

Value::Object& Value::as_object() & {
  if (!is_object()) wrong_type("an object", *this);
  return std::get<Object>(data_);
}

Value::Object Value::as_object() && { return std::move(as_object()); }

Value& Value::operator[](std::string_view key) {
  if (is_null()) data_ = Object{};
  if (!is_object()) wrong_type("an object", *this);
  auto& members = std::get<Object>(data_);
  for (auto& [name, value] : members) {
    if (name == key) return value;
  }
  return members.emplace_back(std::string(key), Value()).second;
}

const Value* Value::find(std::string_view key) const {
  for (const auto& [name, value] : as_object()) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Value& Value::at(std::string_view key) const& {
  const Value* found = find(key);
  if (found == nullptr) {
    throw Error(ErrorKind::bad_data, "", fmt::format("the key {} is missing", in_quotes(key)));
  }
  return *found;
}

Value Value::at(std::string_view key) && {
  at(key);  // refuses a key that is missing, which [] would add
  return std::move((*this)[key]);
}

void Value::push_back(Value value) {
  if (is_null()) data_ = Array{};
  as_array().push_back(std::move(value));
}

std::size_t Value::size() const {
  if (is_array()) return as_array().size();
  return is_object() ? as_object().size() : 0;
}

Value object(std::initializer_list<Value::Member> members) { return Value(Value::Object(members)); }

std::string to_json(const Value& value, JsonStyle style) {
  std::string out;
  Writer(out, style).write(value, 0);
  return out;
}

}  // namespace gradus
