// One line y = intercept + coefficients'x: predicting, naming and explaining it, for learners that
// end in one.
#pragma once

#include <span>
#include <string>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct Line {
  double intercept = 0;
  std::span<const double> coefficients;
  Intercept constant = Intercept::present;
};

// One number per row, `stride` apart. Beyond the range of numbers it is cut at 1e300.
void predict_line(const Line& line, const RowBlock& rows, double* out, std::size_t stride = 1);

// {intercept, feature: coefficient, ...}.
Value line_by_name(const Line& line, const Signature& signature);

// `y = 1.5 + 2 x - 3 z`, at most ten terms.
std::string line_formula(const Line& line, const Signature& signature, const std::string& target);

// The step with every product of a prediction; the path is row/TARGET.
void explain_line(const Line& line, std::span<const double> row, const Signature& signature,
                  std::size_t output, Trace& trace);

// Whether the numbers are finite and as many as there are features.
bool line_fits(const Line& line, const Signature& signature);

}  // namespace gradus
