// The numbers of interactions for many rows: a square of features for each row and output, with a
// frame whose last place holds the mean answer.
#pragma once

#include <functional>
#include <span>

#include "gradus/contract/features.hpp"

namespace gradus {

// Adds the interaction values of a row: outputs x features x features numbers.
using AddPairs = std::function<void(std::span<const double> row, double* pairs)>;

// Writes rows x outputs x (features + 1) x (features + 1) numbers; `mean` has one for each output.
void write_framed(const RowBlock& rows, std::span<const double> mean, const AddPairs& add_pairs,
                  double* out);

}  // namespace gradus
