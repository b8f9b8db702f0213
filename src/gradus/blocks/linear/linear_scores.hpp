// One linear score per class: s_k = intercept_k + coefficients_k'x.
#pragma once

#include <span>

#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// rows x classes. A score beyond the range of numbers still has a largest one: it is cut at 1e300.
void linear_scores(std::span<const double> intercept, const linalg::Matrix& coefficients,
                   const RowBlock& rows, double* out);

// One step per class, with every product; the path is row/CLASS.
void explain_scores(std::span<const double> intercept, const linalg::Matrix& coefficients,
                    std::span<const double> row, const Signature& signature, Trace& trace);

// {class: {intercept, feature: coefficient, ...}}.
Value scores_by_name(std::span<const double> intercept, const linalg::Matrix& coefficients,
                     const Signature& signature);

// Whether the shapes fit the names and every number is finite; for models that come from a file.
bool scores_fit(std::span<const double> intercept, const linalg::Matrix& coefficients,
                const Signature& signature);
bool shaped(const linalg::Matrix& matrix, std::size_t rows, std::size_t cols);

}  // namespace gradus
