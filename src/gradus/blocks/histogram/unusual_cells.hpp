// The cells of columns that are nearly always in one bin: those that are not in it.
//
// One-hot columns, counts and words of texts are a few such cells each. They are collected in one
// pass over the rows and then stand column by column, so that neither bundling nor encoding has to
// look at the others.
//
//   const std::vector<std::size_t> usual = ...;  // the bin of each column; kNoBin: leave it out
//   std::vector<SparseColumn> columns = unusual_cells(features, bins, usual, context);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/bin_column.hpp"
#include "gradus/contract/features.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

// A column that may be bundled.
struct SparseColumn {
  std::size_t column = 0;
  std::size_t usual = 0;                 // its most frequent bin
  std::size_t codes = 0;                 // bins beside the usual one
  std::vector<std::uint32_t> rows = {};  // where it is in another one, ascending
  std::vector<std::uint8_t> bins = {};   // which one
};

// Of the columns that have a usual bin, those without a missing cell, in their order. Codes are
// bytes, and no column is computed.
std::vector<SparseColumn> unusual_cells(const Features& features, std::span<const BinColumn> bins,
                                        std::span<const std::size_t> usual, const Context& context);

}  // namespace gradus
