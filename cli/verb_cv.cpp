// `gradus cv LEARNER --data FILE …`: what a learner will do on new rows.
#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/report/scores.hpp"
#include "learner_options.hpp"
#include "model_page.hpp"
#include "report_file.hpp"
#include "resampling.hpp"
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
    add_resampling_options(syntax, how_);
    if (entry_ != nullptr) add_learner_options(syntax, *entry_, settings_);
    syntax.examples = {"gradus cv naive_bayes --data iris.csv --target species --folds 10",
                       "gradus cv linear_regression --data cars.csv --target price --repeat 5 "
                       "--report price.html"};
    return syntax;
  }

  void run() override {
    const AnyLearner learner = make_learner(*entry_, settings_);
    check_resampling(how_, {settings_.config_file});
    ProgressLine progress(how_.run.speech.progress);
    const Context context = make_context(how_.run, &progress);
    const Resampled in = read_and_split(how_, learner.info(), context);
    if (!how_.report.empty()) how_.options.evaluate.classes.curve_points = 400;
    const auto results =
        cross_validate(with_baseline(learner, in.task), in.data, in.folds, how_.options, context);
    const CrossValidation* baseline = results.size() > 1 ? &results[1] : nullptr;
    progress.clear();
    write_report(how_.report, how_.run, [&] {
      return report::validation_page({.learner = learner,
                                      .data = in.data,
                                      .folds = in.folds,
                                      .result = results[0],
                                      .baseline = baseline,
                                      .folds_text = in.folds_text,
                                      .target = how_.options.fit.target,
                                      .origin = origin_of(how_, in)});
    });
    if (how_.json) {
      Value out = to_value(results[0]);
      out["parameters"] = parameters_value(learner.values());
      out["scheme"] = scheme_word(in.folds.how.scheme);
      if (baseline != nullptr) {
        out["baseline"] = baseline->estimate.mean ? Value(*baseline->estimate.mean) : Value();
      }
      return print_result(to_json(out, JsonStyle::indented) + "\n");
    }
    print_result(report::render_text(terminal_page(in.folds, results[0], baseline),
                                     style_of(how_.run.speech)));
  }

 private:
  report::Document terminal_page(const Folds& folds, const CrossValidation& result,
                                 const CrossValidation* baseline) const {
    report::Document page{
        .title = std::string(entry_->info.name),
        .subtitle = fmt::format("cross-validation on {}, {}", how_.data_file, folds_text(folds))};
    const std::string interval = report::interval_text(result.estimate.interval);
    report::KeyValues facts{{{std::string(result.metric.name),
                              report::score_text(result.estimate.mean) +
                                  (interval.empty() ? "" : fmt::format("   ({})", interval))}}};
    facts.items.emplace_back("deviation", report::score_text(result.estimate.deviation));
    if (result.score_632) {
      facts.items.emplace_back(".632 estimate", readable(*result.score_632, 4));
    }
    if (result.score_632_plus) {
      facts.items.emplace_back(".632+ estimate", readable(*result.score_632_plus, 4));
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
  Resampling how_;
  LearnerSettings settings_;
};

}  // namespace

CommandPtr make_cv(const Entry* learner) { return std::make_unique<CvCommand>(learner); }

}  // namespace gradus::cli
