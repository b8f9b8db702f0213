// The doctor on two tables, usually train and test: would a model of the first know the second?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/doctor_parts.hpp"

namespace gradus::doctor {
namespace {

constexpr double kShiftedDeviations = 0.25;  // of the first table's standard deviation
constexpr double kSureErrors = 4;            // standard errors that chance does not reach

struct Summary {
  double n = 0;
  double mean = 0;
  double deviation = 0;
};

Summary summary_of(const Column& column) {
  Summary out;
  double squares = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double x = column.number(row);
    if (!std::isfinite(x)) continue;
    out.n += 1;
    const double before = x - out.mean;
    out.mean += before / out.n;
    squares += before * (x - out.mean);
  }
  if (out.n > 1) out.deviation = std::sqrt(squares / (out.n - 1));
  return out;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Range range_of(const Column& column) {
  Range range;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double x = column.number(row);
    if (!std::isfinite(x)) continue;
    range.low = std::min(range.low, x);
    range.high = std::max(range.high, x);
  }
  return range;
}

void check_shift(const Column& one, const Column& two, Findings& out) {
  const Summary a = summary_of(one);
  const Summary b = summary_of(two);
  if (a.n < 2 || b.n < 2 || a.deviation == 0) return;
  const double shift = std::abs(b.mean - a.mean) / a.deviation;
  const double error =
      std::sqrt(1 / a.n + b.deviation * b.deviation / (a.deviation * a.deviation) / b.n);
  if (shift < kShiftedDeviations || shift < kSureErrors * error) return;
  out.push_back({Severity::warning, "shift", one.name(),
                 fmt::format("the mean moves from {} to {}, {} standard deviations",
                             readable(a.mean), readable(b.mean), readable(shift, 3)),
                 object({{"mean", a.mean}, {"other_mean", b.mean}, {"deviations", shift}})});
}

// A model has learned nothing beyond the numbers that it saw; it answers there all the same.
void check_range(const Column& one, const Column& two, Findings& out) {
  const auto [low, high] = range_of(one);
  std::size_t rows = 0;
  for (std::size_t row = 0; row < two.size(); ++row) {
    const double x = two.number(row);
    if (std::isfinite(x) && (x < low || x > high)) ++rows;
  }
  // A few rows of a like table lie beyond the extremes of the first by chance.
  const double chance = 2 * static_cast<double>(two.size()) / static_cast<double>(one.size() + 1);
  const double most = chance + kSureErrors * std::sqrt(chance);
  if (static_cast<double>(rows) <= most || low > high) return;
  out.push_back(
      {Severity::note, "beyond_range", one.name(),
       fmt::format("{} of the other table {} beyond the range {} to {} of this one",
                   counted(rows, "row"), rows == 1 ? "is" : "are", readable(low), readable(high)),
       object({{"rows", rows}, {"low", low}, {"high", high}})});
}

void check_categories(const Column& one, const Column& two, Findings& out) {
  const Column known = as_nominal(one);
  std::unordered_set<std::string_view> levels;
  for (std::size_t row = 0; row < known.size(); ++row) {
    if (!known.missing(row)) levels.insert(known.text_at(row));
  }
  const Column other = as_nominal(two);
  std::size_t rows = 0;
  std::string example;
  for (std::size_t row = 0; row < other.size(); ++row) {
    if (other.missing(row) || levels.contains(other.text_at(row))) continue;
    if (rows++ == 0) example = std::string(other.text_at(row));
  }
  if (rows == 0) return;
  out.push_back({Severity::warning, "unseen_categories", one.name(),
                 fmt::format("{} of the other table {} a category that this one lacks, such as {}",
                             counted(rows, "row"), rows == 1 ? "has" : "have", in_quotes(example)),
                 object({{"rows", rows}, {"example", example}})});
}

void check_missing(const Column& one, const Column& two, Findings& out) {
  const std::size_t there = two.missing_count();
  if (there == 0 || one.missing_count() > 0) return;
  out.push_back({Severity::warning, "missing_in_other", one.name(),
                 fmt::format("{} missing in the other table, none in this one",
                             counted(there, "cell is", "cells are")),
                 object({{"missing", there}})});
}

void check_shared_rows(const Dataset& data, const Dataset& other,
                       const std::vector<std::string>& columns, Findings& out) {
  const bool sparse = data.sparse().has_value();
  if ((columns.size() < 2 && !sparse) || sparse != other.sparse().has_value()) return;
  const std::vector<std::uint64_t> keys = row_keys(data, columns);
  const std::unordered_set<std::uint64_t> known(keys.begin(), keys.end());
  std::size_t shared = 0;
  for (const std::uint64_t key : row_keys(other, columns)) shared += known.contains(key) ? 1 : 0;
  if (shared == 0) return;
  const double share = static_cast<double>(shared) / static_cast<double>(other.rows());
  out.push_back({Severity::warning, "shared_rows", "",
                 fmt::format("{} of the other table {} in this one too ({} %): a test with rows of "
                             "the training flatters",
                             counted(shared, "row"), shared == 1 ? "stands" : "stand",
                             readable(100 * share, 3)),
                 object({{"count", shared}, {"share", share}})});
}

}  // namespace

void compare_tables(const Dataset& data, const Dataset& other, const std::string& target,
                    Findings& out) {
  std::vector<std::string> shared;
  for (const Column& one : data.columns()) {
    const Column* two = other.find(one.name());
    if (two == nullptr) {
      const bool is_target = one.name() == target;
      out.push_back({is_target ? Severity::note : Severity::problem, "missing_columns", one.name(),
                     is_target ? "the other table has no target: it can be predicted, not evaluated"
                               : "the other table does not have this column",
                     object()});
      continue;
    }
    shared.push_back(one.name());
    if (one.is_numeric() != two->is_numeric() && two->missing_count() < two->size()) {
      out.push_back({Severity::problem, "kind", one.name(),
                     fmt::format("it is {} here and {} in the other table", kind_word(one.kind()),
                                 kind_word(two->kind())),
                     object()});
      continue;
    }
    check_missing(one, *two, out);
    if (one.is_numeric() && two->is_numeric()) {
      check_shift(one, *two, out);
      check_range(one, *two, out);
    }
    if (one.is_categorical() && two->is_categorical()) check_categories(one, *two, out);
  }
  for (const Column& two : other.columns()) {
    if (data.find(two.name()) != nullptr) continue;
    out.push_back({Severity::warning, "extra_columns", two.name(),
                   "only the other table has this column", object()});
  }
  check_shared_rows(data, other, shared, out);
}

}  // namespace gradus::doctor
