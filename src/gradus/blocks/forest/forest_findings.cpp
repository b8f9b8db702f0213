#include "gradus/blocks/forest/forest_findings.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

// What a column's number is called: a level of a nominal or ordinal column, or the number.
Value cell(const FeatureName& feature, double number) {
  if (!feature.nominal && feature.order.empty()) return number;
  const std::span<const std::string> levels = feature.nominal ? feature.levels : feature.order;
  const auto code = static_cast<std::size_t>(std::max(number, 0.0));
  return code < levels.size() ? Value(levels[code]) : Value();
}

Value by_column(const std::vector<double>& numbers, const Signature& signature) {
  Value out = object();
  for (std::size_t j = 0; j < numbers.size(); ++j) out[signature.features[j].name] = numbers[j];
  return out;
}

// The rows n of a square matrix with n (n − 1) / 2 numbers below its diagonal; 0: there is none.
std::size_t rows_of_half(std::size_t half) {
  auto rows = static_cast<std::size_t>(std::sqrt(2 * static_cast<double>(half)));
  while (rows * (rows - 1) / 2 < half || rows == 0) ++rows;
  return rows * (rows - 1) / 2 == half ? rows : 0;
}

// The square matrix behind the packed half.
Value square(const std::vector<std::int32_t>& shared, std::size_t trees) {
  const std::size_t rows = rows_of_half(shared.size());
  const auto share = [&](std::size_t i, std::size_t j) {
    if (i == j) return 1.0;
    const std::size_t high = std::max(i, j);
    return static_cast<double>(shared[high * (high - 1) / 2 + std::min(i, j)]) /
           static_cast<double>(trees);
  };
  Value out = Value(Value::Array{});
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> row(rows);
    for (std::size_t j = 0; j < rows; ++j) row[j] = share(i, j);
    out.push_back(Value(row));
  }
  return out;
}

Value prototypes_value(const ForestFindings& findings, const Signature& signature) {
  Value out = object();
  const std::size_t columns = signature.features.size();
  for (std::size_t k = 0; k < findings.prototype_rows.size(); ++k) {
    if (findings.prototype_rows[k] == 0) continue;
    Value& one = out[signature.classes[k]] = object({{"rows", findings.prototype_rows[k]}});
    for (std::size_t j = 0; j < columns; ++j) {
      const double* numbers = findings.prototypes.data() + (k * columns + j) * 3;
      const FeatureName feature = signature.features[j];
      one["center"][feature.name] = cell(feature, numbers[1]);
      if (feature.nominal) continue;
      one["lower"][feature.name] = cell(feature, numbers[0]);
      one["upper"][feature.name] = cell(feature, numbers[2]);
    }
  }
  return out;
}

bool finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

bool within(const std::vector<std::int32_t>& numbers, std::int64_t below) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](std::int32_t x) { return x >= 0 && x < below; });
}

}  // namespace

void ForestFindings::add_to(Value& fitted, std::size_t trees, const Signature& signature) const {
  if (!permutation.empty()) {
    fitted["permutation_importances"] = by_column(permutation, signature);
    fitted["permutation_deviations"] = by_column(permutation_deviation, signature);
  }
  if (!proximity.empty()) fitted["proximities"] = square(proximity, trees);
  if (!outliers.empty()) fitted["outliers"] = Value(outliers);
  if (!prototype_rows.empty()) fitted["prototypes"] = prototypes_value(*this, signature);
  if (estimate.empty()) return;
  Value& cells = fitted["missing_estimates"] = Value(Value::Array{});
  for (std::size_t i = 0; i < estimate.size(); ++i) {
    const FeatureName feature = signature.features[static_cast<std::size_t>(estimate_column[i])];
    cells.push_back(object({{"row", estimate_row[i] + 1},
                            {"column", feature.name},
                            {"estimate", cell(feature, estimate[i])}}));
  }
}

bool ForestFindings::sound(const Signature& signature) const {
  const std::size_t columns = signature.features.size();
  const std::size_t classes = signature.classes.size();
  const bool none_or_all = (permutation.empty() || permutation.size() == columns) &&
                           permutation.size() == permutation_deviation.size() &&
                           (prototype_rows.empty() || prototype_rows.size() == classes) &&
                           prototypes.size() == prototype_rows.size() * columns * 3 &&
                           estimate.size() == estimate_row.size() &&
                           estimate.size() == estimate_column.size();
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  return none_or_all && finite(permutation) && finite(permutation_deviation) && finite(outliers) &&
         finite(prototypes) && finite(estimate) && within(proximity, kMost) &&
         within(prototype_rows, kMost) && within(estimate_row, kMost) &&
         within(estimate_column, static_cast<std::int64_t>(columns)) &&
         rows_of_half(proximity.size()) != 0;
}

}  // namespace gradus
