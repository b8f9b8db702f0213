// Which columns a model lives on.
//
// permutation (Breiman 2001): the column is shuffled, so that it says nothing about the row any
// more and keeps its distribution; what the score loses is what the column is worth to the model.
// It asks any model, on any data, by any measure. Two columns that say the same share their worth.
// contributions: the mean size of the Shapley values, for models that split their answers up.
// gain, split: what the questions of the trees about a feature gained, and how many they are; for
// models with trees. They ask no data: noise with many values is asked for often, and gains on the
// rows that taught.
//
//   Importance importance = permutation_importance(model, test, {.repeats = 10});
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gradus/api/any_model.hpp"
#include "gradus/core/random.hpp"
#include "gradus/evaluate/metric_names.hpp"

namespace gradus {

struct ImportanceOptions {
  std::string metric = {};  // empty: the usual one of the task
  std::size_t repeats = 5;  // shuffles of each column
  Seed seed = 0;
};

struct ColumnImportance {
  std::string column = {};
  double mean = 0;
  double deviation = 0;            // over the repeats, with n − 1; 0 for one repeat
  std::vector<double> drops = {};  // one per repeat
};

struct Importance {
  std::string method = {};                     // "permutation", "contributions", "gain", "split"
  std::string metric = {};                     // what is lost; empty for the others
  double score = 0;                            // of the data as it is
  std::size_t rows = 0;                        // that were asked; 0 for gain and split
  std::vector<ColumnImportance> columns = {};  // the most important first
};

// Error{bad_data} when the score of the data as it is is undefined.
Importance permutation_importance(const AnyModel& model, const Dataset& data,
                                  const ImportanceOptions& options, const Context& context = {});

// Error{usage} unless the model splits its answers up.
Importance contribution_importance(const AnyModel& model, const Dataset& data,
                                   const Context& context = {});

// What the trees of a model say about its features.
enum class TreeUse { gain, split };
// Error{usage} unless the model keeps trees that know it.
Importance tree_importance(const AnyModel& model, TreeUse use);

// `{method, metric, score, rows, columns: [{column, importance, deviation, drops}]}`.
Value to_value(const Importance& importance);

}  // namespace gradus
