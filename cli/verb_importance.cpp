// `gradus importance MODEL --data FILE`: which columns the model lives on.
#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/importance.hpp"
#include "gradus/evaluate/require_target.hpp"
#include "gradus/report/influence.hpp"
#include "model_question.hpp"

namespace gradus::cli {
namespace {

class ImportanceCommand : public QuestionCommand {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "importance",
                  .summary =
                      "Which columns a model lives on: what its score loses when a column is "
                      "shuffled (any model), the mean size of what each feature adds to the "
                      "answers (tree models, by exact Shapley values), or, without data, what the "
                      "splits of its trees gained and how many they are."};
    const std::vector<std::string> methods = {"permutation", "contributions", "gain", "split"};
    add_question_options(
        syntax, "Importance",
        {{.names = {"--method"},
          .value = join(methods, "|"),
          .help = "How importance is measured (default permutation)",
          .choices = methods,
          .set = [this, methods](
                     const std::string& word) { method_ = one_of("--method", word, methods); }},
         text_option("--metric", "NAME", "What shuffling costs (default accuracy, or rmse)",
                     options_.metric),
         list_option("--target", "The column with the truth (default: the target of the model)",
                     target_),
         count_option("--repeats", "Shuffles of each column (default 5)", 1, options_.repeats),
         seed_option("Seed of the shuffles (default 0)", options_.seed)});
    syntax.examples = {"gradus importance iris.gradus --data test.csv",
                       "gradus importance prices.gradus --data test.csv --metric mae --repeats 20 "
                       "--report prices.html",
                       "gradus importance boosted.gradus --method gain"};
    return syntax;
  }

 private:
  QuestionAnswer ask(const AnyModel& model, const Dataset& data, const Context& context) override {
    const bool shuffles = method_ == "permutation";
    const Dataset rows = with_target(model, data, target_);
    if (shuffles) require_target(model, rows, question().data_file);
    const Importance importance = importance_of(model, rows, context);
    const std::string on = needs_data() ? " on " + question().data_file : std::string();
    report::Document page{
        .title = question().model_file,
        .subtitle = fmt::format("importance of the columns of {}{}", model.info().name, on)};
    page.add(report::importance_blocks(importance));
    return {to_value(importance), std::move(page), report::importance_figures(importance)};
  }

  bool needs_data() const override {
    return method_ == "permutation" || method_ == "contributions";
  }

  Importance importance_of(const AnyModel& model, const Dataset& data,
                           const Context& context) const {
    if (method_ == "permutation") return permutation_importance(model, data, options_, context);
    if (method_ == "contributions") return contribution_importance(model, data, context);
    return tree_importance(model, method_ == "gain" ? TreeUse::gain : TreeUse::split);
  }

  ImportanceOptions options_;
  std::vector<std::string> target_;
  std::string method_ = "permutation";
};

}  // namespace

CommandPtr make_importance(const Entry*) { return std::make_unique<ImportanceCommand>(); }

}  // namespace gradus::cli
