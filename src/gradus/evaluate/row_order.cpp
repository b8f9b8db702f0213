#include "gradus/evaluate/row_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

void refuse_missing(const Column& column, const std::string& option) {
  const std::size_t missing = column.missing_count();
  if (missing == 0) return;
  throw Error(
      ErrorKind::bad_data, option,
      fmt::format("column {} is missing in {}", in_quotes(column.name()), counted(missing, "row")),
      "fill it in, or remove these rows");
}

// A digit becomes 0: "2024-01-31" is "0000-00-00".
std::string shape_of(std::string_view text) {
  std::string shape(text);
  for (char& c : shape) c = c >= '0' && c <= '9' ? '0' : c;
  return shape;
}

// Texts are sorted by their letters, which is the order of time for 2024-01-31, 2024-01-31T10:20
// and 10:20, and for 31/01/2024 and 2024-1-31 it is not: the first rows would hold the future.
void require_sorts_as_time(const Column& column) {
  std::string_view longest;  // the parts of the day that are left out are the first ones
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (column.text_at(row).size() > longest.size()) longest = column.text_at(row);
  }
  const std::string whole = shape_of(longest);
  for (std::size_t row = 0; row < column.size(); ++row) {
    const std::string shape = shape_of(column.text_at(row));
    const bool year_first = shape.starts_with("0000");
    const bool clock = shape.starts_with("00:00");
    if ((year_first || clock) && whole.starts_with(shape)) continue;
    throw Error(
        ErrorKind::bad_data, "--time",
        fmt::format("column {} has {} in row {}, and texts are in the order of time only as "
                    "2024-01-31 or 2024-01-31T10:20:30, all alike",
                    in_quotes(column.name()), in_quotes(column.text_at(row)), row + 1),
        "write them so, as numbers, or name their order with --ordinal");
  }
}

}  // namespace

std::vector<std::size_t> other_rows(const std::vector<std::size_t>& some, std::size_t rows) {
  std::vector<bool> inside(rows, false);
  for (const std::size_t row : some) inside[row] = true;
  std::vector<std::size_t> out;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!inside[row]) out.push_back(row);
  }
  return out;
}

std::vector<std::vector<std::size_t>> rows_by_value(const Dataset& data, const std::string& column,
                                                    const std::string& option) {
  const Column& source = data.column(column);
  refuse_missing(source, option);
  const Column values = as_nominal(source);
  std::vector<std::vector<std::size_t>> out(values.levels().size());
  for (std::size_t row = 0; row < values.size(); ++row) {
    out[static_cast<std::size_t>(values.code(row))].push_back(row);
  }
  std::erase_if(out, [](const auto& rows) { return rows.empty(); });
  return out;
}

std::vector<std::vector<std::size_t>> rows_by_time(const Dataset& data, const std::string& column) {
  const Column& source = data.column(column);
  refuse_missing(source, "--time");
  if (!source.is_numeric() && source.kind() != ColumnKind::ordinal) require_sorts_as_time(source);
  std::vector<std::size_t> order(data.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto before = [&source](std::size_t a, std::size_t b) {
    if (source.is_numeric()) return source.number(a) < source.number(b);
    if (source.kind() == ColumnKind::ordinal) return source.code(a) < source.code(b);
    return source.text_at(a) < source.text_at(b);
  };
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || before(order[i - 1], order[i])) out.emplace_back();
    out.back().push_back(order[i]);
  }
  return out;
}

std::vector<std::size_t> shuffled_by_class(const Dataset& data, const std::string& column,
                                           Stream& stream) {
  std::vector<std::size_t> order;
  order.reserve(data.rows());
  for (auto& rows : rows_by_value(data, column, "--stratified")) {
    stream.shuffle(std::span(rows));
    order.insert(order.end(), rows.begin(), rows.end());
  }
  return order;
}

}  // namespace gradus
