// `gradus curve learning|validation|complexity|bias-variance LEARNER --data FILE …`: how the error
// depends on rows and parameters, and what to do about it.
#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/bias_variance.hpp"
#include "gradus/evaluate/curves.hpp"
#include "gradus/report/curve_page.hpp"
#include "learner_options.hpp"
#include "model_page.hpp"
#include "report_file.hpp"
#include "resampling.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = {"learning", "validation", "complexity",
                                               "bias-variance"};
  return all;
}

class CurveCommand : public Command {
 public:
  explicit CurveCommand(const Entry* entry) : entry_(entry) {}

  Syntax syntax() override {
    Syntax syntax{
        .verb = "curve",
        .summary =
            "Shows how the error of a learner depends on the number of rows (learning), on one "
            "parameter (validation; complexity chooses the one that makes models rich), or which "
            "part of it is bias, variance and noise (bias-variance), and says what to try."};
    syntax.operands.push_back(
        {join(kinds(), "|"), "what to look at",
         [this](const std::string& text) { kind_ = one_of("the kind of curve", text, kinds()); }});
    syntax.operands.push_back(
        {"LEARNER", "one of the names that `gradus list` shows", [](const std::string&) {}});
    add_resampling_options(syntax, how_);
    add_grouped(syntax, "Curve", curve_options());
    add_grouped(syntax, "Bias and variance", sample_options());
    if (entry_ != nullptr) add_learner_options(syntax, *entry_, settings_);
    syntax.examples = {
        "gradus curve learning decision_tree --data iris.csv --target species",
        "gradus curve validation ridge --data cars.csv --target price --search alpha=1e-4..1e4:log",
        "gradus curve bias-variance id3 --data play.csv --target play --samples 200"};
    return syntax;
  }

  void run() override {
    const AnyLearner learner = make_learner(*entry_, settings_, how_.run.speech);
    options_.dimension = dimension_of(learner);
    check_resampling(how_, {settings_.config_file});
    ProgressLine progress(how_.run.speech.progress);
    const Context context = make_context(how_.run, &progress);
    if (kind_ == "bias-variance") return run_samples(learner, progress, context);
    const Resampled in = read_and_split(how_, learner.info(), context);
    options_.validate = how_.options;
    const Curve curve = kind_ == "learning"
                            ? learning_curve(learner, in.data, in.folds, options_, context)
                            : validation_curve(learner, in.data, in.folds, options_, context);
    progress.clear();
    const report::CurveStory story{.curve = curve,
                                   .learner = learner,
                                   .data = in.data,
                                   .folds_text = in.folds_text,
                                   .target = how_.options.fit.target,
                                   .origin = origin_of(how_, in)};
    write_report(how_.report, how_.run, [&] { return report::curve_page(story); });
    if (how_.json) {
      Value out = to_value(curve);
      out["parameters"] = parameters_value(learner.values());
      return print_result(to_json(out, JsonStyle::indented) + "\n");
    }
    print_result(report::render_text(report::curve_summary(story), style_of(how_.run.speech)));
  }

 private:
  std::vector<Option> curve_options() {
    return {
        {.names = {"--shares"},
         .value = "X,Y,...",
         .help = "learning: shares of the rows that teach (default eight from 0.1 to 1)",
         .set =
             [this](const std::string& text) {
               for (const std::string& one : list_of("--shares", text)) {
                 options_.shares.push_back(number_of("--shares", one));
               }
             }},
        text_option("--search", "P=VALUES",
                    "validation, complexity: the parameter, as for `gradus tune` (default: the "
                    "one that its description gives a range)",
                    searched_),
        {.names = {"--points"},
         .value = "N",
         .help = "Values along a range (default 10)",
         .set = [this](const std::string& text) { options_.points = count_of("--points", text); }},
        {.names = {"--goal"},
         .value = "SCORE",
         .help = "The score wanted, that the diagnosis goes by (default: half of the baseline's "
                 "error)",
         .set = [this](const std::string& text) { options_.goal = number_of("--goal", text); }}};
  }

  std::vector<Option> sample_options() {
    return {
        {.names = {"--samples"},
         .value = "N",
         .help = "Training sets, drawn with replacement (default 50)",
         .set =
             [this](const std::string& text) { samples_.samples = count_of("--samples", text); }},
        {.names = {"--sample-rows"},
         .value = "N",
         .help = "Rows of each (default: as many as teach)",
         .set =
             [this](const std::string& text) {
               samples_.sample_rows = count_of("--sample-rows", text);
             }},
        flag_option("--exact",
                    "Every possible training set of --sample-rows rows, the table being all "
                    "there is: exact figures",
                    samples_.exact)};
  }

  Dimension dimension_of(const AnyLearner& learner) const {
    if (kind_ == "learning" || kind_ == "bias-variance") {
      if (!searched_.empty())
        usage_error("--search", "only validation and complexity go along one");
      return {};
    }
    if (!searched_.empty()) return parse_dimension(learner, searched_);
    return complexity_dimension(learner);
  }

  void run_samples(const AnyLearner& learner, ProgressLine& progress, const Context& context) {
    const Dataset data = read_data(how_.data_file, how_.read, how_.run, context);
    samples_.validate = how_.options;
    samples_.test = how_.folds.options.test;
    samples_.seed = how_.folds.options.seed;
    const BiasVariance result = bias_variance(learner, data, samples_, context);
    progress.clear();
    const report::Origin origin{command_line(), how_.data_file, data.fingerprint(), ""};
    write_report(how_.report, how_.run, [&] {
      return report::bias_variance_page({result, learner, data, how_.options.fit.target, origin});
    });
    if (how_.json) return print_result(to_json(to_value(result), JsonStyle::indented) + "\n");
    report::Document page{.title = result.learner,
                          .subtitle = "bias and variance on " + how_.data_file};
    page.add(report::bias_variance_blocks(result));
    print_result(report::render_text(page, style_of(how_.run.speech)));
  }

  const Entry* entry_;
  std::string kind_;
  std::string searched_;
  Resampling how_;
  CurveOptions options_;
  BiasVarianceOptions samples_;
  LearnerSettings settings_;
};

}  // namespace

CommandPtr make_curve(const Entry* learner) { return std::make_unique<CurveCommand>(learner); }

}  // namespace gradus::cli
