// `gradus cv LEARNER --data FILE …`: what a learner will do on new rows.
#include <fmt/format.h>

#include <optional>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/with_baseline.hpp"
#include "gradus/report/scores.hpp"
#include "gradus/report/tuning_page.hpp"
#include "model_page.hpp"
#include "report_file.hpp"
#include "resampling.hpp"
#include "search_options.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t kInnerFolds = 5;

class CvCommand : public Command {
 public:
  explicit CvCommand(const Entry* entry) : entry_(entry) {}

  Syntax syntax() override {
    Syntax syntax{.verb = "cv",
                  .summary =
                      "Cross-validation: trains and examines a learner on every fold, preparation "
                      "included, and says how good it will be on new rows, with an interval, "
                      "beside the baseline on the same folds. With --tune the parameters are "
                      "searched anew inside every fold: nested cross-validation."};
    syntax.operands.push_back(
        {"LEARNER", "one of the names that `gradus list` shows", [](const std::string&) {}});
    add_resampling_options(syntax, how_);
    add_grouped(syntax, "Search inside every fold",
                {flag_option("--tune", "Search the parameters with described ranges", tune_),
                 {.names = {"--inner"},
                  .value = "K",
                  .help = "Folds of the search, of the rows that teach (default 5)",
                  .set = [this](const std::string& text) { inner_ = count_of("--inner", text); }}});
    add_grouped(syntax, "Search inside every fold", search_options(choice_, SearchNames::prefixed));
    if (entry_ != nullptr) add_learner_options(syntax, *entry_, settings_);
    syntax.examples = {"gradus cv naive_bayes --data iris.csv --target species --folds 10",
                       "gradus cv linear_regression --data cars.csv --target price --repeat 5 "
                       "--report price.html",
                       "gradus cv ridge --data cars.csv --target price --search alpha=1e-4..10:log "
                       "--inner 5"};
    return syntax;
  }

  void run() override {
    const AnyLearner learner = make_learner(*entry_, settings_, how_.run.speech);
    const bool searches = asks_for_a_search();
    TuneOptions search;
    if (searches) search.space = space_of(choice_, learner, settings_);
    check_resampling(how_, {settings_.config_file});
    ProgressLine progress(how_.run.speech.progress);
    const Context context = make_context(how_.run, &progress);
    const Resampled in = read_and_split(how_, learner.info(), context);
    if (!how_.report.empty()) how_.options.evaluate.classes.curve_points = 400;
    std::vector<CrossValidation> results;
    std::optional<NestedTuning> nested;
    if (searches) {
      nested = searched(learner, in, std::move(search), context);
      results = judged(learner, in, *nested, context);
    } else {
      results =
          cross_validate(with_baseline(learner, in.task), in.data, in.folds, how_.options, context);
    }
    progress.clear();
    deliver({learner, in, results[0], results.size() > 1 ? &results[1] : nullptr,
             nested ? &*nested : nullptr});
  }

 private:
  struct Outcome {
    const AnyLearner& learner;
    const Resampled& in;
    const CrossValidation& result;
    const CrossValidation* baseline;
    const NestedTuning* nested;
  };

  // A search is asked for by --tune or by what it searches; its details alone would do nothing.
  bool asks_for_a_search() const {
    if (tune_ || !choice_.searched.empty()) return true;
    const std::string detail = inner_ > 0 ? "--inner" : choice_.first_option;
    if (!detail.empty()) {
      usage_error(detail, "there is no search that this could be about",
                  "add --tune, or name what is searched: --search PARAMETER=VALUES");
    }
    return false;
  }

  NestedTuning searched(const AnyLearner& learner, const Resampled& in, TuneOptions options,
                        const Context& context) const {
    options.validate = how_.options;
    options.search = choice_.search;
    options.patience = choice_.patience;
    options.inner = inner_folds(in.folds.how, inner_ > 0 ? inner_ : kInnerFolds);
    return tune_nested(learner, in.data, in.folds, options, context);
  }

  std::vector<CrossValidation> judged(const AnyLearner& learner, const Resampled& in,
                                      const NestedTuning& nested, const Context& context) const {
    std::vector<CrossValidation> out = {
        judge_folds({learner, in.data, in.folds, how_.options}, nested.folds, context)};
    const std::vector<AnyLearner> all = with_baseline(learner, in.task);
    if (all.size() > 1) {
      out.push_back(cross_validate(all[1], in.data, in.folds, how_.options, context));
    }
    return out;
  }

  void deliver(const Outcome& outcome) const {
    const Resampled& in = outcome.in;
    write_report(how_.report, how_.run, [&] {
      return report::validation_page({.learner = outcome.learner,
                                      .data = in.data,
                                      .folds = in.folds,
                                      .result = outcome.result,
                                      .baseline = outcome.baseline,
                                      .nested = outcome.nested,
                                      .folds_text = in.folds_text,
                                      .target = how_.options.fit.target,
                                      .origin = origin_of(how_, in)});
    });
    if (!how_.json) {
      return print_result(report::render_text(terminal_page(outcome), style_of(how_.run.speech)));
    }
    Value out = to_value(outcome.result);
    out["parameters"] = parameters_value(outcome.learner.values());
    out["scheme"] = scheme_word(in.folds.how.scheme);
    if (outcome.baseline != nullptr) {
      const auto& mean = outcome.baseline->estimate.mean;
      out["baseline"] = mean ? Value(*mean) : Value();
    }
    if (outcome.nested != nullptr) out["nested"] = to_value(*outcome.nested);
    print_result(to_json(out, JsonStyle::indented) + "\n");
  }

  report::Document terminal_page(const Outcome& outcome) const {
    const CrossValidation& result = outcome.result;
    const CrossValidation* baseline = outcome.baseline;
    report::Document page{.title = std::string(entry_->info.name),
                          .subtitle = fmt::format("{}cross-validation on {}, {}",
                                                  outcome.nested == nullptr ? "" : "nested ",
                                                  how_.data_file, outcome.in.folds_text)};
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
      if (outcome.nested == nullptr) {
        page.add(report::fold_table(result));
      } else {
        page.add(report::nested_table(*outcome.nested));
      }
    }
    if (!result.pooled.is_null()) {
      page.add(report::Heading{"All examined rows together"});
      page.add(report::score_blocks(result.pooled));
    }
    return page;
  }

  const Entry* entry_;
  Resampling how_;
  bool tune_ = false;
  std::size_t inner_ = 0;
  SearchChoice choice_;
  LearnerSettings settings_;
};

}  // namespace

CommandPtr make_cv(const Entry* learner) { return std::make_unique<CvCommand>(learner); }

}  // namespace gradus::cli
