// Missing cells dealt with before a tree is grown: by the mean, by the nearest cases, by the rows
// with the same or a similar target, or by leaving rows out.
//
//   mean      the weighted mean of a number, the most frequent level of a category
//   nearest   the mean or the most frequent level among the t rows that are nearest where both are
//             known: |a − b| / range for numbers, 0 or 1 for categories, averaged over the columns;
//             rows as near as the last one count too, so that their order does not matter
//   target    the same among the rows of the same class, or the t rows with the nearest targets
//   remove    rows with a missing cell take no part
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/blocks/splitter/ranked_table.hpp"
#include "gradus/contract/train_task.hpp"

namespace gradus {

enum class TableFill { mean, nearest, target, remove };

// A missing cell that got a value: for explanations.
struct FilledCell {
  std::size_t row = 0;
  std::size_t column = 0;
  double value = 0;                     // a number or a code; NaN where nothing was known
  std::vector<std::size_t> neighbours;  // the rows it comes from; empty: what is usual
};

struct FilledTable {
  RankedTable table;
  std::vector<double> weights;  // 0 for rows that were left out
  // What a missing value counts as when the model is asked, by column: a number or a code; NaN
  // where nothing was known.
  std::vector<double> usual;
  std::size_t filled = 0;              // cells
  std::size_t removed = 0;             // rows
  std::vector<FilledCell> cells = {};  // row by row, only with a trace
};

// `neighbours` counts weight. Error{bad_data} when nothing is left.
FilledTable fill_table(const TrainTask& task, TableFill how, std::size_t neighbours,
                       const Context& context, const RankBins& bins = {});

}  // namespace gradus
