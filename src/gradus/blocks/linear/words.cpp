#include "gradus/blocks/linear/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/text.hpp"

namespace gradus {
namespace {

std::string spaced(std::span<const double> numbers) {
  std::vector<std::string> cells;
  for (const double x : numbers) cells.push_back(readable(x));
  return join(cells, " ");
}

}  // namespace

Value number_or_null(double x) { return std::isfinite(x) ? Value(x) : Value(); }

std::vector<std::string> coefficient_names(Intercept intercept, const Signature& signature) {
  std::vector<std::string> names;
  if (intercept == Intercept::present) names.emplace_back("intercept");
  for (const FeatureName& feature : signature.features) names.push_back(feature.name);
  return names;
}

Value by_name(std::span<const std::string> names, std::span<const double> numbers) {
  // Features have one name each, so nothing is searched: among 100 000 of them that would take
  // minutes. Only the intercept may share its name with one, which then has the last word.
  Value::Object out;
  out.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0 && names[i] == names[0]) {
      out.front().second = number_or_null(numbers[i]);
    } else {
      out.emplace_back(names[i], number_or_null(numbers[i]));
    }
  }
  return out;
}

Value to_value(const linalg::Matrix& matrix) {
  Value::Array rows;
  for (std::size_t i = 0; i < matrix.height(); ++i) {
    const auto row = matrix.row(i);
    rows.push_back(Value(Value::Array(row.begin(), row.end())));
  }
  return rows;
}

std::string bracketed(const linalg::Matrix& matrix) {
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < matrix.height(); ++i) rows.push_back(spaced(matrix.row(i)));
  return "[" + join(rows, "; ") + "]";
}

std::string bracketed(std::span<const double> numbers) { return "[" + spaced(numbers) + "]"; }

std::string signed_term(double number, const std::string& name) {
  return fmt::format(" {} {} {}", std::signbit(number) ? "-" : "+", readable(std::abs(number)),
                     name);
}

bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace gradus
