// `gradus evaluate MODEL --data FILE`: predictions against the truth.
#include <fmt/format.h>

#include "common_options.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/hypotheses.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/evaluate/require_target.hpp"
#include "gradus/report/scores.hpp"
#include "progress.hpp"
#include "report_file.hpp"
#include "validation_options.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t kCurvePoints = 10000;  // of a curve in JSON
constexpr std::size_t kPagePoints = 400;     // of a curve on a page

class EvaluateCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "evaluate",
                  .summary =
                      "Predicts every row and compares with the target column: accuracy, "
                      "confusion matrix, precision, recall, log loss and AUC for classes; "
                      "MAE, RMSE and R² for numbers; how compact and apart clusters are; "
                      "with confidence intervals, and beside the baseline."};
    syntax.operands.push_back(
        {"MODEL", "a model file", [this](const std::string& text) { model_file_ = text; }});
    syntax.options.push_back(text_option(
        "--data", "FILE", "Rows with the target column; - is standard input", data_file_));
    syntax.options.back().group = "Data";
    syntax.options.push_back(list_option(
        "--target", "The column with the truth (default: the target of the model)", target_));
    syntax.options.back().group = "Data";
    syntax.options.push_back(flag_option("--json", "The scores as JSON", json_));
    syntax.options.back().group = "Data";
    add_report_option(syntax, report_);
    add_own_options(syntax);
    add_measure_options(syntax, options_);
    add_decision_options(syntax, options_);
    add_extra_option(syntax, options_.predict.extra);
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    syntax.examples = {"gradus evaluate iris.gradus --data test.csv",
                       "gradus evaluate ill.gradus --data test.csv --positive ill "
                       "--costs ill:well=20,well:ill=1 --report ill.html",
                       "gradus evaluate ill.gradus --data test.csv --threshold ill=0.05",
                       "gradus evaluate numpy.gradus --data test.csv --target species"};
    return syntax;
  }

  void run() override {
    if (data_file_.empty()) usage_error("--data", "name the rows to evaluate: --data FILE");
    check_report(report_, run_, {model_file_, data_file_});
    decision_of(options_);
    if (!against_data_.empty() && against_.empty()) {
      usage_error("--against-data", "name the other model: --against MODEL");
    }
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    const AnyModel model = load_model(model_file_);
    require_measures_apply(options_, model.signature().task);
    const Dataset data = with_truth(model, read_data(data_file_, read_, run_, context));
    require_target(model, data, data_file_);
    if (data.rows() == 0)
      throw Error(ErrorKind::bad_data, data_file_, "there are 0 rows to evaluate");
    if (curves_) options_.classes.curve_points = kCurvePoints;
    if ((!report_.empty() || plots_) && !curves_) options_.classes.curve_points = kPagePoints;
    const Predictions predictions = model.predict(data, context, options_.predict);
    Value scores = evaluate_predictions(model, data, predictions, options_, context);
    std::string conclusion;
    if (!against_.empty()) {
      const HypothesisComparison comparison = compared(model, data, context);
      scores["against"] = to_value(comparison);
      conclusion = comparison.conclusion;
    }
    progress.clear();
    warn_about_unseen(run_.speech, predictions.unseen);
    const report::EvaluationStory story{
        .model = model,
        .data = data,
        .predictions = predictions,
        .scores = scores,
        .subject = model_file_,
        .origin = {command_line(), data_file_, data.fingerprint(), model.fingerprint()}};
    write_report(report_, run_, [&] {
      report::Document page = report::evaluation_page(story);
      if (!conclusion.empty()) {
        page.blocks.insert(page.blocks.begin() + 1, report::Paragraph{against_words(conclusion)});
      }
      return page;
    });
    if (json_) return print_result(to_json(scores, JsonStyle::indented) + "\n");
    report::Document page{.title = model_file_,
                          .subtitle = fmt::format("{} ({}) on {}", model.info().name,
                                                  task_word(model.signature().task), data_file_)};
    page.add(report::KeyValues{{{"rows", std::to_string(data.rows())}}});
    page.add(report::score_blocks(scores));
    if (!conclusion.empty()) {
      page.add(report::Heading{"Beside " + against_});
      page.add(report::Paragraph{conclusion});
    }
    if (plots_) page.add(report::evaluation_plots(story));
    print_result(report::render_text(page, style_of(run_.speech)));
  }

 private:
  void add_own_options(Syntax& syntax) {
    std::vector<Option> own = {
        flag_option("--curves", "Also the ROC, precision-recall and gain curves, in JSON", curves_),
        flag_option("--plots", "Also small plots in the terminal", plots_),
        text_option("--against", "MODEL", "Classes: is it better than this model? McNemar's test",
                    against_),
        text_option("--against-data", "FILE",
                    "Rows that judge the other model, independent of --data: a z test",
                    against_data_),
        text_option("--truth", "COL", "Clusters: a column of known classes to compare them with",
                    options_.truth),
        text_option("--query", "COL", "Numbers: rank rows within each value of this column (NDCG)",
                    options_.query),
        count_option("--top", "Ranks that NDCG looks at (default: all)", 1, options_.top)};
    add_grouped(syntax, "Measures", std::move(own));
  }

  // Clusters are compared with a column of any name; what a model predicts has the name it learned.
  Dataset with_truth(const AnyModel& model, Dataset data) {
    if (model.signature().task != Task::cluster) return with_target(model, data, target_);
    if (target_.size() > 1) usage_error("--target", "clusters are compared with one column");
    if (!target_.empty() && !options_.truth.empty()) {
      usage_error("--target", "--truth names the same column: give one of them");
    }
    if (!target_.empty()) options_.truth = target_.front();
    return data;
  }

  std::string against_words(const std::string& conclusion) const {
    return fmt::format("Beside the model {} (the second): {}", against_, conclusion);
  }

  // The model against another one: on the same rows, or each on rows of its own.
  HypothesisComparison compared(const AnyModel& model, const Dataset& data,
                                const Context& context) {
    EvaluateOptions options = options_;
    options.predict.extra = Extra::ignore;
    const AnyModel other = load_model(against_);
    const double level = options_.intervals.level;
    const std::vector<bool> own = wrong_rows(model, data, options, context);
    if (against_data_.empty()) {
      return compare_hypotheses(
          own, wrong_rows(other, truth_for(other, model, data), options, context), level);
    }
    const Dataset rows = with_truth(other, read_data(against_data_, read_, run_, context));
    if (rows.rows() == 0) {
      throw Error(ErrorKind::bad_data, against_data_, "there are 0 rows to evaluate");
    }
    return compare_independent(errors_in(own), errors_in(wrong_rows(other, rows, options, context)),
                               level);
  }

  // The rows that one model was asked about, for another that may call its target otherwise.
  Dataset truth_for(const AnyModel& other, const AnyModel& model, const Dataset& data) const {
    return target_.empty() ? data : with_target(other, data, model.signature().outputs);
  }

  std::string model_file_;
  std::string data_file_;
  std::vector<std::string> target_;
  bool json_ = false;
  bool curves_ = false;
  bool plots_ = false;
  std::string against_;
  std::string against_data_;
  std::string report_;
  EvaluateOptions options_;
  ReadOptions read_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_evaluate(const Entry*) { return std::make_unique<EvaluateCommand>(); }

}  // namespace gradus::cli
