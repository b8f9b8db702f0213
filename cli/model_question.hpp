// What the verbs that ask a model about columns share: the model, the data, the forms of the
// answer.
#pragma once

#include <optional>
#include <string>

#include "common_options.hpp"
#include "gradus/api/any_model.hpp"
#include "gradus/report/document.hpp"
#include "options.hpp"

namespace gradus::cli {

struct ModelQuestion {
  std::string model_file = {};
  std::string data_file = {};
  std::string report = {};
  bool json = false;
  ReadOptions read = {};
  RunOptions run = {};
};

// `MODEL`, `--data`, `--json`, `--report`, and how to read and run.
void add_question_options(Syntax& syntax, ModelQuestion& question);

// Before anything is read.
void check_question(const ModelQuestion& question);

// A whole number of at least `least`.
Option count_option(std::string name, std::string help, std::size_t least, std::size_t& target);

// As JSON, or as text, and as a page with more on it when that is asked for.
struct QuestionAnswer {
  Value value;
  report::Document page;
  std::vector<report::Block> figures;
};
void deliver_answer(const ModelQuestion& question, const AnyModel& model, const Dataset& data,
                    const QuestionAnswer& answer);

}  // namespace gradus::cli
