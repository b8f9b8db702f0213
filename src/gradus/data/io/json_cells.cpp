#include "gradus/data/io/json_cells.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/large_integers.hpp"

namespace gradus::io {
namespace {

void append_utf8(std::string& out, unsigned code) {
  const auto add = [&](unsigned byte) {
    out += static_cast<char>(static_cast<unsigned char>(byte));
  };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | (code >> 6));
    add(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    add(0xE0 | (code >> 12));
    add(0x80 | ((code >> 6) & 0x3F));
    add(0x80 | (code & 0x3F));
  } else {
    add(0xF0 | (code >> 18));
    add(0x80 | ((code >> 12) & 0x3F));
    add(0x80 | ((code >> 6) & 0x3F));
    add(0x80 | (code & 0x3F));
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void JsonRowScanner::fail(std::string_view why) const {
  const std::string_view rest = line_.text.substr(std::min(at_, line_.text.size()), 24);
  refuse(offset(), rest.empty() ? fmt::format("not valid JSON: {} at the end of the line", why)
                                : fmt::format("not valid JSON: {}, got {}", why, in_quotes(rest)));
}

void JsonRowScanner::skip_blanks() {
  while (current() == ' ' || current() == '\t' || current() == '\r') ++at_;
}

bool JsonRowScanner::accept(char c) {
  skip_blanks();
  if (at_ >= line_.text.size() || line_.text[at_] != c) return false;
  ++at_;
  return true;
}

void JsonRowScanner::expect(char c, std::string_view where) {
  if (!accept(c)) fail(fmt::format("{} is expected {}", c, where));
}

bool JsonRowScanner::accept_word(std::string_view word) {
  if (!line_.text.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

void JsonRowScanner::scan(const Line& line, JsonRow& row) {
  line_ = line;
  at_ = 0;
  row.count = 0;
  row.is_array = accept('[');
  if (!row.is_array) expect('{', "at the begin of a row (or [)");
  const char close = row.is_array ? ']' : '}';
  for (bool first = true; !accept(close); first = false) {
    if (!first) expect(',', "between two cells");
    if (row.count >= options_.max_columns) {
      refuse_limit(offset(), fmt::format("more than {} cells", options_.max_columns),
                   "raise the limit with --max-columns");
    }
    if (row.count == row.cells.size()) row.cells.emplace_back();
    JsonCell& cell = row.cells[row.count++];
    skip_blanks();
    if (!row.is_array) {
      cell.key_offset = offset();
      scan_text(cell.key);
      expect(':', "after a key");
      skip_blanks();
    }
    scan_value(cell);
  }
  skip_blanks();
  if (at_ != line_.text.size()) fail("nothing may follow the row on its line");
}

void JsonRowScanner::scan_value(JsonCell& cell) {
  cell.offset = offset();
  cell.text.clear();
  const char c = current();
  if (c == '"') {
    cell.kind = JsonCellKind::text;
    scan_text(cell.text);
  } else if (c == '-' || is_digit(c)) {
    scan_number(cell);
  } else if (accept_word("null")) {
    cell.kind = JsonCellKind::null;
  } else if (accept_word("true")) {
    cell.kind = JsonCellKind::truth;
    cell.number = 1;
  } else if (accept_word("false")) {
    cell.kind = JsonCellKind::truth;
    cell.number = 0;
  } else if (c == '{' || c == '[') {
    refuse(offset(), "a cell must be a number, a text, true, false or null, not a nested value",
           "flatten the rows first");
  } else {
    fail("a number, a text, true, false or null is expected");
  }
}

std::size_t JsonRowScanner::digits() {
  const std::size_t begin = at_;
  while (is_digit(current())) ++at_;
  return at_ - begin;
}

void JsonRowScanner::scan_number(JsonCell& cell) {
  const std::size_t begin = at_;
  if (current() == '-') ++at_;
  const bool leading_zero = current() == '0';
  const std::size_t whole = digits();
  if (whole == 0) fail("a digit is expected");
  if (leading_zero && whole > 1) {
    at_ = begin;
    fail("a number must not begin with 0");
  }
  if (current() == '.') {
    ++at_;
    if (digits() == 0) fail("a digit is expected after the point");
  }
  if (current() == 'e' || current() == 'E') {
    ++at_;
    if (current() == '+' || current() == '-') ++at_;
    if (digits() == 0) fail("a digit is expected in the exponent");
  }
  const std::string_view text = line_.text.substr(begin, at_ - begin);
  const std::optional<double> number = parse_number(text);
  const bool infinite = number && std::isinf(*number);
  if (!number || (infinite && !options_.infinite_is_missing)) {
    refuse(cell.offset, "the number " + in_quotes(text) + " is too large");
  }
  cell.kind = infinite ? JsonCellKind::null : JsonCellKind::number;
  cell.number = *number;
  cell.text = is_large_integer(*number, text) ? text : "";
}

void JsonRowScanner::check_length(std::size_t begin) const {
  if (at_ - begin > options_.max_cell_bytes) {
    refuse_limit(line_.offset + begin,
                 fmt::format("the text is longer than {} bytes", options_.max_cell_bytes),
                 "raise the limit with --max-cell-bytes");
  }
}

void JsonRowScanner::scan_text(std::string& out) {
  out.clear();
  const std::size_t begin = at_;
  if (current() != '"') fail("a text in \"…\" is expected");
  ++at_;
  for (;;) {
    if (at_ >= line_.text.size()) {
      refuse(line_.offset + begin, "not valid JSON: the text opens here and never closes");
    }
    const char c = line_.text[at_];
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 0x20) {
      refuse(offset(), "not valid JSON: a control character stands in a text",
             "write it as \\u00XX");
    }
    if (c == '\\') {
      scan_escape(out);
    } else {
      out += c;
      ++at_;
    }
  }
  ++at_;
  check_length(begin);
}

void JsonRowScanner::scan_escape(std::string& out) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeaning = "\"\\/\b\f\n\r\t";
  const std::size_t begin = at_;
  ++at_;
  const std::size_t letter =
      at_ < line_.text.size() ? kLetters.find(current()) : std::string_view::npos;
  if (letter != std::string_view::npos) {
    out += kMeaning[letter];
    ++at_;
    return;
  }
  if (current() != 'u') fail("an escape must be one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
  ++at_;
  unsigned code = scan_hex();
  if (code >= 0xD800 && code < 0xDC00 && accept_word("\\u")) {
    const unsigned low = scan_hex();
    if (low < 0xDC00 || low > 0xDFFF)
      code = 0xDC00;  // refused below
    else
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  if (code >= 0xD800 && code < 0xE000) {
    refuse(line_.offset + begin, "not valid JSON: half of a surrogate pair");
  }
  if (code == 0) refuse(line_.offset + begin, "a NUL character stands in a text");
  append_utf8(out, code);
}

unsigned JsonRowScanner::scan_hex() {
  unsigned code = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = current();
    if (is_digit(c)) {
      code = code * 16 + static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      code = code * 16 + static_cast<unsigned>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      code = code * 16 + static_cast<unsigned>(c - 'A') + 10;
    } else {
      fail("four hexadecimal digits are expected after \\u");
    }
  }
  return code;
}

}  // namespace gradus::io
