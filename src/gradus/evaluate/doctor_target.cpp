// The doctor on the target: are its classes balanced, and does a column give it away?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/doctor_parts.hpp"

namespace gradus::doctor {
namespace {

constexpr std::size_t kEnoughForRule = 20;  // below, a perfect rule may be chance
constexpr double kUnbalanced = 0.9;         // share of the largest class
constexpr std::size_t kFewRows = 5;         // a class smaller than this cannot be cross-validated
constexpr double kRemainingErrors = 0.01;   // of those of always answering the largest class
constexpr double kPerfectCorrelation = 0.999;

struct ClassCounts {
  std::vector<std::size_t> counts;
  std::size_t present = 0;
  std::size_t largest() const { return *std::max_element(counts.begin(), counts.end()); }
};

ClassCounts count_classes(const Column& target) {
  ClassCounts out{std::vector<std::size_t>(target.levels().size(), 0), 0};
  for (std::size_t row = 0; row < target.size(); ++row) {
    if (target.missing(row)) continue;
    ++out.counts[static_cast<std::size_t>(target.code(row))];
    ++out.present;
  }
  return out;
}

Finding leak(const std::string& column, std::string text, Value numbers) {
  return {Severity::warning, "leak", column, std::move(text), std::move(numbers)};
}

// A categorical feature: guess the most frequent class of each level, and count the mistakes.
void check_levels_against_classes(const Column& feature, const Column& target, Findings& out) {
  const ClassCounts classes = count_classes(target);
  const std::size_t width = target.levels().size();
  const std::size_t levels = feature.levels().size();
  // With two rows to a level or fewer, purity is no evidence.
  if (levels * 2 > target.size() || classes.present == 0) return;
  std::vector<std::size_t> table(levels * width, 0);
  std::size_t rows = 0;
  for (std::size_t row = 0; row < target.size(); ++row) {
    if (feature.missing(row) || target.missing(row)) continue;
    const auto level = static_cast<std::size_t>(feature.code(row));
    ++table[level * width + static_cast<std::size_t>(target.code(row))];
    ++rows;
  }
  std::size_t right = 0;
  for (std::size_t level = 0; level < levels; ++level) {
    const auto first = table.begin() + static_cast<std::ptrdiff_t>(level * width);
    right += *std::max_element(first, first + static_cast<std::ptrdiff_t>(width));
  }
  const std::size_t errors = rows - right;
  const auto baseline = static_cast<double>(classes.present - classes.largest());
  if (rows < kEnoughForRule || static_cast<double>(errors) > kRemainingErrors * baseline) return;
  out.push_back(
      leak(feature.name(),
           fmt::format("it alone tells the class of {} of {} rows: would it be known when "
                       "you predict?",
                       right, rows),
           object({{"right", right}, {"rows", rows}})));
}

// A numeric feature: the classes occupy intervals that do not touch.
void check_thresholds(const Column& feature, const Column& target, Findings& out) {
  struct Span {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
  };
  std::vector<Span> ranges(target.levels().size());
  std::size_t rows = 0;
  for (std::size_t row = 0; row < target.size(); ++row) {
    if (feature.missing(row) || target.missing(row)) continue;
    Span& range = ranges[static_cast<std::size_t>(target.code(row))];
    range.low = std::min(range.low, feature.number(row));
    range.high = std::max(range.high, feature.number(row));
    ++rows;
  }
  std::erase_if(ranges, [](const Span& range) { return range.low > range.high; });
  std::sort(ranges.begin(), ranges.end(),
            [](const Span& a, const Span& b) { return a.low < b.low; });
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (!(ranges[i - 1].high < ranges[i].low)) return;
  }
  if (rows < kEnoughForRule || ranges.size() < 2) return;
  Value thresholds = Value(Value::Array{});
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    thresholds.push_back(ranges[i - 1].high / 2 + ranges[i].low / 2);
  }
  out.push_back(leak(feature.name(),
                     fmt::format("{} on it tells every class apart: would it be known when you "
                                 "predict?",
                                 counted(ranges.size() - 1, "threshold")),
                     object({{"thresholds", thresholds}, {"rows", rows}})));
}

struct Pairs {
  std::vector<double> x;
  std::vector<double> y;
};

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// |correlation|, 0 when one side is constant.
double correlation(const Pairs& pairs) {
  const double mean_x = mean_of(pairs.x);
  const double mean_y = mean_of(pairs.y);
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (std::size_t i = 0; i < pairs.x.size(); ++i) {
    const double dx = pairs.x[i] - mean_x;
    const double dy = pairs.y[i] - mean_y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx > 0 && yy > 0 ? std::abs(xy) / std::sqrt(xx) / std::sqrt(yy) : 0.0;
}

// The values of both columns where neither is missing; a level stands for its mean target, which
// makes the correlation the square root of the explained share.
Pairs pairs_of(const Column& feature, const Column& target) {
  std::vector<double> sums;
  std::vector<double> counts;
  const auto present = [&](std::size_t row) {
    return !feature.missing(row) && !target.missing(row);
  };
  if (feature.is_categorical()) {
    sums.assign(feature.levels().size(), 0.0);
    counts.assign(feature.levels().size(), 0.0);
    for (std::size_t row = 0; row < target.size(); ++row) {
      if (!present(row)) continue;
      sums[static_cast<std::size_t>(feature.code(row))] += target.number(row);
      counts[static_cast<std::size_t>(feature.code(row))] += 1;
    }
  }
  Pairs out;
  for (std::size_t row = 0; row < target.size(); ++row) {
    if (!present(row)) continue;
    out.y.push_back(target.number(row));
    if (feature.is_numeric()) {
      out.x.push_back(feature.number(row));
    } else {
      const auto level = static_cast<std::size_t>(feature.code(row));
      out.x.push_back(sums[level] / counts[level]);
    }
  }
  return out;
}

void check_against_number(const Column& feature, const Column& target, Findings& out) {
  if (feature.is_categorical() && feature.levels().size() * 2 > target.size()) return;
  const Pairs pairs = pairs_of(feature, target);
  if (pairs.x.size() < kEnoughForRule) return;
  const double r = correlation(pairs);
  if (!(r > kPerfectCorrelation)) return;
  out.push_back(leak(feature.name(),
                     fmt::format("its correlation with the target is {}: would it be known when "
                                 "you predict?",
                                 readable(r)),
                     object({{"correlation", r}, {"rows", pairs.x.size()}})));
}

}  // namespace

void examine_target(const Column& target, Findings& out) {
  if (!target.is_categorical()) {
    if (target.is_numeric() && target.size() > 1) {
      std::size_t differing = 0;
      for (std::size_t row = 1; row < target.size(); ++row) {
        if (target.number(row) != target.number(0)) ++differing;
      }
      if (differing > 0) return;
      out.push_back({Severity::problem, "target", target.name(),
                     "the target is the same number in every row: there is nothing to learn",
                     object({{"value", target.number(0)}})});
    }
    return;
  }
  const ClassCounts classes = count_classes(target);
  if (classes.present == 0) return;
  Value counts = object();
  std::vector<std::string> few;
  std::size_t occurring = 0;
  for (std::size_t k = 0; k < classes.counts.size(); ++k) {
    if (classes.counts[k] == 0) continue;
    ++occurring;
    counts[target.levels()[k]] = classes.counts[k];
    if (classes.counts[k] < kFewRows) few.push_back(in_quotes(target.levels()[k]));
  }
  if (occurring == 1) {
    out.push_back({Severity::problem, "target", target.name(),
                   "the target has one class only: there is nothing to learn", counts});
    return;
  }
  const double share =
      static_cast<double>(classes.largest()) / static_cast<double>(classes.present);
  if (share > kUnbalanced) {
    out.push_back({Severity::warning, "class_balance", target.name(),
                   fmt::format("the largest class has {} % of the rows: accuracy alone says "
                               "little, look at recall and AUC",
                               readable(100 * share, 3)),
                   object({{"share", share}, {"counts", counts}})});
  }
  if (!few.empty()) {
    if (few.size() > 10) few.resize(10);
    out.push_back({Severity::note, "class_balance", target.name(),
                   fmt::format("fewer than {} rows have the class {}", kFewRows, join(few, ", ")),
                   object({{"counts", counts}})});
  }
}

void find_leaks(const Dataset& data, const Column& target, Findings& out) {
  for (const Column& feature : data.columns()) {
    if (&feature == &target || feature.kind() == ColumnKind::text) continue;
    if (target.is_numeric()) {
      check_against_number(feature, target, out);
    } else if (target.is_categorical()) {
      feature.is_numeric() ? check_thresholds(feature, target, out)
                           : check_levels_against_classes(feature, target, out);
    }
  }
}

}  // namespace gradus::doctor
