#include "gradus/core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace gradus {
namespace {

// Length of the well-formed UTF-8 sequence at the start of `text`, or 0.
std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  std::uint32_t code = 0;
  std::uint32_t smallest = 0;
  if ((first & 0xE0U) == 0xC0U) {
    length = 2, code = first & 0x1FU, smallest = 0x80;
  } else if ((first & 0xF0U) == 0xE0U) {
    length = 3, code = first & 0x0FU, smallest = 0x800;
  } else if ((first & 0xF8U) == 0xF0U) {
    length = 4, code = first & 0x07U, smallest = 0x10000;
  } else {
    return 0;
  }
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < smallest || code > 0x10FFFF || surrogate ? 0 : length;
}

bool steers_a_terminal(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7F;
  if (sequence.size() == 2) return first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
  if (sequence.size() != 3) return false;
  // U+200E..U+200F, U+202A..U+202E and U+2066..U+2069 reorder the text around them.
  const auto second = static_cast<unsigned char>(sequence[1]);
  const auto third = static_cast<unsigned char>(sequence[2]);
  if (first != 0xE2) return false;
  if (second == 0x80) return third == 0x8E || third == 0x8F || (third >= 0xAA && third <= 0xAE);
  return second == 0x81 && third >= 0xA6 && third <= 0xA9;
}

// Insertions, deletions, replacements and swaps of neighbours, one each (optimal string alignment).
std::size_t edit_distance(std::u32string_view a, std::u32string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::vector<std::size_t> next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

// The characters of a name as a reader compares them: without case (of ASCII) and without the
// combining accents that one spelling of the same word has and another has not.
std::u32string letters(std::string_view name) {
  std::u32string out;
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t length = std::max<std::size_t>(1, utf8_sequence(rest));
    char32_t code = static_cast<unsigned char>(rest[0]);
    if (length > 1) code &= 0xFFU >> (length + 1);
    for (std::size_t i = 1; i < length; ++i) {
      code = (code << 6U) | (static_cast<unsigned char>(rest[i]) & 0x3FU);
    }
    rest.remove_prefix(length);
    const bool accent = code >= 0x300 && code <= 0x36F;
    const bool capital = code >= U'A' && code <= U'Z';
    if (!accent) out += capital ? code - U'A' + U'a' : code;
  }
  return out;
}

template <class Float>
std::string shortest_of(Float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

}  // namespace

std::string escape_controls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = utf8_sequence(text);
    const bool invalid = length == 0;
    length = std::max<std::size_t>(length, 1);
    const std::string_view sequence = text.substr(0, length);
    if (sequence == "\n") {
      out += "\\n";
    } else if (sequence == "\t") {
      out += "\\t";
    } else if (invalid || steers_a_terminal(sequence)) {
      for (const char c : sequence) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += sequence;
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string in_quotes(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return "\"" + escape_controls(text) + "\"";
  std::size_t cut = limit;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return "\"" + escape_controls(text.substr(0, cut)) + "…\"";
}

std::string shortest(double value) { return shortest_of(value); }
std::string shortest(float value) { return shortest_of(value); }

std::string readable(double value, int digits) {
  if (!std::isfinite(value)) return shortest(value);
  return fmt::format("{:.{}g}", value, digits);
}

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::size_t length = utf8_sequence(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::vector<std::string> nearest(std::string_view word, std::span<const std::string> names,
                                 std::size_t most) {
  // A comparison takes the product of both lengths: nobody mistypes a name of a thousand letters.
  constexpr std::size_t kLongest = 256;
  std::vector<std::pair<std::size_t, std::size_t>> ranked;
  if (word.size() > kLongest) return {};
  const std::u32string wanted = letters(word);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].size() > kLongest) continue;
    const std::u32string name = letters(names[i]);
    const std::size_t longer = std::max(wanted.size(), name.size());
    const std::size_t tolerance = std::max<std::size_t>(1, longer / 3);
    const bool part = wanted.size() >= 3 && name.find(wanted) != std::u32string::npos;
    if (!part && longer - std::min(wanted.size(), name.size()) > tolerance) continue;
    std::size_t distance = edit_distance(wanted, name);
    if (part) distance = std::min<std::size_t>(distance, 1);
    if (distance <= tolerance) ranked.emplace_back(distance, i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> result;
  for (const auto& [distance, index] : ranked) {
    if (result.size() < most) result.push_back(names[index]);
  }
  return result;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> names) {
  std::vector<std::string> close = nearest(word, names);
  if (close.empty()) return {};
  for (auto& name : close) name = in_quotes(name);
  return "did you mean " + join(close, " or ") + "?";
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lowercase(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::vector<std::string> split_text(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

std::string counted(std::size_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", singular);
  return plural.empty() ? fmt::format("{} {}s", count, singular)
                        : fmt::format("{} {}", count, plural);
}

}  // namespace gradus
