// How linear models write their numbers: by column name, in brackets, as signed terms.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gradus/contract/info.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/value.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

// NaN and infinity have no JSON form: undefined is null.
Value number_or_null(double x);

// The names of the coefficients: the intercept, if any, then the features.
enum class Intercept { absent, present };
std::vector<std::string> coefficient_names(Intercept intercept, const Signature& signature);

Value by_name(std::span<const std::string> names, std::span<const double> numbers);

// Rows of numbers, and the same as text: [1 2; 3 4].
Value to_value(const linalg::Matrix& matrix);
std::string bracketed(const linalg::Matrix& matrix);
std::string bracketed(std::span<const double> numbers);

// ` + 0.425 x` or ` - 0.425 x`.
std::string signed_term(double number, const std::string& name);

// Two lists of what a model learns, for a model that is made of another one.
template <std::size_t N, std::size_t M>
constexpr std::array<Quantity, N + M> quantities_of(const Quantity (&first)[N],
                                                    const Quantity (&then)[M]) {
  std::array<Quantity, N + M> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = first[i];
  for (std::size_t i = 0; i < M; ++i) out[N + i] = then[i];
  return out;
}

bool all_finite(std::span<const double> numbers);

}  // namespace gradus
