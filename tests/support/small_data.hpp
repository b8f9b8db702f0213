// A small table that a learner can take, made from what it declares: suites that loop over the
// catalogue need no list of learners.
//
//   for (const Entry* entry : catalogue()) {
//     for (const SmallCase& small : small_cases(entry->info)) {
//       AnyModel model = fit(AnyLearner(*entry), small.data, small.options);
#pragma once

#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/contract/info.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus {

struct SmallCase {
  Task task = Task::classify;
  Dataset data;        // features and, but for clustering, the target "target"
  Dataset features;    // the same without the target: for predicting
  FitOptions options;  // the target
};

// One case per task of the learner: 24 rows, three classes, numeric columns if it accepts
// them, nominal ones likewise.
std::vector<SmallCase> small_cases(const Info& info);

// A few rows that any model can be asked about, made from what it says that it reads: ordinary and
// extreme numbers, every level, missing cells.
Dataset rows_for(const Preparation& preparation);

}  // namespace gradus
