// `gradus importance MODEL --data FILE`: which columns the model lives on.
#include <fmt/format.h>

#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/importance.hpp"
#include "gradus/report/influence.hpp"
#include "model_question.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

class ImportanceCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "importance",
                  .summary =
                      "Which columns a model lives on: what its score loses when a column is "
                      "shuffled (any model), or the mean size of what each feature adds to the "
                      "answers (tree models, by exact Shapley values)."};
    add_question_options(syntax, question_);
    const std::vector<std::string> methods = {"permutation", "contributions"};
    std::size_t& seed = seed_;
    std::vector<Option> own = {
        {.names = {"--method"},
         .value = "permutation|contributions",
         .help = "How importance is measured (default permutation)",
         .choices = methods,
         .set = [this, methods](
                    const std::string& word) { method_ = one_of("--method", word, methods); }},
        text_option("--metric", "NAME", "What shuffling costs (default accuracy, or rmse)",
                    options_.metric),
        count_option("--repeats", "Shuffles of each column (default 5)", 1, options_.repeats),
        count_option("--seed", "Seed of the shuffles (default 0)", 0, seed)};
    for (Option& option : own) {
      option.group = "Importance";
      syntax.options.push_back(std::move(option));
    }
    syntax.examples = {"gradus importance iris.gradus --data test.csv",
                       "gradus importance prices.gradus --data test.csv --metric mae --repeats 20 "
                       "--report prices.html"};
    return syntax;
  }

  void run() override {
    check_question(question_);
    ProgressLine progress(question_.run.speech.progress);
    const Context context = make_context(question_.run, &progress);
    const AnyModel model = load_model(question_.model_file);
    const Dataset data = read_data(question_.data_file, question_.read, question_.run, context);
    if (data.rows() == 0) {
      throw Error(ErrorKind::bad_data, question_.data_file, "there are 0 rows to ask about");
    }
    options_.seed = seed_;
    const Importance importance = method_ == "permutation"
                                      ? permutation_importance(model, data, options_, context)
                                      : contribution_importance(model, data, context);
    progress.clear();
    report::Document page{.title = question_.model_file,
                          .subtitle = fmt::format("importance of the columns of {} on {}",
                                                  model.info().name, question_.data_file)};
    page.add(report::importance_blocks(importance));
    deliver_answer(question_, model, data,
                   {to_value(importance), std::move(page), report::importance_figures(importance)});
  }

 private:
  ModelQuestion question_;
  ImportanceOptions options_;
  std::size_t seed_ = 0;
  std::string method_ = "permutation";
};

}  // namespace

CommandPtr make_importance(const Entry*) { return std::make_unique<ImportanceCommand>(); }

}  // namespace gradus::cli
