// `gradus calibrate MODEL --data HELD_OUT --model OUT`: probabilities that mean what they say.
#include "gradus/evaluate/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common_options.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/evaluate/require_target.hpp"
#include "gradus/report/calibration_page.hpp"
#include "model_page.hpp"
#include "progress.hpp"
#include "report_file.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

constexpr const char* kShown[] = {"log_loss", "brier", "ece", "accuracy", "auc"};

std::vector<std::string> methods() {
  const auto words = enum_names(CalibrationMethod{});
  return {words.begin(), words.end()};
}

class CalibrateCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "calibrate",
                  .summary =
                      "Corrects the probabilities of a model by what they turn out to be worth on "
                      "rows that it did not learn from; the model inside stays as it is. To "
                      "calibrate while training, use the learner calibrated."};
    syntax.operands.push_back(
        {"MODEL", "a model file", [this](const std::string& text) { model_file_ = text; }});
    add_grouped(
        syntax, "Data",
        {text_option("--data", "FILE", "Rows with the target column, held out from training",
                     data_file_),
         list_option("--target", "The column with the truth (default: the target of the model)",
                     target_),
         text_option("--weights", "COL", "A column of row weights", options_.weights),
         text_option("--model", "FILE", "Where the calibrated model is saved", output_),
         {.names = {"--method"},
          .value = join(methods(), "|"),
          .help = "The map: sigmoid (Platt's), isotonic (any rising steps; wants many rows) or "
                  "temperature (one number; never changes the class) (default sigmoid)",
          .choices = methods(),
          .set = [this](const std::string& text) { options_.method = method_of(text); }},
         flag_option("--json", "The outcome as JSON", json_)});
    add_report_option(syntax, report_);
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    syntax.examples = {
        "gradus calibrate ill.gradus --data held_out.csv --model honest.gradus",
        "gradus calibrate ill.gradus --data held_out.csv --method isotonic --model honest.gradus "
        "--report honest.html"};
    return syntax;
  }

  void run() override {
    if (data_file_.empty()) usage_error("--data", "name the rows held out: --data FILE");
    if (output_.empty() || output_ == "-") {
      usage_error("--model", "name the file of the calibrated model: --model FILE");
    }
    require_different("--model", output_, {model_file_, data_file_, report_});
    check_report(report_, run_, {model_file_, data_file_});
    const Overwrite overwrite = run_.force ? Overwrite::replace : Overwrite::refuse;
    OutputFile early(output_, overwrite);
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    const AnyModel model = load_model(model_file_);
    const Dataset data = with_target(model, read_data(data_file_, read_, run_, context), target_);
    const AnyModel calibrated = calibrate(model, data, options_, context);
    const Value before = scores(model, data, context);
    const Value after = scores(calibrated, data, context);
    progress.clear();
    write_report(report_, run_, [&] {
      return report::calibration_page(
          {.model = calibrated,
           .data = data,
           .before = before,
           .after = after,
           .method = method_word(),
           .from = model_file_,
           .to = output_,
           .origin = {command_line(), data_file_, data.fingerprint(), calibrated.fingerprint()}});
    });
    save_model(calibrated, output_, overwrite, [&] {
      if (json_) {
        print_result(to_json(outcome(calibrated, before, after), JsonStyle::indented) + "\n");
      } else if (!run_.speech.quiet) {
        print_result(report::render_text(page(calibrated, before, after), style_of(run_.speech)));
      }
    });
  }

 private:
  static CalibrationMethod method_of(const std::string& text) {
    const std::vector<std::string> words = methods();
    const std::string& word = one_of("--method", text, words);
    return static_cast<CalibrationMethod>(std::find(words.begin(), words.end(), word) -
                                          words.begin());
  }

  static Value scores(const AnyModel& model, const Dataset& data, const Context& context) {
    return evaluate(model, data, context, PredictOptions{.extra = Extra::ignore});
  }

  std::string method_word() const {
    return std::string(enum_names(options_.method)[static_cast<std::size_t>(options_.method)]);
  }

  Value outcome(const AnyModel& model, const Value& before, const Value& after) const {
    Value out = object({{"method", method_word()},
                        {"rows", Value(model.provenance().rows)},
                        {"on", "the rows that calibrated"}});
    for (const char* name : kShown) {
      const auto score = [&](const Value& all) {
        const Value* found = all.find(name);
        return found == nullptr ? Value() : *found;
      };
      out["before"][name] = score(before);
      out["after"][name] = score(after);
    }
    out["model"] = object({{"file", output_}, {"fingerprint", model.fingerprint()}});
    return out;
  }

  report::Document page(const AnyModel& model, const Value& before, const Value& after) const {
    report::Document page{
        .title = output_,
        .subtitle = fmt::format("{} calibrated on {}, {}", model_file_, data_file_, method_word())};
    page.add(report::KeyValues{{{"rows", std::to_string(model.provenance().rows)}}});
    page.add(report::calibration_table(before, after));
    page.add(report::KeyValues{{{"saved as", output_}, {"fingerprint", model.fingerprint()}}});
    return page;
  }

  std::string model_file_;
  std::string data_file_;
  std::vector<std::string> target_;
  std::string output_;
  std::string report_;
  bool json_ = false;
  CalibrateOptions options_;
  ReadOptions read_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_calibrate(const Entry*) { return std::make_unique<CalibrateCommand>(); }

}  // namespace gradus::cli
