// `gradus tune LEARNER --data FILE …`: the parameters that serve a learner best.
#include <fmt/format.h>

#include <optional>

#include "gradus/core/text.hpp"
#include "gradus/report/tuning_page.hpp"
#include "model_page.hpp"
#include "report_file.hpp"
#include "resampling.hpp"
#include "search_options.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

class TuneCommand : public Command {
 public:
  explicit TuneCommand(const Entry* entry) : entry_(entry) {}

  Syntax syntax() override {
    Syntax syntax{
        .verb = "tune",
        .summary =
            "Tries settings of a learner on the same folds and finds the best. What is searched "
            "comes from the descriptions of the parameters, or from --search; parameters that are "
            "given stay as they are. With --model the winner learns from all rows and is saved."};
    syntax.operands.push_back(
        {"LEARNER", "one of the names that `gradus list` shows", [](const std::string&) {}});
    add_resampling_options(syntax, how_);
    add_grouped(syntax, "Search", search_options(choice_, SearchNames::both));
    add_grouped(syntax, "Search", own_options());
    if (entry_ != nullptr) add_learner_options(syntax, *entry_, settings_);
    syntax.examples = {
        "gradus tune decision_tree --data iris.csv --target species --model best.gradus",
        "gradus tune ridge --data cars.csv --target price --search alpha=1e-4..10:log "
        "--method telescopic --nested 5",
        "gradus tune random_forest --data big.csv --target y --method halving --trials 81 "
        "--journal y.journal"};
    return syntax;
  }

  void run() override {
    const AnyLearner learner = make_learner(*entry_, settings_, how_.run.speech);
    options_.space = space_of(choice_, learner, settings_);
    options_.search = choice_.search;
    options_.patience = choice_.patience;
    check_outputs();
    ProgressLine progress(how_.run.speech.progress);
    const Context context = make_context(how_.run, &progress);
    const Resampled in = read_and_split(how_, learner.info(), context);
    options_.validate = how_.options;
    options_.inner = in.folds.how;
    std::optional<TuneJournal> journal;
    if (!journal_file_.empty()) {
      journal.emplace(journal_file_, journal_identity(learner, in.folds, how_.options));
      options_.journal = &*journal;
      if (journal->found() > 0) {
        warn(how_.run.speech, {fmt::format("{}: {} taken from the journal", journal_file_,
                                           counted(journal->found(), "finished fold"))});
      }
    }
    const Tuning tuning = searched(learner, in, context);
    const std::optional<NestedTuning> nested = nested_of(learner, in, context);
    std::optional<AnyModel> model;
    if (!model_file_.empty()) {
      model = fit(tuning.winner, in.data, winning_fit(tuning, options_), context);
    }
    progress.clear();
    deliver(in, tuning, nested, model);
  }

 private:
  Tuning searched(const AnyLearner& learner, const Resampled& in, const Context& context) const {
    try {
      return tune(learner, in.data, in.folds, options_, context);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::interrupted || options_.journal == nullptr) throw;
      throw Error(ErrorKind::suspended, "--journal",
                  "stopped at your request; the journal keeps the finished folds",
                  "the same command goes on from there");
    }
  }

  std::vector<Option> own_options() {
    return {{.names = {"--nested"},
             .value = "N",
             .help = "Also an honest figure: a search inside each of N outer folds",
             .set = [this](const std::string& text) { nested_ = count_of("--nested", text); }},
            text_option("--journal", "FILE",
                        "Keep every finished fold here; the same command goes on after a kill",
                        journal_file_),
            text_option("--model", "FILE", "Save the winner, learned from all rows", model_file_)};
  }

  // Before anything is read: a mistake must not cost a search.
  void check_outputs() const {
    check_resampling(how_, {settings_.config_file});
    const std::vector<std::string> inputs = {how_.data_file, settings_.config_file};
    require_different("--model", model_file_, inputs);
    require_different("--journal", journal_file_, inputs);
    require_different("--model", model_file_, {how_.report, journal_file_});
    require_different("--journal", journal_file_, {how_.report});
    if (model_file_ == "-" || journal_file_ == "-") {
      usage_error("--model", "a search writes its model and its journal to files");
    }
    if (!model_file_.empty()) OutputFile early(model_file_, how_.overwrite());
  }

  std::optional<NestedTuning> nested_of(const AnyLearner& learner, const Resampled& in,
                                        const Context& context) const {
    if (nested_ == 0) return std::nullopt;
    FoldOptions outer = in.folds.how;
    outer.folds = nested_;
    outer.repeats = 1;
    return tune_nested(learner, in.data, make_folds(in.data, outer), options_, context);
  }

  void deliver(const Resampled& in, const Tuning& tuning, const std::optional<NestedTuning>& nested,
               const std::optional<AnyModel>& model) const {
    const report::TuningStory story{.tuning = tuning,
                                    .nested = nested ? &*nested : nullptr,
                                    .data = in.data,
                                    .folds_text = in.folds_text,
                                    .target = how_.options.fit.target,
                                    .origin = origin_of(how_, in)};
    write_report(how_.report, how_.run, [&] { return report::tuning_page(story); });
    const std::string scheme(scheme_word(in.folds.how.scheme));
    if (!model) return tell(story, scheme, model);
    save_model(*model, model_file_, how_.overwrite(), [&] { tell(story, scheme, model); });
  }

  void tell(const report::TuningStory& story, const std::string& scheme,
            const std::optional<AnyModel>& model) const {
    if (how_.json) {
      Value out = to_value(story.tuning);
      out["scheme"] = scheme;
      out["parameters"] = parameters_value(story.tuning.winner.values());
      if (story.nested != nullptr) out["nested"] = to_value(*story.nested);
      if (model)
        out["model"] = object({{"file", model_file_}, {"fingerprint", model->fingerprint()}});
      print_result(to_json(out, JsonStyle::indented) + "\n");
    } else if (!how_.run.speech.quiet) {
      report::Document page = report::tuning_summary(story);
      if (model) {
        page.add(
            report::KeyValues{{{"saved as", model_file_}, {"fingerprint", model->fingerprint()}}});
      }
      print_result(report::render_text(page, style_of(how_.run.speech)));
    }
  }

  const Entry* entry_;
  Resampling how_;
  TuneOptions options_;
  SearchChoice choice_;
  std::size_t nested_ = 0;
  std::string journal_file_;
  std::string model_file_;
  LearnerSettings settings_;
};

}  // namespace

CommandPtr make_tune(const Entry* learner) { return std::make_unique<TuneCommand>(learner); }

}  // namespace gradus::cli
