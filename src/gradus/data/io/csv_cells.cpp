#include "gradus/data/io/csv_cells.hpp"

#include <algorithm>

#include "gradus/core/number.hpp"

namespace gradus::io {

MissingTokens::MissingTokens(const std::vector<std::string>& tokens) {
  for (const std::string& token : tokens) {
    const std::string_view text = without_blanks(token);
    if (text.empty()) {
      empty_ = true;
      continue;
    }
    tokens_.emplace_back(text);
    first_bytes_.set(static_cast<unsigned char>(text.front()));
    const std::optional<double> number = parse_number(text);
    if (number && *number == *number) some_are_numbers_ = true;
  }
}

bool MissingTokens::listed(std::string_view text) const {
  return std::find(tokens_.begin(), tokens_.end(), text) != tokens_.end();
}

std::optional<double> cell_number(const Cell& cell, char decimal) {
  const std::string_view text = cell.quoted ? cell.text : MissingTokens::without_blanks(cell.text);
  if (decimal == '.') return parse_number(text);
  // With another decimal mark the point must not be one as well.
  if (text.find('.') != std::string_view::npos) return std::nullopt;
  std::string pointed(text);
  std::replace(pointed.begin(), pointed.end(), decimal, '.');
  return parse_number(pointed);
}

bool is_integer_text(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace gradus::io
