// Learning from a table that does not fit into memory: one part after the other.
//
// The first part is fitted, every other one goes on from there (`update`). What the preparation
// needs of the data is taken from the first part (means to fill and to scale with); the categories
// of columns and the classes are those of the whole file, found in a pass of their own, unless the
// source can be read only once. In parts a learner passes over each part once: a parameter that
// only repeats the work (`Entry::extends`, as max_iter of sgd) is 1, and `passes` repeats the file.
// While one part is learned from, the next one is read: two of them are in memory.
//
//   TableParts parts("big.csv", {}, 100000, context);
//   PartsFit done = fit_in_parts(Sgd{}, parts, {.target = {"y"}}, {.passes = 2}, context);
#pragma once

#include <cstddef>
#include <optional>

#include "gradus/api/fit.hpp"
#include "gradus/data/io/table_parts.hpp"

namespace gradus {

struct PartsOptions {
  std::size_t passes = 1;  // over the source
};

struct PartsFit {
  AnyModel model;
  Dataset last;           // the part that came last
  std::size_t rows = 0;   // of one pass
  std::size_t parts = 0;  // of one pass
  double read_seconds = 0;
  double fit_seconds = 0;  // with the preparation
};

// Error{usage} names the learners that can, where this one cannot learn in parts. Classes that
// must be known beforehand, because the source can be read only once, are `options.classes`.
PartsFit fit_in_parts(const AnyLearner& learner, TableParts& parts, const FitOptions& options,
                      const PartsOptions& how, const Context& context = {});

}  // namespace gradus
