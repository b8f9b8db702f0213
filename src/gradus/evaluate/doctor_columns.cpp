// The doctor on one column at a time, and on columns and rows that repeat.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "gradus/core/hash.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/doctor_parts.hpp"

namespace gradus::doctor {
namespace {

constexpr double kMostlyMissing = 0.5;
constexpr double kNearConstant = 0.99;
constexpr std::size_t kEnoughRows = 20;        // below, all values distinct is no surprise
constexpr double kMostlyDistinct = 0.95;       // the share of identifiers that are their row's own
constexpr std::size_t kEnoughForShares = 100;  // below, 99 % is not a share worth naming
constexpr double kOutlierMads = 10;
constexpr double kManyDuplicates = 0.1;
constexpr std::uint64_t kMissingKey = 0x9E3779B97F4A7C15ULL;

std::uint64_t text_key(std::string_view text) {
  return hash64(std::as_bytes(std::span(text.data(), text.size())));
}

std::string percent(double share) { return readable(100 * share, 3) + " %"; }

void check_missing(const Column& column, bool is_target, Findings& out) {
  const std::size_t missing = column.missing_count();
  if (missing == 0) return;
  const double share = static_cast<double>(missing) / static_cast<double>(column.size());
  const bool all = missing == column.size();
  const Severity severity = is_target                ? Severity::problem
                            : share > kMostlyMissing ? Severity::warning
                                                     : Severity::note;
  out.push_back({severity, "missing", column.name(),
                 all ? std::string("every cell is missing: there is nothing to learn from it")
                     : fmt::format("{} missing ({})", counted(missing, "cell is", "cells are"),
                                   percent(share)),
                 object({{"missing", missing}, {"share", share}})});
}

struct Dominant {
  std::size_t count = 0;
  std::size_t row = 0;       // where the most frequent value stands first
  std::size_t distinct = 0;  // values, missing not counted
  std::size_t present = 0;
};

Dominant dominant_value(const Column& column, const std::vector<std::uint64_t>& keys) {
  struct Seen {
    std::size_t count = 0;
    std::size_t first = 0;
  };
  std::unordered_map<std::uint64_t, Seen> seen;
  Dominant out;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    if (column.missing(row)) continue;
    ++out.present;
    Seen& entry = seen.try_emplace(keys[row], Seen{0, row}).first->second;
    ++entry.count;
    if (entry.count > out.count || (entry.count == out.count && entry.first < out.row)) {
      out.count = entry.count;
      out.row = entry.first;
    }
  }
  out.distinct = seen.size();
  return out;
}

void check_constant(const Column& column, const Dominant& top, Findings& out) {
  if (top.present == 0 || column.size() < 2) return;
  const std::string value = in_quotes(column.cell(top.row));
  if (top.distinct == 1) {
    out.push_back({Severity::warning, "constant", column.name(),
                   fmt::format("the only value is {}: it cannot help to tell rows apart", value),
                   object({{"value", column.cell(top.row)}})});
    return;
  }
  const double share = static_cast<double>(top.count) / static_cast<double>(top.present);
  if (share < kNearConstant || top.present < kEnoughForShares) return;
  out.push_back({Severity::note, "near_constant", column.name(),
                 fmt::format("{} of the cells are {}", percent(share), value),
                 object({{"value", column.cell(top.row)}, {"share", share}})});
}

// A row that stands twice in the table repeats its identifier; so few repetitions are no
// categories.
bool mostly_distinct(std::size_t distinct, std::size_t present) {
  return present >= kEnoughRows &&
         static_cast<double>(distinct) >= kMostlyDistinct * static_cast<double>(present);
}

bool growing_integers(const Column& column) {
  std::size_t steps = 0;
  std::size_t growing = 0;
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double x = column.number(row);
    if (std::isnan(x)) continue;
    if (x != std::floor(x)) return false;
    ++steps;
    if (x > last) ++growing;
    last = x;
  }
  return static_cast<double>(growing) >= kMostlyDistinct * static_cast<double>(steps);
}

void check_identifier(const Column& column, const Dominant& top, Findings& out) {
  if (!mostly_distinct(top.distinct, top.present)) return;
  if (column.is_numeric() && !growing_integers(column)) return;
  const std::string texts =
      top.distinct == column.size()
          ? "every row has another text"
          : fmt::format("{} of {} rows have a text of their own", top.distinct, top.present);
  out.push_back({Severity::warning, "identifier", column.name(),
                 column.is_numeric()
                     ? std::string("whole numbers that grow from row to row: it looks like a row "
                                   "number or an identifier; leave it out")
                     : texts + ": it looks like an identifier; leave it out",
                 object({{"distinct", top.distinct}, {"present", top.present}})});
}

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return *std::max_element(values.begin(), middle) / 2 + *middle / 2;
}

// Farther from the median than 10 times the median of such distances. When more than half of the
// values are equal, there is no scale to measure with.
void check_outliers(const Column& column, Findings& out) {
  std::vector<double> values;
  std::size_t infinite = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double x = column.number(row);
    if (std::isinf(x)) ++infinite;
    if (std::isfinite(x)) values.push_back(x);
  }
  if (infinite > 0) {
    out.push_back({Severity::problem, "infinite", column.name(),
                   fmt::format("{} infinite", counted(infinite, "cell is", "cells are")),
                   object({{"count", infinite}})});
  }
  if (values.size() < kEnoughRows) return;
  const double middle = median_of(values);
  std::vector<double> distances;
  for (const double x : values) distances.push_back(std::abs(x - middle));
  const double mad = median_of(distances);
  if (mad == 0) return;
  std::size_t count = 0;
  double farthest = middle;
  for (const double x : values) {
    if (!(std::abs(x - middle) > kOutlierMads * mad)) continue;
    ++count;
    if (std::abs(x - middle) > std::abs(farthest - middle)) farthest = x;
  }
  if (count == 0) return;
  out.push_back(
      {Severity::note, "outliers", column.name(),
       fmt::format("{} far from the rest, the farthest is {} (the median is {})",
                   counted(count, "value is", "values are"), readable(farthest), readable(middle)),
       object({{"count", count}, {"farthest", farthest}, {"median", middle}, {"mad", mad}})});
}

void find_duplicate_columns(const Dataset& data,
                            const std::vector<std::vector<std::uint64_t>>& keys, Findings& out) {
  std::unordered_map<std::uint64_t, std::size_t> first;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    std::uint64_t state = 0;
    for (const std::uint64_t key : keys[j]) state = mixed(state, key);
    const auto [found, fresh] = first.try_emplace(state, j);
    if (fresh || keys[found->second] != keys[j]) continue;
    const std::string& twin = data.columns()[found->second].name();
    out.push_back({Severity::warning, "duplicate_columns", data.columns()[j].name(),
                   fmt::format("the same values as {} in every row", in_quotes(twin)),
                   object({{"same_as", twin}})});
  }
}

}  // namespace

std::uint64_t number_key(double x) {
  return std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x);  // -0 is 0
}

std::uint64_t mixed(std::uint64_t state, std::uint64_t key) {
  state = (state ^ key) * 0xFF51AFD7ED558CCDULL;
  return state ^ (state >> 32U);
}

std::vector<std::uint64_t> cell_keys(const Column& column) {
  std::vector<std::uint64_t> keys(column.size(), kMissingKey);
  std::vector<std::uint64_t> levels;
  if (column.is_categorical()) {
    for (const std::string& level : column.levels()) levels.push_back(text_key(level));
  }
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (column.missing(row)) continue;
    if (column.is_numeric()) {
      keys[row] = number_key(column.number(row));
    } else if (column.is_categorical()) {
      keys[row] = levels[static_cast<std::size_t>(column.code(row))];
    } else {
      keys[row] = text_key(column.text_at(row));
    }
  }
  return keys;
}

std::vector<std::uint64_t> row_keys(const Dataset& data, const std::vector<std::string>& columns) {
  std::vector<std::uint64_t> rows(data.rows(), 0);
  if (data.sparse()) rows = sparse_row_keys(*data.sparse()->matrix);
  for (const std::string& name : columns) {
    const std::vector<std::uint64_t> keys = cell_keys(data.column(name));
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = mixed(rows[row], keys[row]);
  }
  return rows;
}

void examine_column(const Column& column, bool is_target, Findings& out) {
  const Dominant top = dominant_value(column, cell_keys(column));
  check_missing(column, is_target, out);
  if (column.is_numeric()) check_outliers(column, out);
  if (is_target) return;
  check_constant(column, top, out);
  check_identifier(column, top, out);
}

void find_duplicates(const Dataset& data, Findings& out) {
  std::vector<std::vector<std::uint64_t>> keys;
  for (const Column& column : data.columns()) keys.push_back(cell_keys(column));
  find_duplicate_columns(data, keys, out);
  if (keys.empty() && !data.sparse()) return;
  std::vector<std::uint64_t> rows(data.rows(), 0);
  if (data.sparse()) rows = sparse_row_keys(*data.sparse()->matrix);
  std::unordered_set<std::uint64_t> seen;
  std::size_t repeated = 0;
  std::size_t first = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    std::uint64_t state = rows[row];
    for (const auto& column : keys) state = mixed(state, column[row]);
    if (!seen.insert(state).second && repeated++ == 0) first = row + 1;
  }
  if (repeated == 0) return;
  const double share = static_cast<double>(repeated) / static_cast<double>(data.rows());
  out.push_back(
      {share > kManyDuplicates ? Severity::warning : Severity::note, "duplicate_rows", "",
       fmt::format("{} of an earlier row ({}), the first is row {}",
                   counted(repeated, "row is a copy", "rows are copies"), percent(share), first),
       object({{"count", repeated}, {"share", share}, {"first_row", first}})});
}

}  // namespace gradus::doctor

namespace gradus {

bool looks_like_identifier(const Column& column) {
  if (!column.is_categorical() || column.size() < doctor::kEnoughRows) return false;
  std::vector<bool> seen(column.levels().size(), false);
  std::size_t distinct = 0;
  std::size_t present = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (column.missing(row)) continue;
    ++present;
    const auto code = static_cast<std::size_t>(column.code(row));
    if (!seen[code]) ++distinct;
    seen[code] = true;
  }
  return doctor::mostly_distinct(distinct, present);
}

std::size_t distinct_values(const Column& column) {
  const std::vector<std::uint64_t> keys = doctor::cell_keys(column);
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    if (!column.missing(row)) seen.insert(keys[row]);
  }
  return seen.size();
}

}  // namespace gradus
