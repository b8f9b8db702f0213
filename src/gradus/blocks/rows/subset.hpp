// Chosen rows and columns of prepared features, as features of their own: what a member of an
// ensemble, a pair of classes or a fold learns from.
//
//   Features part = subset(task.features, {.rows = drawn, .columns = {}}, context);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

struct TableChoice {
  std::span<const std::uint32_t> rows;    // ascending; a row may come several times
  std::span<const std::int32_t> columns;  // ascending, may repeat; empty: all
};

// What a copy of dense rows takes; 0 where nothing is copied, and for sparse ones.
std::uint64_t copied_bytes(const Features& features, const TableChoice& choice);

// A copy of the chosen cells (sparse when the table is); the table itself when all are chosen.
Features subset(const Features& features, const TableChoice& choice, const Context& context);

// Features of a row-major block that they keep alive.
Features features_of(std::vector<double> cells, std::size_t rows, std::size_t cols);

// The names of the chosen columns.
FeatureNames subset(const FeatureNames& names, std::span<const std::int32_t> columns);

}  // namespace gradus
