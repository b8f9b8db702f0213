// The columns selected, the line on them, and how they came in and out.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/blocks/least_squares/model.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/linear/stepwise_regression/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct StepwiseRegressionModel {
  std::vector<std::int64_t> selected;  // ascending
  LinearRegressionModel line;          // on these
  std::vector<std::int64_t> changed;   // the column of each step, in order
  std::vector<double> criterion;       // before the first step and after each
  std::int64_t fits = 0;               // lines that were compared

  template <class M = StepwiseRegressionModel>
  static constexpr auto describe() {
    return Members{field(&M::selected, 1, "selected"), field(&M::line, 2, "line"),
                   field(&M::changed, 3, "changed"), field(&M::criterion, 4, "criterion"),
                   field(&M::fits, 5, "fits")};
  }

  static constexpr Quantity own_quantities[] = {
      {"selected", "The columns that were selected."},
      {"steps", "The column that came in or went out at each step, and the criterion after it."},
      {"start", "The criterion before the first step."},
      {"fits", "The number of lines that were compared."}};
  static constexpr auto quantities =
      quantities_of(own_quantities, LinearRegressionModel::quantities);

  // The selected columns of rows, packed.
  std::vector<double> chosen(const RowBlock& rows) const;
  Signature narrowed(const Signature& signature) const;

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
