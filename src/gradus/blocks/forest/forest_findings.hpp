// What a forest says about its training rows and columns beyond its trees (Breiman, Cutler: "Random
// forests", section 12.5 of the texts): filled only where it was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gradus/contract/signature.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/value.hpp"

namespace gradus {

struct ForestFindings {
  std::vector<double> permutation;            // column: growth of the out-of-bag error
  std::vector<double> permutation_deviation;  // column: its standard error
  std::vector<std::int32_t> proximity;        // rows i > j at i (i − 1) / 2 + j: shared leaves
  std::vector<double> outliers;               // row
  std::vector<double> prototypes;             // classes x columns x (quartile, median, quartile)
  std::vector<std::int32_t> prototype_rows;   // class: the rows that it stands for
  std::vector<std::int32_t> estimate_row;     // missing cell
  std::vector<std::int32_t> estimate_column;  // missing cell
  std::vector<double> estimate;               // missing cell: a number or a code

  template <class M = ForestFindings>
  static constexpr auto describe() {
    return Members{field(&M::permutation, 1, "permutation"),
                   field(&M::permutation_deviation, 2, "permutation_deviation"),
                   field(&M::proximity, 3, "proximity"),
                   field(&M::outliers, 4, "outliers"),
                   field(&M::prototypes, 5, "prototypes"),
                   field(&M::prototype_rows, 6, "prototype_rows"),
                   field(&M::estimate_row, 7, "estimate_row"),
                   field(&M::estimate_column, 8, "estimate_column"),
                   field(&M::estimate, 9, "estimate")};
  }

  // Adds what is there to the fitted quantities; `trees` votes make a proximity of 1.
  void add_to(Value& fitted, std::size_t trees, const Signature& signature) const;

  // Whether all of it fits the signature and is finite.
  bool sound(const Signature& signature) const;
};

}  // namespace gradus
