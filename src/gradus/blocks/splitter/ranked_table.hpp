// A table of ranks: every number replaced by its place among the distinct numbers of its column.
//
// Exact trees only ever compare numbers of one column, so 32-bit ranks say all that a split needs;
// they sort by counting and are shared by all trees of a forest. Categories are their own ranks.
// What is missing has the rank after the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

struct RankedColumn {
  bool nominal = false;
  std::vector<double> values;       // numeric: the distinct numbers, ascending
  std::size_t ranks = 0;            // how many there are, without the one for missing
  std::vector<std::uint32_t> rank;  // of each row
  bool is_missing(std::uint32_t r) const { return r == ranks; }
};

RankedColumn ranked_numbers(const std::vector<double>& numbers);
RankedColumn ranked_levels(const std::vector<double>& codes, std::size_t levels);

class RankedTable {
 public:
  RankedTable(const Features& features, const Signature& signature, const Context& context);
  // From columns that are ranked already, all of one length.
  explicit RankedTable(std::vector<RankedColumn> columns)
      : rows_(columns.empty() ? 0 : columns.front().rank.size()), columns_(std::move(columns)) {}
  // From columns of numbers (codes for nominal ones), all of one length.
  RankedTable(const std::vector<std::vector<double>>& columns, const Signature& signature,
              const Context& context);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return columns_.size(); }
  const RankedColumn& column(std::size_t j) const { return columns_[j]; }

 private:
  std::size_t rows_;
  std::vector<RankedColumn> columns_;
};

}  // namespace gradus
