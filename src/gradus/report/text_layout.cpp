#include "gradus/report/text_layout.hpp"

#include <algorithm>
#include <cstdint>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};

// The blocks that terminals draw without advancing, and those that they draw two columns wide.
constexpr CodeRange kNoColumn[] = {
    {0x300, 0x36F}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
constexpr CodeRange kTwoColumns[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},
                                     {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
                                     {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
                                     {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

template <std::size_t N>
bool within(const CodeRange (&ranges)[N], std::uint32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [code](const CodeRange& r) { return code >= r.first && code <= r.last; });
}

std::size_t columns_of(std::uint32_t code) {
  if (within(kNoColumn, code)) return 0;
  return within(kTwoColumns, code) ? 2 : 1;
}

void wrap_line(std::string_view line, std::size_t width, std::vector<std::string>& out) {
  std::string current;
  std::size_t used = 0;
  for (const std::string& word : split_text(line, ' ')) {
    const std::size_t needed = display_width(word);
    if (!current.empty() && used + 1 + needed > width) {
      out.push_back(std::move(current));
      current = {};
      used = 0;
    }
    if (!current.empty()) {
      current += ' ';
      ++used;
    }
    current += word;
    used += needed;
  }
  out.push_back(std::move(current));
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  std::uint32_t code = 0;
  bool open = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U) {
      code = (code << 6U) | (byte & 0x3FU);
      continue;
    }
    if (open) width += columns_of(code);
    open = true;
    code = byte < 0x80 ? byte : byte & (byte >= 0xF0 ? 0x07U : byte >= 0xE0 ? 0x0FU : 0x1FU);
  }
  return open ? width + columns_of(code) : width;
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(text) + std::string(width > used ? width - used : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(width > used ? width - used : 0, ' ') + std::string(text);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> out;
  for (const std::string& line : split_text(text, '\n')) wrap_line(line, width, out);
  return out;
}

std::vector<std::string> formula_lines(std::string_view formula) {
  constexpr std::string_view kSeparator = "; ";
  std::vector<std::string> lines;
  for (std::size_t end = formula.find(kSeparator); end != std::string_view::npos;
       end = formula.find(kSeparator)) {
    lines.emplace_back(trim(formula.substr(0, end)));
    formula.remove_prefix(end + kSeparator.size());
  }
  lines.emplace_back(trim(formula));
  return lines;
}

std::string harmless(std::string_view text) {
  std::vector<std::string> lines = split_text(text, '\n');
  for (std::string& line : lines) line = escape_controls(line);
  return join(lines, "\n");
}

}  // namespace gradus::report
