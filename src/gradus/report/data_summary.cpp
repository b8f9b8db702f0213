#include "gradus/report/data_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kBins = 12;
constexpr std::size_t kNamedLevels = 3;

struct ColumnSummary {
  std::string words;
  std::vector<double> heights;
};

std::vector<double> scaled(const std::vector<double>& counts) {
  const double most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
  std::vector<double> out;
  for (const double count : counts) out.push_back(most > 0 ? count / most : 0);
  return out;
}

ColumnSummary summarise_numbers(const Column& column) {
  double low = INFINITY;
  double high = -INFINITY;
  double mean = 0;
  double squares = 0;
  double n = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double x = column.number(row);
    if (!std::isfinite(x)) continue;
    n += 1;
    const double before = x - mean;
    mean += before / n;
    squares += before * (x - mean);
    low = std::min(low, x);
    high = std::max(high, x);
  }
  if (n == 0) return {"no value", {}};
  std::vector<double> counts(low < high ? kBins : 1, 0.0);
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double x = column.number(row);
    if (!std::isfinite(x)) continue;
    const double place = low < high ? (x - low) / (high - low) * kBins : 0;
    counts[std::min(static_cast<std::size_t>(place), counts.size() - 1)] += 1;
  }
  const double deviation = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
  // A mean far below the deviation's last digit is rounding: centred columns have the mean 0.
  if (std::abs(mean) < 1e-12 * deviation) mean = 0;
  return {fmt::format("{} ± {}, from {} to {}", readable(mean, 4), readable(deviation, 3),
                      readable(low, 4), readable(high, 4)),
          scaled(counts)};
}

ColumnSummary summarise_levels(const Column& column) {
  std::vector<double> counts(column.levels().size(), 0.0);
  for (std::size_t row = 0; row < column.size(); ++row) {
    const std::int32_t code = column.code(row);
    if (code != kMissingCode) counts[static_cast<std::size_t>(code)] += 1;
  }
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  std::vector<std::string> named;
  std::vector<double> shown;
  for (const std::size_t level : order) {
    if (counts[level] == 0 || shown.size() == kBins) break;
    if (named.size() < kNamedLevels) {
      named.push_back(fmt::format("{} ({})", column.levels()[level], counts[level]));
    }
    shown.push_back(counts[level]);
  }
  std::string words = counted(counts.size(), "category", "categories");
  if (!named.empty()) words += ": " + join(named, ", ");
  if (counts.size() > named.size()) words += " …";
  return {words, scaled(shown)};
}

}  // namespace

Table data_summary(const Dataset& data, const std::vector<std::string>& target, std::size_t most) {
  Table table{.header = {"column", "kind", "missing", "values"},
              .align = {Align::left, Align::left, Align::right, Align::left}};
  for (const Column& column : data.columns()) {
    if (table.rows.size() == most) {
      ++table.left_out;
      continue;
    }
    ColumnSummary summary{"text", {}};
    if (column.is_numeric()) summary = summarise_numbers(column);
    if (column.is_categorical()) summary = summarise_levels(column);
    const bool is_target = std::find(target.begin(), target.end(), column.name()) != target.end();
    if (is_target) table.marked.push_back(table.rows.size());
    table.rows.push_back({column.name(),
                          std::string(kind_word(column.kind())) + (is_target ? ", target" : ""),
                          std::to_string(column.missing_count()), summary.words});
    table.sparks.push_back(std::move(summary.heights));
  }
  return table;
}

}  // namespace gradus::report
