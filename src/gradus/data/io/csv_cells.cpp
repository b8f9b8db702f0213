#include "gradus/data/io/csv_cells.hpp"

#include <algorithm>
#include <cmath>

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

namespace {

std::optional<double> number_of(std::string_view text, char decimal) {
  if (decimal == '.') return parse_number(text);
  // With another decimal mark the point must not be one as well.
  if (text.find('.') != std::string_view::npos) return std::nullopt;
  std::string pointed(text);
  std::replace(pointed.begin(), pointed.end(), decimal, '.');
  return parse_number(pointed);
}

}  // namespace

std::optional<double> cell_number(const Cell& cell, char decimal) {
  if (!cell.quoted) return number_of(MissingTokens::without_blanks(cell.text), decimal);
  const std::optional<double> number = number_of(cell.text, decimal);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool names_in_quotes(const Sample& sample) {
  const auto quoted = [](const Cell& cell) { return cell.quoted; };
  const auto all_quoted = [&](const auto& record) {
    return std::all_of(record.begin(), record.end(), quoted);
  };
  const auto& records = sample.records;
  return records.size() > 1 && all_quoted(records.front()) &&
         !std::all_of(records.begin() + 1, records.end(), all_quoted);
}

bool is_integer_text(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace gradus::io
