// What the verbs that ask a model about columns share: the model, the data, the order of the work,
// the forms of the answer.
#pragma once

#include <string>

#include "common_options.hpp"
#include "gradus/api/any_model.hpp"
#include "gradus/report/document.hpp"
#include "verbs.hpp"

namespace gradus::cli {

struct ModelQuestion {
  std::string model_file = {};
  std::string data_file = {};
  std::string report = {};
  bool json = false;
  ReadOptions read = {};
  RunOptions run = {};
};

// The answer in its forms: JSON, text, and a page with figures on it.
struct QuestionAnswer {
  Value value;
  report::Document page;
  std::vector<report::Block> figures;
};

// A verb that reads a model and rows, asks, and delivers the answer.
class QuestionCommand : public Command {
 public:
  void run() final;

 protected:
  // `MODEL`, `--data`, `--json`, `--report`, and how to read and run; then what is the verb's own.
  void add_question_options(Syntax& syntax, const char* group, std::vector<Option> own);

  // Whether rows are needed; if not, and none are named, the table that is asked about is empty.
  virtual bool needs_data() const { return true; }

  virtual QuestionAnswer ask(const AnyModel& model, const Dataset& data,
                             const Context& context) = 0;

  const ModelQuestion& question() const { return question_; }

 private:
  void deliver(const AnyModel& model, const Dataset& data, const QuestionAnswer& answer) const;

  ModelQuestion question_;
};

}  // namespace gradus::cli
