#include "verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "common_options.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/source.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/version.hpp"
#include "report_file.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace gradus::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"list", "Show the learners", Subject::other, make_list},
    {"describe", "Show a learner's parameters, or all that a model file holds", Subject::other,
     make_describe},
    {"check", "Examine data before learning from it", Subject::other, make_check},
    {"convert", "Turn a data file into another format", Subject::other, make_convert},
    {"train", "Learn a model from data", Subject::learner, make_train},
    {"predict", "Apply a model to new rows", Subject::other, make_predict},
    {"evaluate", "Compare a model's predictions with the truth", Subject::other, make_evaluate},
    {"calibrate", "Correct a model's probabilities by rows that it did not learn from",
     Subject::other, make_calibrate},
    {"score", "Compare predictions in a table with the truth, without a model", Subject::other,
     make_score},
    {"cv", "Cross-validation: how good a learner will be on new rows", Subject::learner, make_cv},
    {"compare", "Compare learners on the same folds, with tests and a conclusion", Subject::other,
     make_compare},
    {"tune", "Find the parameters that serve a learner best", Subject::learner, make_tune},
    {"curve", "Learning, validation and complexity curves, bias and variance, with a diagnosis",
     Subject::kind_and_learner, make_curve},
    {"select", "Find the columns that a learner needs", Subject::learner, make_select},
    {"split", "Share rows out: training, validation and test", Subject::other, make_split},
    {"explain", "Show the work: every step of a fit, or of one prediction",
     Subject::learner_or_model, make_explain},
    {"importance", "Show which columns a model lives on", Subject::other, make_importance},
    {"dependence", "Show how a model's answer depends on a column", Subject::other,
     make_dependence},
    {"completion", "Print a completion script for bash, zsh or fish", Subject::other,
     make_completion},
};

const Verb& find_verb(const std::string& word) {
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) {
    if (verb.name == word) return verb;
    names.emplace_back(verb.name);
  }
  std::string hint = did_you_mean(word, names);
  if (hint.empty()) hint = "the verbs are " + join(names, ", ");
  usage_error("", fmt::format("there is no verb {}", in_quotes(word)), hint);
}

bool asks_for_help(const std::string& word) { return word == "--help" || word == "-h"; }

// `gradus curve learning LEARNER`: the learner is the second word.
const Entry* second_word(const Verb& verb, const std::vector<std::string>& rest) {
  for (const std::string& word : rest) {
    if (asks_for_help(word)) return rest.size() > 1 ? learner_named(rest[1]) : nullptr;
  }
  if (rest.size() < 2 || rest[0].starts_with('-') || rest[1].starts_with('-')) {
    usage_error("", "name the kind and the learner right after the verb",
                fmt::format("gradus {} learning LEARNER --data FILE …", verb.name));
  }
  return &find_learner(rest[1]);
}

// The learner decides which options exist, so its place is fixed: right after the verb.
const Entry* subject_of(const Verb& verb, const std::vector<std::string>& rest) {
  if (verb.subject == Subject::other) return nullptr;
  if (verb.subject == Subject::kind_and_learner) return second_word(verb, rest);
  const bool named = !rest.empty() && (rest.front() == "-" || !rest.front().starts_with('-'));
  if (!named) {
    if (!rest.empty() && asks_for_help(rest.front())) return nullptr;
    usage_error("",
                fmt::format("name the learner{} right after the verb",
                            verb.subject == Subject::learner ? "" : " or the model"),
                fmt::format("gradus {} LEARNER --data FILE …; `gradus list` shows the learners",
                            verb.name));
  }
  if (verb.subject == Subject::learner) return &find_learner(rest.front());
  const Entry* learner = learner_named(rest.front());
  if (learner == nullptr) require_learner_or_file(rest.front());
  return learner;
}

bool ends_word(const std::string& text, std::size_t at) {
  return at >= text.size() || (std::isalnum(static_cast<unsigned char>(text[at])) == 0 &&
                               text[at] != '-' && text[at] != '_');
}

// Where an option about the data has left its name to a parameter, advice from the library must
// name it as it is called here. An error about the parameter itself means the parameter.
Error respelled(const Syntax& syntax, const Error& error) {
  std::string hint = error.hint();
  for (const Option& option : syntax.options) {
    if (option.aside.empty()) continue;
    if (error.where() == option.aside) {
      hint += fmt::format("{}the option about the data is {} here ({})", hint.empty() ? "" : "; ",
                          option.name(), option.help);
      continue;
    }
    for (std::size_t at = hint.find(option.aside); at != std::string::npos;
         at = hint.find(option.aside, at + option.name().size())) {
      if (ends_word(hint, at + option.aside.size())) {
        hint.replace(at, option.aside.size(), option.name());
      }
    }
  }
  return Error(error.kind(), error.where(), error.message(), hint);
}

// `gradus help train kmeans` is `gradus train kmeans --help`.
void show_help(std::vector<std::string> words) {
  if (words.empty() || words.front() == "help") words.clear();
  words.emplace_back("--help");
  run_command(words);
}

// An error about an option, under the name that the user typed: --k and not --n_clusters. The
// message has the parameter's own name; where it has not, the place has both.
Error as_typed(const Error& error, const Syntax& syntax, const std::vector<std::string>& words) {
  const std::string& own = error.where();
  if (!own.starts_with("--")) return error;
  for (const Option& option : syntax.options) {
    const std::vector<std::string>& names = option.names;
    if (std::find(names.begin(), names.end(), own) == names.end()) continue;
    for (const std::string& word : words) {
      const std::string typed = word.substr(0, word.find('='));
      if (std::find(names.begin(), names.end(), typed) == names.end()) continue;
      if (typed == own) return error;
      const bool named = error.message().find(own.substr(2)) != std::string::npos;
      return {error.kind(), named ? typed : fmt::format("{} ({})", typed, own), error.message(),
              error.hint()};
    }
  }
  return error;
}

// Waits for its writer as a table does, and can be stopped while it waits.
AnyModel model_from_standard_input() {
  claim_standard_input("-");
  Context context;
  context.cancel = &cancel_token();
  const io::SourceBytes bytes = io::read_source("-", {}, context);
  return from_bytes(std::as_bytes(std::span(bytes.view())), "stdin");
}

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

const Entry* learner_named(std::string_view name) {
  for (const Entry* entry : catalogue()) {
    if (entry->info.name == name) return entry;
  }
  return nullptr;
}

void require_learner_or_file(const std::string& word) {
  std::error_code ignored;
  if (word == "-" || std::filesystem::exists(word, ignored)) return;
  // What looks like a path is a missing file, anything else a misspelt learner.
  if (word.find_first_of("/.") != std::string::npos) {
    throw Error(ErrorKind::missing_input, word, "there is no such model file");
  }
  std::vector<std::string> names;
  for (const Entry* entry : catalogue()) names.emplace_back(entry->info.name);
  std::string hint = did_you_mean(word, names);
  if (hint.empty()) hint = "`gradus list` shows the learners";
  usage_error("", fmt::format("there is no learner and no model file {}", in_quotes(word)), hint);
}

AnyModel load_model(const std::string& file) {
  if (file == "-") return model_from_standard_input();
  std::error_code ignored;
  if (learner_named(file) != nullptr && !std::filesystem::exists(file, ignored)) {
    throw Error(ErrorKind::missing_input, file, "this is a learner, and a model file is needed",
                fmt::format("let it learn first: gradus train {} --data FILE --model {}.gradus",
                            file, file));
  }
  return load(file);
}

void run_command(const std::vector<std::string>& words) {
  if (words.empty()) usage_error("", "name a verb", "`gradus --help` shows them");
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (asks_for_help(words.front())) return print_result(command_page());
  if (words.front() == "help") return show_help(rest);
  if (words.front() == "--version" || words.front() == "version") {
    return print_result(fmt::format("gradus {}\n", kVersion));
  }
  remember_command_line(words);
  const Verb& verb = find_verb(words.front());
  const CommandPtr command = verb.make(subject_of(verb, rest));
  const Syntax syntax = command->syntax();
  if (!parse(syntax, rest)) return print_result(help_page(syntax));
  try {
    command->run();
  } catch (const Error& error) {
    throw as_typed(respelled(syntax, error), syntax, rest);
  }
}

}  // namespace gradus::cli
