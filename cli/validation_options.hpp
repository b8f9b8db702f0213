// The options of the verbs that judge: how rows are split, which measures, which intervals.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common_options.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/evaluate/folds.hpp"
#include "gradus/evaluate/metrics.hpp"

namespace gradus::cli {

// What the user said about folds, before the data is known.
struct FoldChoice {
  FoldOptions options;
  bool scheme_given = false;
  bool folds_given = false;  // their number
  std::string file;          // folds to use again
  std::string save_file;     // where to keep them
};

void add_fold_options(Syntax& syntax, FoldChoice& choice);

// The folds of the file, or new ones; classes are stratified unless something else was asked for.
// Columns that folds go by are no features: they are added to `fit.ignore`.
Folds chosen_folds(const FoldChoice& choice, const Dataset& data, Task task, FitOptions& fit);

// Stratified folds that are more than the rows of the smallest class: a mistake where their number
// was asked for, else a warning.
void check_class_sizes(const FoldChoice& choice, const Folds& folds, const Dataset& data,
                       const Speech& speech);

// Writes them where `--save-folds` said, all or nothing.
void save_folds(const FoldChoice& choice, const Folds& folds, Overwrite overwrite);

// `--positive`, `--beta`, `--costs`, `--quantile`, `--query`, `--top`, `--interval`, `--level`,
// `--resamples`.
void add_measure_options(Syntax& syntax, EvaluateOptions& options);

// Refuses what was said about measures of another task.
void require_measures_apply(const EvaluateOptions& options, Task task);

// `--threshold`, `--by-costs`: how the answers of a model are decided before they are judged.
void add_decision_options(Syntax& syntax, EvaluateOptions& options);

// `ill=0.2`: the class and the probability from which on it is called.
std::pair<std::string, double> threshold_of(const std::string& text);

// `ill:well=20,well:ill=1`: what it costs to predict the second where the first is true.
std::vector<std::pair<std::string, double>> costs_of(const std::string& text);

// The task that a learner does with this target.
Task task_of(const Info& info, const Dataset& data, const FitOptions& fit);

}  // namespace gradus::cli
