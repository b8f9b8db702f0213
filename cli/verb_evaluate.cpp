// `gradus evaluate MODEL --data FILE`: predictions against the truth.
#include <fmt/format.h>

#include "common_options.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/report/scores.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

class EvaluateCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "evaluate",
                  .summary =
                      "Predicts every row and compares with the target column: accuracy, "
                      "confusion matrix, precision, recall, log loss and AUC for classes; "
                      "MAE, RMSE and R² for numbers; each beside its baseline."};
    syntax.operands.push_back(
        {"MODEL", "a model file", [this](const std::string& text) { model_file_ = text; }});
    syntax.options.push_back(text_option(
        "--data", "FILE", "Rows with the target column; - is standard input", data_file_));
    syntax.options.back().group = "Data";
    syntax.options.push_back(flag_option("--json", "The scores as JSON", json_));
    syntax.options.back().group = "Data";
    add_extra_option(syntax, predict_.extra);
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    syntax.examples = {"gradus evaluate iris.gradus --data test.csv"};
    return syntax;
  }

  void run() override {
    if (data_file_.empty()) usage_error("--data", "name the rows to evaluate: --data FILE");
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    const AnyModel model = load(model_file_);
    const Dataset data = read_data(data_file_, read_, run_, context);
    require_target(model, data);
    const Value scores = evaluate(model, data, context, predict_);
    progress.clear();
    if (json_) return print_result(to_json(scores, JsonStyle::indented) + "\n");
    report::Document page{.title = model_file_,
                          .subtitle = fmt::format("{} ({}) on {}", model.info().name,
                                                  task_word(model.signature().task), data_file_)};
    page.add(report::KeyValues{{{"rows", std::to_string(data.rows())}}});
    page.add(report::score_blocks(scores));
    print_result(report::render_text(page, style_of(run_.speech)));
  }

 private:
  void require_target(const AnyModel& model, const Dataset& data) const {
    for (const std::string& name : model.signature().outputs) {
      if (data.find(name) != nullptr) continue;
      throw Error(ErrorKind::bad_data, data_file_,
                  fmt::format("there is no column {}, the target of the model", in_quotes(name)),
                  did_you_mean(name, data.names()));
    }
  }

  std::string model_file_;
  std::string data_file_;
  bool json_ = false;
  PredictOptions predict_;
  ReadOptions read_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_evaluate(const Entry*) { return std::make_unique<EvaluateCommand>(); }

}  // namespace gradus::cli
