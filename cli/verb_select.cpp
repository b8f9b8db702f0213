// `gradus select LEARNER --data FILE …`: the columns that a learner needs.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/select_features.hpp"
#include "gradus/report/selection_page.hpp"
#include "learner_options.hpp"
#include "model_page.hpp"
#include "report_file.hpp"
#include "resampling.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

class SelectCommand : public Command {
 public:
  explicit SelectCommand(const Entry* entry) : entry_(entry) {}

  Syntax syntax() override {
    Syntax syntax{.verb = "select",
                  .summary =
                      "Finds the columns that a learner needs: adds the most helpful one by one "
                      "(forward), drops those that are not missed (backward), or the least "
                      "important ones (recursive), judged on the same folds."};
    syntax.operands.push_back(
        {"LEARNER", "one of the names that `gradus list` shows", [](const std::string&) {}});
    add_resampling_options(syntax, how_);
    const std::vector<std::string> methods = select_method_words();
    add_grouped(
        syntax, "Selection",
        {{.names = {"--method"},
          .value = join(methods, "|"),
          .help = "How to search (default forward)",
          .choices = methods,
          .set =
              [this, methods](const std::string& text) {
                const std::string& word = one_of("--method", text, methods);
                options_.method = static_cast<SelectMethod>(
                    std::find(methods.begin(), methods.end(), word) - methods.begin());
              }},
         {.names = {"--keep"},
          .value = "N",
          .help = "Columns wanted (default: as many as help)",
          .set = [this](const std::string& text) { options_.keep = count_of("--keep", text); }},
         {.names = {"--tolerance"},
          .value = "X",
          .help = "A step must help by more than this (default 0)",
          .set =
              [this](const std::string& text) {
                options_.tolerance = number_of("--tolerance", text);
              }},
         {.names = {"--nested"},
          .value = "N",
          .help = "Also an honest figure: a selection inside each of N outer folds",
          .set = [this](const std::string& text) { nested_ = count_of("--nested", text); }},
         text_option("--model", "FILE", "Save a model of the selected columns and all rows",
                     model_file_)});
    if (entry_ != nullptr) add_learner_options(syntax, *entry_, settings_);
    syntax.examples = {
        "gradus select ridge --data cars.csv --target price",
        "gradus select random_forest --data big.csv --target y --method recursive --keep 10"};
    return syntax;
  }

  void run() override {
    const AnyLearner learner = make_learner(*entry_, settings_, how_.run.speech);
    check_resampling(how_, {settings_.config_file});
    require_different("--model", model_file_, {how_.data_file, settings_.config_file, how_.report});
    if (!model_file_.empty()) OutputFile early(model_file_, how_.overwrite());
    ProgressLine progress(how_.run.speech.progress);
    const Context context = make_context(how_.run, &progress);
    const Resampled in = read_and_split(how_, learner.info(), context);
    options_.validate = how_.options;
    const Selection selection = select_features(learner, in.data, in.folds, options_, context);
    std::optional<NestedSelection> nested;
    if (nested_ > 0) {
      options_.inner = inner_folds(in.folds.how, in.folds.how.folds);
      const Folds outer = make_folds(in.data, inner_folds(in.folds.how, nested_));
      nested = select_nested(learner, in.data, outer, options_, context);
    }
    std::optional<AnyModel> model;
    if (!model_file_.empty()) {
      FitOptions fit_options = how_.options.fit;
      fit_options.features = selection.features;
      fit_options.ignore.clear();
      model = fit(learner, in.data, fit_options, context);
    }
    progress.clear();
    deliver({.selection = selection,
             .nested = nested ? &*nested : nullptr,
             .learner = learner,
             .data = in.data,
             .folds_text = in.folds_text,
             .target = how_.options.fit.target,
             .origin = origin_of(how_, in)},
            model);
  }

 private:
  void deliver(const report::SelectionStory& story, const std::optional<AnyModel>& model) const {
    write_report(how_.report, how_.run, [&] { return report::selection_page(story); });
    if (!model) return tell(story, model);
    save_model(*model, model_file_, how_.overwrite(), [&] { tell(story, model); });
  }

  void tell(const report::SelectionStory& story, const std::optional<AnyModel>& model) const {
    if (how_.json) {
      Value out = to_value(story.selection);
      if (story.nested != nullptr) out["nested"] = to_value(*story.nested);
      if (model)
        out["model"] = object({{"file", model_file_}, {"fingerprint", model->fingerprint()}});
      print_result(to_json(out, JsonStyle::indented) + "\n");
    } else if (!how_.run.speech.quiet) {
      print_result(
          report::render_text(report::selection_summary(story), style_of(how_.run.speech)));
    }
  }

  const Entry* entry_;
  Resampling how_;
  SelectOptions options_;
  std::size_t nested_ = 0;
  std::string model_file_;
  LearnerSettings settings_;
};

}  // namespace

CommandPtr make_select(const Entry* learner) { return std::make_unique<SelectCommand>(learner); }

}  // namespace gradus::cli
