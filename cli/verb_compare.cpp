// `gradus compare LEARNER[:parameter=value,...] LEARNER... --data FILE`: which one is better, by
// how much, and how sure that is.
#include <fmt/format.h>

#include <functional>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/compare.hpp"
#include "gradus/evaluate/compare_datasets.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/report/selection_page.hpp"
#include "report_file.hpp"
#include "resampling.hpp"
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
    add_resampling_options(syntax, how_);
    repeatable(syntax, "--data", "; repeat it to compare over several data sets",
               [this](const std::string& text) { files_.push_back(text); });
    repeatable(syntax, "--target", "; once for all data sets, or once for each",
               [this](const std::string& text) { targets_.push_back(list_of("--target", text)); });
    syntax.examples = {
        "gradus compare naive_bayes id3 baseline --data play.csv --target play",
        "gradus compare naive_bayes:alpha=1 naive_bayes:alpha=0.1 --data iris.csv --target species "
        "--scheme five_by_two"};
    return syntax;
  }

  void run() override {
    if (words_.size() < 2) {
      const bool listed = !words_.empty() && words_.front().find(':') == std::string::npos &&
                          words_.front().find(',') != std::string::npos;
      if (listed) usage_error(in_quotes(words_.front()), "part the learners by spaces, not commas");
      usage_error("LEARNER", "name at least two learners to compare",
                  "settings of one learner can be compared too: naive_bayes:alpha=1 "
                  "naive_bayes:alpha=0.1");
    }
    std::vector<AnyLearner> learners;
    for (const std::string& word : words_) learners.push_back(learner_of(word));
    if (files_.size() > 1) return over_datasets(learners);
    if (!files_.empty()) how_.data_file = files_.front();
    how_.options.fit.target = target_of(0);
    check_resampling(how_);
    ProgressLine progress(how_.run.speech.progress);
    const Context context = make_context(how_.run, &progress);
    const Resampled in = read_and_split(how_, learners.front().info(), context);
    std::vector<CrossValidation> results =
        cross_validate(learners, in.data, in.folds, how_.options, context);
    for (std::size_t i = 0; i < words_.size(); ++i) results[i].name = words_[i];
    const Comparison comparison = compare(std::move(results), in.folds, how_.level());
    progress.clear();
    write_report(how_.report, how_.run, [&] {
      return report::comparison_page({.learners = learners,
                                      .data = in.data,
                                      .folds = in.folds,
                                      .result = comparison,
                                      .baseline = nullptr,
                                      .folds_text = in.folds_text,
                                      .target = how_.options.fit.target,
                                      .origin = origin_of(how_, in)});
    });
    if (how_.json) {
      Value out = to_value(comparison);
      out["scheme"] = scheme_word(in.folds.how.scheme);
      return print_result(to_json(out, JsonStyle::indented) + "\n");
    }
    report::Document page{
        .title = fmt::format("{} learners", words_.size()),
        .subtitle = fmt::format("compared on {}, {}", how_.data_file, in.folds_text)};
    page.add(report::comparison_table(comparison));
    page.add(report::comparison_figures(comparison));
    page.add(report::Heading{"Tests"});
    page.add(report::test_table(comparison));
    page.add(report::Heading{"Conclusion"});
    page.add(report::Paragraph{comparison.conclusion});
    print_result(report::render_text(page, style_of(how_.run.speech)));
  }

 private:
  // An option of all verbs that here may be given several times.
  static void repeatable(Syntax& syntax, const std::string& name, const char* more,
                         const std::function<void(const std::string&)>& set) {
    for (Option& option : syntax.options) {
      if (option.name() != name) continue;
      option.repeats = true;
      option.help += more;
      option.set = set;
    }
  }

  std::vector<std::string> target_of(std::size_t i) const {
    if (targets_.size() > 1 && targets_.size() != files_.size()) {
      usage_error("--target", fmt::format("{} targets for {} (give one for all, or one for each)",
                                          targets_.size(), counted(files_.size(), "data set")));
    }
    if (targets_.empty()) return {};
    return targets_.size() == 1 ? targets_.front() : targets_[i];
  }

  void over_datasets(const std::vector<AnyLearner>& learners) {
    check_report(how_.report, how_.run, files_);
    if (!how_.folds.file.empty() || !how_.folds.save_file.empty()) {
      usage_error("--folds", "folds of a file belong to one data set");
    }
    ProgressLine progress(how_.run.speech.progress);
    const Context context = make_context(how_.run, &progress);
    std::vector<DatasetScores> data;
    MetricInfo metric;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      Resampling how = how_;
      how.data_file = files_[i];
      how.options.fit.target = target_of(i);
      const Resampled in = read_and_split(how, learners.front().info(), context);
      metric = find_metric(how.options.metric, in.task);
      DatasetScores own{files_[i], {}};
      for (const CrossValidation& one :
           cross_validate(learners, in.data, in.folds, how.options, context)) {
        if (!one.estimate.mean) {
          throw Error(ErrorKind::bad_data, files_[i],
                      fmt::format("{} of {} is undefined in every fold", metric.words, one.name));
        }
        own.scores.push_back(*one.estimate.mean);
      }
      data.push_back(std::move(own));
    }
    progress.clear();
    const DatasetComparison result =
        compare_over_datasets(words_, std::move(data), metric, how_.level());
    const report::Origin origin{command_line(), join(files_, ", "), "", ""};
    write_report(how_.report, how_.run,
                 [&] { return report::dataset_comparison_page(result, origin); });
    if (how_.json) return print_result(to_json(to_value(result), JsonStyle::indented) + "\n");
    report::Document page{.title = fmt::format("{} learners", words_.size()),
                          .subtitle = fmt::format("compared over {} data sets", files_.size())};
    page.add(report::dataset_comparison_blocks(result));
    print_result(report::render_text(page, style_of(how_.run.speech)));
  }

  std::vector<std::string> words_;
  std::vector<std::string> files_;
  std::vector<std::vector<std::string>> targets_;
  Resampling how_;
};

}  // namespace

CommandPtr make_compare(const Entry*) { return std::make_unique<CompareCommand>(); }

}  // namespace gradus::cli
