// One pass over a table before anything is learned: what is missing or
// infinite, the mean of each numeric column, and a fingerprint of all.
//
// Every learner needs these, and a pass over a large table costs as much as
// some fits: so they are taken together, block by block while the numbers are
// in the cache, by all threads. The result depends neither on the number of
// threads nor on how the columns lie in memory (row-major, column-major,
// strided).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus {

struct ColumnSurvey {
  std::size_t missing = 0;
  std::size_t infinite = 0;
  double mean = 0;  // of the values that are there; 0 when there is none
};

struct Survey {
  std::vector<ColumnSurvey> columns;  // of every column of the table; numbers for numeric ones only
  std::string fingerprint;            // names, kinds and values in row order, weights,
                                      // sparse block
};

Survey survey(const Dataset& data, const Context& context = {});

}  // namespace gradus
