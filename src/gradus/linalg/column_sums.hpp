// Sums for few columns of many: what is known of every column by itself after one pass, the
// products of columns that were chosen, and the products of all columns with what a line leaves
// over.
//
//   const ColumnSums sums = column_sums(design, Centre::mean, scales, context);
//   const Matrix some = chosen_products(design, units, {chosen, 0}, context);
//   const LeftOver rest = left_over(design, units, {w, 0}, context);     // X'(y - X w)
//
// Where most coefficients of a penalised regression are 0, these cost a small part of the products
// of all pairs of columns. Everything is the same bytes for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/linalg/gram.hpp"

namespace gradus::linalg {

struct ColumnSums {
  double weight = 0;
  std::vector<double> means;    // of each column of [X | Y]; 0 when the centre is the origin
  std::vector<double> squares;  // about the centre, scaled
  Matrix cross;                 // outputs x features: X'Y about the centre, scaled
};
ColumnSums column_sums(const Design& design, Centre centre, std::span<const double> scales,
                       const Context& context);

// The columns of [X | Y] as (x - mean) * scale, rows times the roots of their weights.
struct ColumnUnits {
  std::span<const double> means;
  std::span<const double> scales;
};

// The products of columns [from, end) of the chosen with all chosen: (size - from) x size.
struct Chosen {
  std::span<const std::uint32_t> columns;
  std::size_t from = 0;
};
Matrix chosen_products(const Design& design, const ColumnUnits& units, const Chosen& chosen,
                       const Context& context);

// A line without intercept, for one output.
struct Line {
  std::span<const double> w;
  std::size_t output = 0;
};
struct LeftOver {
  double square = 0;             // r'r with r = y - X w
  double with_target = 0;        // r'y
  std::vector<double> products;  // X'r
};
LeftOver left_over(const Design& design, const ColumnUnits& units, const Line& line,
                   const Context& context);

}  // namespace gradus::linalg
