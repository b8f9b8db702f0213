#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/core/value.hpp"

namespace gradus::cli {

std::string Option::spelled() const {
  if (value.empty()) return name();
  return takes == Takes::maybe_value ? fmt::format("{} [{}]", name(), value)
                                     : fmt::format("{} {}", name(), value);
}

bool Syntax::has(std::string_view name) const {
  return std::any_of(options.begin(), options.end(), [&](const Option& option) {
    return std::find(option.names.begin(), option.names.end(), name) != option.names.end();
  });
}

std::vector<std::string> Syntax::names() const {
  std::vector<std::string> all;
  for (const Option& option : options) {
    all.insert(all.end(), option.names.begin(), option.names.end());
  }
  return all;
}

void usage_error(std::string where, std::string message, std::string hint) {
  throw Error(ErrorKind::usage, std::move(where), std::move(message), std::move(hint));
}

std::vector<std::string> list_of(const std::string& option, const std::string& text) {
  std::vector<std::string> items;
  if (!text.empty() && text.front() == '[') {
    const Value parsed = parse_json(text, option);
    for (const Value& item : parsed.as_array()) items.push_back(item.as_string());
  } else {
    items = split_text(text, ',');
  }
  const bool blank =
      std::any_of(items.begin(), items.end(), [](const auto& s) { return s.empty(); });
  if (items.empty() || blank) {
    usage_error(option, fmt::format("expected names separated by commas (got {})", in_quotes(text)),
                "write names that hold commas as a JSON list: '[\"a,b\", \"c\"]'");
  }
  return items;
}

void add_grouped(Syntax& syntax, const char* group, std::vector<Option> options) {
  for (Option& option : options) {
    option.group = group;
    syntax.options.push_back(std::move(option));
  }
}

namespace {

std::uint64_t whole_of(const std::string& option, const std::string& text, std::uint64_t least) {
  std::uint64_t count = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, count);
  if (parsed.ec != std::errc() || parsed.ptr != end || count < least) {
    usage_error(option, fmt::format("expected a whole number of at least {} (got {})", least,
                                    in_quotes(text)));
  }
  return count;
}

}  // namespace

std::size_t count_of(const std::string& option, const std::string& text, std::size_t least) {
  return whole_of(option, text, least);
}

std::uint64_t seed_of(const std::string& option, const std::string& text) {
  return whole_of(option, text, 0);
}

double number_of(const std::string& option, const std::string& text) {
  const auto number = parse_number(text);
  if (!number || !std::isfinite(*number)) {
    usage_error(option, fmt::format("expected a number (got {})", in_quotes(text)));
  }
  return *number;
}

namespace {

struct Unit {
  std::string_view suffix;
  double factor;
};

// A number that is not negative, followed by one of the units or by nothing.
double scaled(std::string_view text, std::span<const Unit> units) {
  double factor = 1;
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.suffix) || text.size() == unit.suffix.size()) continue;
    text.remove_suffix(unit.suffix.size());
    factor = unit.factor;
    break;
  }
  const auto number = parse_number(text);
  return number && std::isfinite(*number) && *number >= 0 ? *number * factor : -1;
}

}  // namespace

std::uint64_t bytes_of(const std::string& option, const std::string& text) {
  constexpr Unit kUnits[] = {{"K", 0x1.0p10}, {"M", 0x1.0p20}, {"G", 0x1.0p30}, {"T", 0x1.0p40}};
  const double bytes = scaled(text, kUnits);
  if (bytes < 1 || bytes >= 0x1.0p63 || bytes != std::floor(bytes)) {
    usage_error(option, fmt::format("expected a size such as 4G, 512M or 1000000, at least 1 "
                                    "(got {})",
                                    in_quotes(text)));
  }
  return static_cast<std::uint64_t>(bytes);
}

double seconds_of(const std::string& option, const std::string& text) {
  constexpr Unit kUnits[] = {{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}};
  const double seconds = scaled(text, kUnits);
  if (seconds < 0.001 || seconds > 1e9) {
    usage_error(option,
                fmt::format("expected a time such as 30s, 5m or 2h (got {})", in_quotes(text)));
  }
  return seconds;
}

char character_of(const std::string& option, const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  const auto byte = text.size() == 1 ? static_cast<unsigned char>(text[0]) : 0;
  if (byte < 0x20 && text != "\t") {
    usage_error(option, fmt::format("expected one character of ASCII, or tab or space (got {})",
                                    in_quotes(text)));
  }
  if (byte >= 0x7F || byte == '"') usage_error(option, "this character cannot separate fields");
  return text[0];
}

const std::string& one_of(const std::string& option, const std::string& text,
                          const std::vector<std::string>& choices) {
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found == choices.end()) {
    usage_error(option,
                fmt::format("expected one of {} (got {})", join(choices, ", "), in_quotes(text)),
                did_you_mean(text, choices));
  }
  return *found;
}

}  // namespace gradus::cli
