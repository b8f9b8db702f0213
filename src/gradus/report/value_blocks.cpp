#include "gradus/report/value_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kShortList = 8;      // items
constexpr std::size_t kLongestList = 150;  // numbers of a list that are written
constexpr std::size_t kWidestGrid = 12;    // columns of a matrix
constexpr std::size_t kShortText = 80;     // bytes

bool nested(const Value& value) { return value.is_array() || value.is_object(); }

// A few single values whose text is not long.
bool short_list(const Value& value) {
  if (!value.is_array() || value.size() > kShortList) return false;
  std::size_t length = 0;
  for (const Value& item : value.as_array()) {
    if (nested(item)) return false;
    length += value_text(item).size();
  }
  return length <= kShortText;
}

// Numbers in a row, of any length: they are cut when they are written.
bool number_list(const Value& value) {
  return value.is_array() && std::all_of(value.as_array().begin(), value.as_array().end(),
                                         [](const Value& item) { return item.is_number(); });
}

bool inline_value(const Value& value) {
  return !nested(value) || value.size() == 0 || short_list(value) || number_list(value);
}

// The rows of a table under construction: names beside values, of equal shape or not.
std::vector<std::pair<std::string, Value>> rows_of(const Value& value) {
  std::vector<std::pair<std::string, Value>> rows;
  if (value.is_object()) return value.as_object();
  for (std::size_t i = 0; i < value.size(); ++i) {
    rows.emplace_back(std::to_string(i + 1), value.as_array()[i]);
  }
  return rows;
}

bool flat_object(const Value& value) {
  return value.is_object() &&
         std::all_of(value.as_object().begin(), value.as_object().end(),
                     [](const auto& member) { return inline_value(member.second); });
}

bool flat_array(const Value& value) {
  return value.is_array() && std::none_of(value.as_array().begin(), value.as_array().end(), nested);
}

// Bars compare numbers that start at zero.
std::vector<double> bars_of(const std::vector<std::pair<std::string, Value>>& rows) {
  double largest = 0;
  for (const auto& [name, value] : rows) {
    if (!value.is_number() || !std::isfinite(value.as_number()) || value.as_number() < 0) return {};
    largest = std::max(largest, value.as_number());
  }
  if (rows.size() < 2 || largest == 0) return {};
  std::vector<double> bars;
  for (const auto& [name, value] : rows) bars.push_back(value.as_number() / largest);
  return bars;
}

Table name_value_table(const Value& value) {
  const auto rows = rows_of(value);
  const bool numbers =
      std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.second.is_number(); });
  Table table{.align = {Align::left, numbers ? Align::right : Align::left}};
  for (const auto& [name, cell] : rows) table.rows.push_back({name, value_text(cell)});
  table.bars = bars_of(rows);
  return table;
}

std::vector<std::string> keys_of(const std::vector<std::pair<std::string, Value>>& rows) {
  std::vector<std::string> keys;
  for (const auto& [name, row] : rows) {
    for (const auto& [key, cell] : row.as_object()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  return keys;
}

Table table_of_objects(const Value& value) {
  const auto rows = rows_of(value);
  const std::vector<std::string> keys = keys_of(rows);
  Table table{.header = {""}, .align = {Align::left}};
  table.header.insert(table.header.end(), keys.begin(), keys.end());
  table.align.resize(table.header.size(), Align::right);
  for (const auto& [name, row] : rows) {
    std::vector<std::string> cells = {name};
    for (const std::string& key : keys) {
      const Value* cell = row.find(key);
      cells.push_back(cell == nullptr ? "" : value_text(*cell));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// A grid is worth its space only when most of it is filled.
bool mostly_filled(const Table& table) {
  std::size_t cells = 0;
  std::size_t empty = 0;
  for (const auto& row : table.rows) {
    cells += row.size();
    empty += static_cast<std::size_t>(std::count(row.begin(), row.end(), ""));
  }
  return empty * 3 <= cells;
}

Table table_of_lines(const Value& value) {
  Table table;
  for (const auto& [name, cell] : rows_of(value)) table.rows.push_back({name, value_text(cell)});
  return table;
}

Table matrix(const Value& value) {
  Table table;
  std::size_t width = 0;
  for (const auto& [name, row] : rows_of(value)) {
    std::vector<std::string> cells = {name};
    for (const Value& cell : row.as_array()) cells.push_back(value_text(cell));
    width = std::max(width, cells.size());
    table.rows.push_back(std::move(cells));
  }
  table.align.assign(width, Align::right);
  table.align.front() = Align::left;
  return table;
}

// Short enough to stand among others in a line.
bool fits_in_line(const Value& value) {
  return inline_value(value) || (flat_object(value) && value.size() <= kShortList);
}

// A deep tree as an outline: what fits in a line stands beside the name of its node, the rest
// follows indented. A node's only nested member (`branches`, `children`) needs no line of its own.
void outline(const std::string& name, const Value& value, std::size_t depth, Table& table) {
  std::vector<std::string> beside;
  std::vector<std::pair<std::string, Value>> below;
  for (auto& [key, child] : rows_of(value)) {
    if (fits_in_line(child)) {
      const std::string text = value_text(child);
      beside.push_back(child.is_object() ? fmt::format("{} ({})", key, text) : key + " " + text);
    } else {
      below.emplace_back(key, child);
    }
  }
  table.rows.push_back({name, join(beside, " · ")});
  table.depth.push_back(depth);
  if (below.size() == 1) below = rows_of(below.front().second);
  for (const auto& [key, child] : below) {
    if (nested(child)) {
      outline(key, child, depth + 1, table);
    } else {
      table.rows.push_back({key, value_text(child)});
      table.depth.push_back(depth + 1);
    }
  }
}

template <class Test>
bool all_rows(const Value& value, const Test& test) {
  const auto rows = rows_of(value);
  return std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return test(row.second); });
}

Table table_of(const std::string& name, const Value& value) {
  const bool numeric =
      all_rows(value, [](const Value& v) { return number_list(v) && v.size() > 0; });
  if (numeric && rows_of(value).front().second.size() <= kWidestGrid) return matrix(value);
  if (all_rows(value, [](const Value& v) { return inline_value(v); })) {
    return name_value_table(value);
  }
  if (all_rows(value, flat_object)) {
    Table grid = table_of_objects(value);
    return mostly_filled(grid) ? grid : table_of_lines(value);
  }
  if (all_rows(value, flat_array)) return matrix(value);
  Table table;
  outline(name, value, 0, table);
  return table;
}

bool same_keys(const Value& a, const Value& b) {
  if (!flat_object(a) || !flat_object(b) || a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.as_object()[i].first != b.as_object()[i].first) return false;
  }
  return true;
}

// The nested members; neighbours that have the same keys become rows of one table without a name.
std::vector<std::pair<std::string, Value>> merged_tables(const Value& value) {
  std::vector<std::pair<std::string, Value>> tables;
  const Value* last = nullptr;
  for (const auto& [name, member] : value.as_object()) {
    if (inline_value(member)) continue;
    if (last != nullptr && same_keys(*last, member)) {
      auto& [title, rows] = tables.back();
      if (!title.empty()) rows = object({{std::exchange(title, ""), rows}});
      rows[name] = member;
    } else {
      tables.emplace_back(name, member);
    }
    last = &member;
  }
  return tables;
}

void cap(Table& table, std::size_t most) {
  if (table.rows.size() <= most) return;
  table.left_out = table.rows.size() - most;
  table.rows.resize(most);
  if (!table.bars.empty()) table.bars.resize(most);
  if (!table.depth.empty()) table.depth.resize(most);
}

}  // namespace

std::string value_text(const Value& value) {
  if (value.is_null()) return "–";
  if (value.is_bool()) return value.as_bool() ? "yes" : "no";
  if (value.is_integer()) return std::to_string(value.as_integer());
  if (value.is_number()) return readable(value.as_number());
  if (value.is_string()) return value.as_string();
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const Value& item : value.as_array()) {
      if (parts.size() == kLongestList) {
        parts.push_back(fmt::format("… and {} more", value.size() - kLongestList));
        break;
      }
      parts.push_back(value_text(item));
    }
    return parts.empty() ? "none" : join(parts, ", ");
  }
  for (const auto& [key, item] : value.as_object()) parts.push_back(key + " " + value_text(item));
  return parts.empty() ? "none" : join(parts, ", ");
}

std::vector<Block> value_blocks(const Value& value, std::size_t most) {
  std::vector<Block> blocks;
  if (value.is_null()) return blocks;
  if (!value.is_object()) {
    blocks.emplace_back(KeyValues{{{"value", value_text(value)}}});
    return blocks;
  }
  KeyValues single;
  for (const auto& [name, member] : value.as_object()) {
    if (inline_value(member)) single.items.emplace_back(name, value_text(member));
  }
  if (!single.items.empty()) blocks.emplace_back(std::move(single));
  for (const auto& [name, member] : merged_tables(value)) {
    Table table = table_of(name, member);
    // An outline begins with the name.
    if (table.depth.empty()) table.caption = name;
    cap(table, most);
    blocks.emplace_back(std::move(table));
  }
  return blocks;
}

}  // namespace gradus::report
