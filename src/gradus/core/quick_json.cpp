#include "gradus/core/quick_json.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

constexpr int kMostDepth = 32;           // below the limit of the full parser
constexpr std::size_t kMostKeys = 32;    // of an object: each is compared with all before it
constexpr std::size_t kMostDigits = 18;  // of an integer that fits into 64 bits for certain

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Every function moves behind what it read, or answers false.
class QuickReader {
 public:
  QuickReader(std::string_view text, JsonForm form)
      : at_(text.data()), end_(text.data() + text.size()), form_(form) {}

  bool read_document(Value& out) {
    if (!read_value(out, 0)) return false;
    skip_blanks();
    return at_ == end_;
  }

 private:
  void skip_blanks() {
    if (form_ == JsonForm::written) return;
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  bool take(char wanted) {
    skip_blanks();
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size()) return false;
    if (std::string_view(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool read_value(Value& out, int depth) {
    skip_blanks();
    if (at_ == end_ || depth > kMostDepth) return false;
    switch (*at_) {
      case '{': ++at_; return read_object(out, depth);
      case '[': ++at_; return read_array(out, depth);
      case '"': return read_text(out);
      case 't': out = Value(true); return take_word("true");
      case 'f': out = Value(false); return take_word("false");
      case 'n': out = Value(); return take_word("null");
      default: return read_number(out);
    }
  }

  bool read_object(Value& out, int depth) {
    Value::Object members;
    members.reserve(8);
    if (!take('}')) {
      do {
        skip_blanks();
        std::string_view key;
        if (members.size() == kMostKeys || !read_plain(key)) return false;
        for (const auto& [name, member] : members) {
          if (name == key) return false;
        }
        if (!take(':')) return false;
        if (!read_value(members.emplace_back(std::string(key), Value()).second, depth + 1)) {
          return false;
        }
      } while (take(','));
      if (!take('}')) return false;
    }
    out = Value(std::move(members));
    return true;
  }

  bool read_array(Value& out, int depth) {
    Value::Array items;
    if (!take(']')) {
      do {
        if (!read_value(items.emplace_back(), depth + 1)) return false;
      } while (take(','));
      if (!take(']')) return false;
    }
    out = Value(std::move(items));
    return true;
  }

  bool read_text(Value& out) {
    std::string_view text;
    if (!read_plain(text)) return false;
    out = Value(text);
    return true;
  }

  // A text that stands between its quotes as it is.
  bool read_plain(std::string_view& out) {
    if (at_ == end_ || *at_ != '"') return false;
    const char* first = ++at_;
    bool ascii = true;
    for (; at_ != end_ && *at_ != '"'; ++at_) {
      const auto byte = static_cast<unsigned char>(*at_);
      if (byte < 0x20 || byte == '\\') return false;
      ascii = ascii && byte < 0x80;
    }
    if (at_ == end_) return false;
    out = {first, static_cast<std::size_t>(at_ - first)};
    ++at_;
    return ascii || find_invalid_utf8(out) == std::string_view::npos;
  }

  bool read_number(Value& out) {
    const char* first = at_;
    const bool negative = at_ != end_ && *at_ == '-';
    if (negative) ++at_;
    const char* digits = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    const auto count = static_cast<std::size_t>(at_ - digits);
    if (count == 0 || (count > 1 && *digits == '0')) return false;
    const bool whole = at_ == end_ || (*at_ != '.' && *at_ != 'e' && *at_ != 'E');
    if (!whole) return read_fraction(first, out);
    const bool negative_zero = negative && *digits == '0';
    if (negative_zero || count > kMostDigits) return false;
    std::int64_t number = 0;
    std::from_chars(first, at_, number);
    out = Value(static_cast<long long>(number));
    return true;
  }

  bool take_digits() {
    const char* first = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != first;
  }

  bool read_fraction(const char* first, Value& out) {
    if (*at_ == '.') {
      ++at_;
      if (!take_digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!take_digits()) return false;
    }
    const std::string_view text(first, static_cast<std::size_t>(at_ - first));
    const std::optional<double> number = parse_number(text);
    if (!number || !std::isnormal(*number)) return false;
    if (form_ == JsonForm::written && shortest(*number) != text) return false;
    out = Value(*number);
    return true;
  }

  const char* at_;
  const char* end_;
  JsonForm form_;
};

}  // namespace

std::optional<Value> quick_json(std::string_view text, JsonForm form) {
  Value out;
  if (!QuickReader(text, form).read_document(out)) return std::nullopt;
  return out;
}

}  // namespace gradus
