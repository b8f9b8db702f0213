// `gradus score FILE --target COL`: predictions in a table against the truth, without a model.
#include "gradus/core/text.hpp"
#include "gradus/evaluate/score_table.hpp"
#include "gradus/report/scores.hpp"
#include "progress.hpp"
#include "validation_options.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

class ScoreCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "score",
                  .summary =
                      "Judges predictions that stand in a table beside the truth, whatever made "
                      "them. Columns p(CLASS) are taken as probabilities of classes."};
    syntax.operands.push_back(
        {"FILE", "a table of predictions", [this](const std::string& text) { file_ = text; }});
    const std::vector<std::string> tasks = {"classification", "regression", "clustering"};
    std::vector<Option> own = {
        text_option("--target", "COL", "The column that holds the truth", columns_.target),
        text_option("--prediction", "COL", "The column of predictions (default prediction)",
                    columns_.prediction),
        text_option("--weights", "COL", "A column of row weights", columns_.weights),
        {.names = {"--task"},
         .value = join(tasks, "|"),
         .help = "What was predicted (default: numbers when both columns are numeric)",
         .choices = tasks,
         .set =
             [this, tasks](const std::string& text) {
               const std::string& word = one_of("--task", text, tasks);
               for (const Task task : {Task::classify, Task::regress, Task::cluster}) {
                 if (word == task_word(task)) columns_.task = task;
               }
             }},
        text_option("--query", "COL", "Numbers: rank rows within each value of this column (NDCG)",
                    options_.query),
        count_option("--top", "Ranks that NDCG looks at (default: all)", 1, options_.top),
        flag_option("--curves", "Also the ROC, precision-recall and gain curves, in JSON", curves_),
        flag_option("--json", "The scores as JSON", json_)};
    add_grouped(syntax, "Data", std::move(own));
    add_measure_options(syntax, options_);
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    syntax.examples = {"gradus score answers.csv --target species",
                       "gradus score other.csv --target y --prediction yhat --interval bootstrap"};
    return syntax;
  }

  void run() override {
    if (columns_.target.empty())
      usage_error("--target", "name the column of the truth: --target COL");
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    const Dataset data = read_data(file_, read_, run_, context);
    if (curves_) options_.classes.curve_points = 10000;
    const Value scores = score_table(data, columns_, options_, context);
    progress.clear();
    if (json_) return print_result(to_json(scores, JsonStyle::indented) + "\n");
    report::Document page{.title = file_,
                          .subtitle = columns_.prediction + " against " + columns_.target};
    page.add(report::KeyValues{{{"rows", std::to_string(data.rows())}}});
    page.add(report::score_blocks(scores));
    print_result(report::render_text(page, style_of(run_.speech)));
  }

 private:
  std::string file_;
  ScoreColumns columns_;
  EvaluateOptions options_;
  bool curves_ = false;
  bool json_ = false;
  ReadOptions read_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_score(const Entry*) { return std::make_unique<ScoreCommand>(); }

}  // namespace gradus::cli
