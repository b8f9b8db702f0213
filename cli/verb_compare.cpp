// `gradus compare LEARNER[:parameter=value,...] LEARNER... --data FILE`: which one is better, by
// how much, and how sure that is.
#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/compare.hpp"
#include "gradus/models/catalogue.hpp"
#include "progress.hpp"
#include "report_file.hpp"
#include "validation_options.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

// `kmeans:n_clusters=3,n_init=5`, or `kmeans:{"n_clusters": 3}`.
AnyLearner learner_of(const std::string& word) {
  const std::size_t colon = word.find(':');
  AnyLearner learner(find_learner(word.substr(0, colon)));
  if (colon == std::string::npos) return learner;
  const std::string settings = word.substr(colon + 1);
  if (settings.starts_with('{')) {
    const Value parsed = parse_json(settings, in_quotes(word));
    for (const auto& [name, value] : parsed.as_object()) learner.set(name, value);
    return learner;
  }
  for (const std::string& setting : split_text(settings, ',')) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      usage_error(in_quotes(word),
                  fmt::format("expected parameter=value (got {})", in_quotes(setting)),
                  "write LEARNER:parameter=value,parameter=value");
    }
    learner.set_text(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return learner;
}

class CompareCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "compare",
                  .summary =
                      "Compares learners, or settings of one, on the same folds: means with "
                      "intervals, ranks, tests that fit the folds, and the conclusion in words."};
    syntax.operands.push_back({"LEARNER[:parameter=value,...]...",
                               "two or more learners, with parameters after a colon",
                               [this](const std::string& text) { words_.push_back(text); }});
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
    syntax.examples = {
        "gradus compare naive_bayes id3 baseline --data play.csv --target play",
        "gradus compare naive_bayes:alpha=1 naive_bayes:alpha=0.1 --data iris.csv --target species "
        "--scheme five_by_two"};
    return syntax;
  }

  void run() override {
    if (words_.size() < 2) {
      usage_error("LEARNER", "name at least two learners to compare",
                  "settings of one learner can be compared too: naive_bayes:alpha=1 "
                  "naive_bayes:alpha=0.1");
    }
    std::vector<AnyLearner> learners;
    for (const std::string& word : words_) learners.push_back(learner_of(word));
    require_columns_make_sense(data_file_, options_.fit);
    check_report(report_, run_, {data_file_});
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    const Dataset data = read_data(data_file_, read_, run_, context);
    const Task task = task_of(learners.front().info(), data, options_.fit);
    find_metric(options_.metric, task);
    const Folds folds = chosen_folds(folds_, data, task, options_.fit);
    save_folds(folds_, folds, run_.force ? Overwrite::replace : Overwrite::refuse);
    std::vector<CrossValidation> results = cross_validate(learners, data, folds, options_, context);
    for (std::size_t i = 0; i < words_.size(); ++i) results[i].name = words_[i];
    const Comparison comparison =
        compare(std::move(results), folds, options_.evaluate.intervals.level);
    progress.clear();
    if (!report_.empty()) {
      write_report(report_, run_,
                   report::comparison_page(
                       {.learners = learners,
                        .data = data,
                        .folds = folds,
                        .result = comparison,
                        .baseline = nullptr,
                        .folds_text = folds_text(folds),
                        .target = options_.fit.target,
                        .origin = {command_line(), data_file_, folds.data_fingerprint, ""}}));
    }
    if (json_) {
      Value out = to_value(comparison);
      out["scheme"] = scheme_word(folds.how.scheme);
      return print_result(to_json(out, JsonStyle::indented) + "\n");
    }
    report::Document page{
        .title = fmt::format("{} learners", words_.size()),
        .subtitle = fmt::format("compared on {}, {}", data_file_, folds_text(folds))};
    page.add(report::comparison_table(comparison));
    page.add(report::Heading{"Tests"});
    page.add(report::test_table(comparison));
    page.add(report::Heading{"Conclusion"});
    page.add(report::Paragraph{comparison.conclusion});
    print_result(report::render_text(page, style_of(run_.speech)));
  }

 private:
  std::vector<std::string> words_;
  std::string data_file_;
  std::string report_;
  bool json_ = false;
  FoldChoice folds_;
  ValidateOptions options_;
  ReadOptions read_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_compare(const Entry*) { return std::make_unique<CompareCommand>(); }

}  // namespace gradus::cli
