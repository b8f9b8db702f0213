#include "gradus/report/value_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kShortList = 8;

bool nested(const Value& value) { return value.is_array() || value.is_object(); }

bool short_list(const Value& value) {
  return value.is_array() && value.size() <= kShortList &&
         std::none_of(value.as_array().begin(), value.as_array().end(), nested);
}

bool inline_value(const Value& value) {
  return !nested(value) || value.size() == 0 || short_list(value);
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
  Table table{.align = {Align::left, Align::right}};
  const auto rows = rows_of(value);
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

void flatten(const std::string& path, const Value& value, Table& table) {
  if (inline_value(value)) {
    table.rows.push_back({path, value_text(value)});
    return;
  }
  for (const auto& [name, child] : rows_of(value)) {
    flatten(path.empty() ? name : path + " / " + name, child, table);
  }
}

template <class Test>
bool all_rows(const Value& value, const Test& test) {
  const auto rows = rows_of(value);
  return std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return test(row.second); });
}

Table table_of(const Value& value) {
  if (all_rows(value, [](const Value& v) { return inline_value(v); })) {
    return name_value_table(value);
  }
  if (all_rows(value, flat_object)) return table_of_objects(value);
  if (all_rows(value, flat_array)) return matrix(value);
  Table table{.align = {Align::left, Align::right}};
  flatten("", value, table);
  return table;
}

void cap(Table& table, std::size_t most) {
  if (table.rows.size() <= most) return;
  table.left_out = table.rows.size() - most;
  table.rows.resize(most);
  if (!table.bars.empty()) table.bars.resize(most);
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
    for (const Value& item : value.as_array()) parts.push_back(value_text(item));
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
  for (const auto& [name, member] : value.as_object()) {
    if (inline_value(member)) continue;
    Table table = table_of(member);
    table.caption = name;
    cap(table, most);
    blocks.emplace_back(std::move(table));
  }
  return blocks;
}

}  // namespace gradus::report
