// What the verbs that learn on folds have in common (cv, compare, tune, curve): where the data
// comes from, which folds, which measure, and what is written besides the terminal.
#pragma once

#include <string>
#include <vector>

#include "gradus/evaluate/cross_validate.hpp"
#include "gradus/report/pages.hpp"
#include "progress.hpp"
#include "validation_options.hpp"

namespace gradus::cli {

struct Resampling {
  std::string data_file = {};
  std::string report = {};
  bool json = false;
  FoldChoice folds = {};
  ValidateOptions options = {};
  ReadOptions read = {};
  RunOptions run = {};

  double level() const { return options.evaluate.intervals.level; }
  Overwrite overwrite() const { return run.force ? Overwrite::replace : Overwrite::refuse; }
};

// `--data`, `--target`, `--metric`, `--json`, `--report`, and the options for folds, measures,
// preparation, reading and running.
void add_resampling_options(Syntax& syntax, Resampling& how);

// Before the work: mistakes in the options, and outputs that cannot be written. `inputs` are files
// that are read besides the data.
void check_resampling(const Resampling& how, const std::vector<std::string>& inputs = {});

struct Resampled {
  Dataset data = {};
  Task task = Task::classify;
  Folds folds = {};
  std::string folds_text = {};
};

// Reads the table, checks the measure against the task of the learner, and makes (and keeps) the
// folds.
Resampled read_and_split(Resampling& how, const Info& info, const Context& context);

// For reports: the command and the data.
report::Origin origin_of(const Resampling& how, const Resampled& data);

}  // namespace gradus::cli
