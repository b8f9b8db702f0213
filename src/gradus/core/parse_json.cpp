// Strict JSON into Value. nlohmann-json's event parser does the lexing; this file adds what it
// leaves open: a depth limit without recursion, refusal of duplicate keys, line and column.
#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "gradus/core/error.hpp"
#include "gradus/core/quick_json.hpp"
#include "gradus/core/text.hpp"
#include "gradus/core/value.hpp"

namespace gradus {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kFewKeys = 32;

struct Place {
  std::size_t line = 1;
  std::size_t column = 1;
};

Place place_of(std::string_view text, std::size_t offset) {
  Place place;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    ++place.column;
    if (text[i] == '\n') place = {place.line + 1, 1};
  }
  return place;
}

// Where the parser is in the text. It says so itself only when its own grammar is broken.
class Watched {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Watched(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  Watched& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  Watched operator++(int) {
    const Watched before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Watched& a, const Watched& b) { return a.at_ == b.at_; }
  friend bool operator!=(const Watched& a, const Watched& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// The begin of what ends before `end`: the opening quote of a text, else its last character.
std::size_t begin_of_token(std::string_view text, std::size_t end) {
  if (end == 0) return 0;
  std::size_t at = end - 1;
  if (text[at] != '"') return at;
  const auto escaped = [&](std::size_t quote) {
    std::size_t slashes = 0;
    while (slashes < quote && text[quote - 1 - slashes] == '\\') ++slashes;
    return slashes % 2 == 1;
  };
  while (at > 0) {
    --at;
    if (text[at] == '"' && !escaped(at)) return at;
  }
  return 0;
}

class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  // What stopped the parse, if the parser's own grammar did not.
  std::string problem;
  std::optional<std::size_t> problem_offset;

  Value result() { return std::move(root_); }

  bool null() override { return add(Value()); }
  bool boolean(bool value) override { return add(Value(value)); }
  bool number_integer(number_integer_t value) override {
    return add(Value(static_cast<long long>(value)));
  }
  bool number_unsigned(number_unsigned_t value) override {
    // Beyond the signed range the exact integer is lost in every JSON reader: keep it as a number.
    if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) {
      return add(Value(static_cast<double>(value)));
    }
    return add(Value(static_cast<long long>(value)));
  }
  bool number_float(number_float_t value, const string_t&) override { return add(Value(value)); }
  bool string(string_t& value) override { return add(Value(std::move(value))); }
  bool binary(binary_t&) override { return fail("binary values are not JSON"); }
  bool key(string_t& value) override {
    if (!is_new_key(value)) {
      return fail(fmt::format("the key {} stands twice", in_quotes(value)));
    }
    key_ = std::move(value);
    return true;
  }
  bool start_object(std::size_t) override { return open(Value(Value::Object{})); }
  bool start_array(std::size_t) override { return open(Value(Value::Array{})); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    problem_offset = position == 0 ? 0 : position - 1;
    const std::string text = error.what();
    const std::size_t detail = text.rfind(": ");
    problem = detail == std::string::npos ? text : text.substr(detail + 2);
    return false;
  }

 private:
  bool fail(std::string why) {
    problem = std::move(why);
    return false;
  }

  Value* place(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Value& parent = *open_.back();
    if (parent.is_array()) {
      parent.as_array().push_back(std::move(value));
      return &parent.as_array().back();
    }
    return &parent.as_object().emplace_back(std::move(key_), std::move(value)).second;
  }

  bool add(Value value) {
    place(std::move(value));
    return true;
  }

  // Looking through the members is quickest for the few that objects usually have; a large object
  // gets a set of its keys, or a file of many keys would cost the square of its size.
  bool is_new_key(const std::string& key) {
    const Value::Object& members = open_.back()->as_object();
    if (members.size() < kFewKeys) return open_.back()->find(key) == nullptr;
    std::unordered_set<std::string>& keys = keys_.back();
    if (keys.empty()) {
      for (const auto& [name, member] : members) keys.insert(name);
    }
    return keys.insert(key).second;
  }

  bool open(Value value) {
    if (open_.size() >= kMaxDepth) {
      return fail(fmt::format("nested deeper than {} levels", kMaxDepth));
    }
    open_.push_back(place(std::move(value)));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  Value root_;
  // Pointers into the tree stay valid: a parent's storage only grows after its last child closed.
  std::vector<Value*> open_;
  std::vector<std::unordered_set<std::string>> keys_;  // of the open objects; used by large ones
  std::string key_;
};

// Where the parse stops when we stop it.
std::size_t offset_of_problem(std::string_view text) {
  const char* reached = text.data();
  Builder again;
  const char* end = text.data() + text.size();
  nlohmann::json::sax_parse(Watched(text.data(), &reached), Watched(end, &reached), &again);
  return begin_of_token(text, static_cast<std::size_t>(reached - text.data()));
}

}  // namespace

Value parse_json(std::string_view text, const std::string& where) {
  if (std::optional<Value> value = quick_json(text)) return *std::move(value);
  return full_json(text, where);
}

Value full_json(std::string_view text, const std::string& where) {
  Builder builder;
  const bool ok = nlohmann::json::sax_parse(text, &builder);
  if (!ok) {
    if (!builder.problem_offset) builder.problem_offset = offset_of_problem(text);
    const Place place = place_of(text, *builder.problem_offset);
    throw Error(ErrorKind::bad_data, fmt::format("{}:{}:{}", where, place.line, place.column),
                "not valid JSON: " + builder.problem);
  }
  return builder.result();
}

}  // namespace gradus
