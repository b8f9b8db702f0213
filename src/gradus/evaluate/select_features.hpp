// Which columns a learner needs, found by trying; with any learner and any measure.
//
// forward    begins without columns and adds, each time, the one that helps most
// backward   begins with all and drops, each time, the one that is missed least
// recursive  begins with all and drops the one of least permutation importance: how much the score
//            of the examined rows falls when the column is shuffled. One fit per fold and step,
//            where backward needs one per column
//
// Every set of columns meets the same folds. forward and backward stop when no step helps by more
// than `tolerance`, unless `keep` says how many columns are wanted; recursive goes down to one
// column and takes the best set on the way, the smaller one of equals.
//
//   Selection out = select_features(AnyLearner("ridge"), data, folds, options);
//   out.features          // the columns to keep
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gradus/evaluate/cross_validate.hpp"

namespace gradus {

enum class SelectMethod { forward, backward, recursive };
std::vector<std::string> select_method_words();

struct SelectOptions {
  ValidateOptions validate = {};
  SelectMethod method = SelectMethod::forward;
  std::size_t keep = 0;    // columns wanted; 0: as many as help
  double tolerance = 0;    // a step must help by more than this
  Seed seed = 0;           // of the shuffling
  FoldOptions inner = {};  // nested: how the rows that teach an outer fold are split
};

// A set of columns on the way.
struct SelectStep {
  std::string changed = {};  // the column that came or went; empty at the beginning
  std::vector<std::string> features = {};
  Estimate estimate = {};
  // recursive: the importance of each of the features, in their order.
  std::vector<double> importance = {};
};

struct Selection {
  std::string learner = {};
  Task task = Task::classify;
  MetricInfo metric = {};
  SelectMethod method = SelectMethod::forward;
  std::vector<SelectStep> steps = {};
  std::size_t best = 0;
  std::vector<std::string> features = {};
  std::optional<double> all = {};  // the score with every column
  std::string conclusion = {};
};

Selection select_features(const AnyLearner& learner, const Dataset& data, const Folds& folds,
                          const SelectOptions& options, const Context& context = {});

// What a learner with a selection of its own will do on new rows: the columns are chosen anew from
// the rows that teach each outer fold, and the learner examined on rows that no choice has seen.
struct NestedSelection {
  MetricInfo metric = {};
  std::vector<std::vector<std::string>> chosen = {};            // per outer fold
  std::vector<std::pair<std::string, std::size_t>> often = {};  // how many folds chose a column
  std::vector<FoldResult> folds = {};
  Estimate estimate = {};
};
NestedSelection select_nested(const AnyLearner& learner, const Dataset& data, const Folds& outer,
                              const SelectOptions& options, const Context& context = {});

// `{learner, metric, method, features, steps: [{changed, features, mean, …}], conclusion}`.
Value to_value(const Selection& selection);
// `{metric, mean, …, folds: [{features, score, …}], often: {column: folds}}`.
Value to_value(const NestedSelection& nested);

}  // namespace gradus
