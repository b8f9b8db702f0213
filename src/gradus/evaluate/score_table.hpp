// Predictions that stand in a table, judged without a model: those of `gradus predict --keep`, or
// of any other tool.
//
//   Value scores = score_table(answers, {.target = "species"});
//
// Classes: the columns `p(CLASS)`, where there are any, are their probabilities; without a column
// of predictions the most probable class is the prediction. Numbers: target and prediction are
// numeric. Clusters: how far two labelings agree.
#pragma once

#include <optional>
#include <string>

#include "gradus/evaluate/metrics.hpp"

namespace gradus {

struct ScoreColumns {
  std::string target = {};
  std::string prediction = "prediction";
  std::string weights = {};
  std::optional<Task> task = {};  // empty: numbers when both columns are, else classes
};

Value score_table(const Dataset& data, const ScoreColumns& columns,
                  const EvaluateOptions& options = {}, const Context& context = {});

}  // namespace gradus
