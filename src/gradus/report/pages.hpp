// Whole reports: what was done in one paragraph, the figures that matter beside their baseline,
// pictures, the data, the parameters, and how to repeat it.
#pragma once

#include <optional>
#include <string>

#include "gradus/api/any_model.hpp"
#include "gradus/evaluate/compare.hpp"
#include "gradus/evaluate/curves.hpp"
#include "gradus/evaluate/tune.hpp"
#include "gradus/report/document.hpp"

namespace gradus::report {

// What a reader needs to do the same again.
struct Origin {
  std::string command = {};  // as it was typed
  std::string data_file = {};
  std::string data_fingerprint = {};
  std::string model_fingerprint = {};
};

struct EvaluationStory {
  const AnyModel& model;
  const Dataset& data;
  const Predictions& predictions;
  const Value& scores;
  std::string subject = {};  // the model's file, or the learner
  bool on_training_data = false;
  const Curve* curve = nullptr;  // how the learner does with fewer rows, on folds of its own
  Origin origin = {};
};
Document evaluation_page(const EvaluationStory& story);
// The curves and clouds of the page, for a terminal.
std::vector<Block> evaluation_plots(const EvaluationStory& story);

struct ValidationStory {
  const AnyLearner& learner;
  const Dataset& data;
  const Folds& folds;
  const CrossValidation& result;
  const CrossValidation* baseline = nullptr;  // the same folds
  const NestedTuning* nested = nullptr;       // a search inside every fold
  std::string folds_text = {};
  std::vector<std::string> target = {};
  Origin origin = {};
};
Document validation_page(const ValidationStory& story);

struct ComparisonStory {
  const std::vector<AnyLearner>& learners;
  const Dataset& data;
  const Folds& folds;
  const Comparison& result;
  const CrossValidation* baseline = nullptr;
  std::string folds_text = {};
  std::vector<std::string> target = {};
  Origin origin = {};
};
Document comparison_page(const ComparisonStory& story);

// The parts that cv and compare also show on a terminal.
Table comparison_table(const Comparison& comparison);
// Means with their folds, the best first; of more than two learners also their mean ranks.
std::vector<Block> comparison_figures(const Comparison& comparison,
                                      const CrossValidation* baseline = nullptr);
Table test_table(const Comparison& comparison);
Table fold_table(const CrossValidation& result);

// "0.953" and "0.91 to 0.98"; "undefined" where it is.
std::string score_text(const std::optional<double>& score);
std::string interval_text(const std::optional<Interval>& interval);

// What reports have in common: the parameters of a learner, the data, how to repeat it.
std::vector<Block> parameter_blocks(const AnyLearner& learner);
std::vector<Block> data_blocks(const Dataset& data, const std::vector<std::string>& target);
std::vector<Block> origin_blocks(const Origin& origin);

}  // namespace gradus::report
