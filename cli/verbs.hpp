// The verbs of the command. Each lives in its own file and offers one `make_…` function.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gradus/api/any_model.hpp"
#include "gradus/contract/entry.hpp"
#include "options.hpp"

namespace gradus::cli {

// One call of a verb: its syntax fills its members, then it runs.
class Command {
 public:
  virtual ~Command() = default;
  virtual Syntax syntax() = 0;
  virtual void run() = 0;
};

using CommandPtr = std::unique_ptr<Command>;

// What stands directly after the verb.
enum class Subject { other, learner, learner_or_model, kind_and_learner };

struct Verb {
  std::string_view name;
  std::string_view summary;
  Subject subject = Subject::other;
  // `learner` is null unless the subject is a learner.
  CommandPtr (*make)(const Entry* learner);
};

std::span<const Verb> verbs();

CommandPtr make_list(const Entry*);
CommandPtr make_describe(const Entry*);
CommandPtr make_check(const Entry*);
CommandPtr make_convert(const Entry*);
CommandPtr make_train(const Entry* learner);
CommandPtr make_predict(const Entry*);
CommandPtr make_evaluate(const Entry*);
CommandPtr make_calibrate(const Entry*);
CommandPtr make_score(const Entry*);
CommandPtr make_cv(const Entry* learner);
CommandPtr make_compare(const Entry*);
CommandPtr make_tune(const Entry* learner);
CommandPtr make_curve(const Entry* learner);
CommandPtr make_select(const Entry* learner);
CommandPtr make_split(const Entry*);
CommandPtr make_explain(const Entry* learner);
CommandPtr make_importance(const Entry*);
CommandPtr make_dependence(const Entry*);
CommandPtr make_completion(const Entry*);

// The learner of this name, or null.
const Entry* learner_named(std::string_view name);

// Refuses a word that is neither a learner nor a file, with the nearest learners.
void require_learner_or_file(const std::string& word);

// The model in a file, or on standard input (`-`); a learner's name where a file is expected is
// told from a missing file.
AnyModel load_model(const std::string& file);

// `gradus --help`: every verb, the learners, exit codes.
std::string command_page();

// Runs `gradus words…`; returns normally on success and throws otherwise.
void run_command(const std::vector<std::string>& words);

}  // namespace gradus::cli
