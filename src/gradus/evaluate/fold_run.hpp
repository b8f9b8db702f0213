// One learner on one fold: the step that cross-validation, searches and curves repeat.
//
// The tables of a fold are taken from the whole once, shared by every learner that meets the fold,
// and let go after the last of them: k folds never stand in memory at the same time.
//
//   FoldTables tables(data, folds, learners.size());
//   FoldResult result = run_fold({learner, tables.take(i), options, target, metric}, context);
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "gradus/api/target.hpp"
#include "gradus/core/context.hpp"
#include "gradus/evaluate/cross_validate.hpp"

namespace gradus {

struct FoldTable {
  Dataset train;
  Dataset test;
};
using FoldTablePtr = std::shared_ptr<const FoldTable>;

class FoldTables {
 public:
  // Each fold will be taken `uses` times, from any thread.
  FoldTables(const Dataset& data, const Folds& folds, std::size_t uses);
  FoldTablePtr take(std::size_t fold);

 private:
  struct Slot {
    std::mutex guard;
    FoldTablePtr table;
    std::size_t left = 0;
  };
  const Dataset& data_;
  const Folds& folds_;
  std::vector<Slot> slots_;
};

struct FoldJob {
  const AnyLearner& learner;
  FoldTablePtr table;
  const ValidateOptions& options;
  const std::vector<std::string>& classes;  // of the whole table
  const MetricInfo& metric;
  // Nothing: all rows of the fold teach. Else these rows of its training table.
  const std::vector<std::size_t>* teaching = nullptr;
};

FoldResult run_fold(const FoldJob& job, const Context& context);

// The same, and how well the model does on the rows that taught it.
struct TwoScores {
  FoldResult examined;
  std::optional<double> training;
  std::size_t model_bytes = 0;  // of the saved model: how much it learned
};
TwoScores run_fold_twice(const FoldJob& job, const Context& context);

// The table with the weights that examine: the column that also teaches, or its own.
Dataset weighted_rows(const Dataset& data, const FitOptions& options);

// Counts finished folds from whichever thread; the sink hears of them one at a time.
class FoldProgress {
 public:
  FoldProgress(const Context& context, std::string stage, std::size_t total)
      : context_(context), stage_(std::move(stage)), total_(total) {}
  void one_more();
  void rename(std::string stage);

 private:
  Context context_;
  std::string stage_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::mutex guard_;
};

// The context of the work inside a fold: it neither reports nor traces.
Context silent(const Context& context);

// An order of `rows` whose every beginning holds the classes in about the shares of all of them
// (`classes` is the code of each row; empty: no classes). Shorter beginnings are part of longer.
std::vector<std::size_t> representative_order(std::size_t rows,
                                              std::span<const std::int32_t> classes, Stream stream);

}  // namespace gradus
