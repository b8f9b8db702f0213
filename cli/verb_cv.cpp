// `gradus cv LEARNER --data FILE …`: what a learner will do on new rows.
#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/cross_validate.hpp"
#include "gradus/report/scores.hpp"
#include "learner_options.hpp"
#include "model_page.hpp"
#include "progress.hpp"
#include "report_file.hpp"
#include "validation_options.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

class CvCommand : public Command {
 public:
  explicit CvCommand(const Entry* entry) : entry_(entry) {}

  Syntax syntax() override {
    Syntax syntax{.verb = "cv",
                  .summary =
                      "Cross-validation: trains and examines a learner on every fold, preparation "
                      "included, and says how good it will be on new rows, with an interval, "
                      "beside the baseline on the same folds."};
    syntax.operands.push_back(
        {"LEARNER", "one of the names that `gradus list` shows", [](const std::string&) {}});
    add_column_options(syntax, data_file_, options_.fit);
    syntax.options.push_back(text_option("--metric", "NAME",
                                         "The measure that counts (default: accuracy, or rmse)",
                                         options_.metric));
    syntax.options.back().group = "Data";
    syntax.options.push_back(flag_option("--json", "The outcome as JSON", json_));
    syntax.options.back().group = "Data";
    add_report_option(syntax, report_);
    add_fold_options(syntax, folds_);
    add_measure_options(syntax, options_.evaluate);
    add_prepare_options(syntax, options_.fit);
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    if (entry_ != nullptr) add_learner_options(syntax, *entry_, settings_);
    syntax.examples = {"gradus cv naive_bayes --data iris.csv --target species --folds 10",
                       "gradus cv linear_regression --data cars.csv --target price --repeat 5 "
                       "--report price.html"};
    return syntax;
  }

  void run() override {
    const AnyLearner learner = make_learner(*entry_, settings_);
    require_columns_make_sense(data_file_, options_.fit);
    check_report(report_, run_, {data_file_, settings_.config_file});
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    const Dataset data = read_data(data_file_, read_, run_, context);
    const Task task = task_of(learner.info(), data, options_.fit);
    find_metric(options_.metric, task);
    const Folds folds = chosen_folds(folds_, data, task, options_.fit);
    save_folds(folds_, folds, run_.force ? Overwrite::replace : Overwrite::refuse);
    if (!report_.empty()) options_.evaluate.classes.curve_points = 400;
    std::vector<AnyLearner> learners = {learner};
    const bool yardstick = task != Task::cluster && learner.info().name != "baseline";
    if (yardstick) learners.emplace_back("baseline");
    const auto results = cross_validate(learners, data, folds, options_, context);
    const CrossValidation* baseline = yardstick ? &results[1] : nullptr;
    progress.clear();
    if (!report_.empty()) {
      write_report(report_, run_,
                   report::validation_page(
                       {.learner = learner,
                        .data = data,
                        .folds = folds,
                        .result = results[0],
                        .baseline = baseline,
                        .folds_text = folds_text(folds),
                        .target = options_.fit.target,
                        .origin = {command_line(), data_file_, folds.data_fingerprint, ""}}));
    }
    if (json_) {
      Value out = to_value(results[0]);
      out["parameters"] = parameters_value(learner.values());
      out["scheme"] = scheme_word(folds.how.scheme);
      if (baseline != nullptr) {
        out["baseline"] = baseline->estimate.mean ? Value(*baseline->estimate.mean) : Value();
      }
      return print_result(to_json(out, JsonStyle::indented) + "\n");
    }
    print_result(
        report::render_text(terminal_page(folds, results[0], baseline), style_of(run_.speech)));
  }

 private:
  report::Document terminal_page(const Folds& folds, const CrossValidation& result,
                                 const CrossValidation* baseline) const {
    report::Document page{
        .title = std::string(entry_->info.name),
        .subtitle = fmt::format("cross-validation on {}, {}", data_file_, folds_text(folds))};
    const std::string interval = report::interval_text(result.estimate.interval);
    report::KeyValues facts{{{std::string(result.metric.name),
                              report::score_text(result.estimate.mean) +
                                  (interval.empty() ? "" : fmt::format("   ({})", interval))}}};
    facts.items.emplace_back("deviation", report::score_text(result.estimate.deviation));
    if (result.score_632) {
      facts.items.emplace_back(".632 estimate", readable(*result.score_632, 4));
    }
    if (baseline != nullptr) {
      facts.items.emplace_back("baseline", report::score_text(baseline->estimate.mean));
    }
    page.add(std::move(facts));
    if (result.folds.size() <= 30) {
      page.add(report::Heading{"Folds"});
      page.add(report::fold_table(result));
    }
    if (!result.pooled.is_null()) {
      page.add(report::Heading{"All examined rows together"});
      page.add(report::score_blocks(result.pooled));
    }
    return page;
  }

  const Entry* entry_;
  std::string data_file_;
  std::string report_;
  bool json_ = false;
  FoldChoice folds_;
  ValidateOptions options_;
  ReadOptions read_;
  RunOptions run_;
  LearnerSettings settings_;
};

}  // namespace

CommandPtr make_cv(const Entry* learner) { return std::make_unique<CvCommand>(learner); }

}  // namespace gradus::cli
