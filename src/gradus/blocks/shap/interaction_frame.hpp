// The numbers of interactions for many rows: a square of players for each row and output, with a
// frame whose last place holds the mean answer.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "gradus/contract/played_rows.hpp"

namespace gradus {

// Adds the interaction values of one row: outputs x players x players numbers.
using AddPairs = std::function<void(const PlayedRows& row, double* pairs)>;

// Writes rows x outputs x (players + 1) x (players + 1) numbers; `mean` has one for each output.
void write_framed(const PlayedRows& rows, std::span<const double> mean, const AddPairs& add_pairs,
                  double* out);

// What stands inside the frames of one row, added: outputs x players x players numbers.
void add_unframed(std::span<const double> framed, std::size_t outputs, std::size_t players,
                  double* pairs);

}  // namespace gradus
