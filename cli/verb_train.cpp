// `gradus train LEARNER --data FILE …`: from data to a model.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "common_options.hpp"
#include "gradus/api/fit_in_parts.hpp"
#include "gradus/api/save.hpp"
#include "gradus/api/warm_start.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/curves.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "learner_options.hpp"
#include "model_page.hpp"
#include "progress.hpp"
#include "report_file.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include "train_outcome.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

class TrainCommand : public Command {
 public:
  explicit TrainCommand(const Entry* entry) : entry_(entry) {}

  Syntax syntax() override {
    Syntax syntax{.verb = "train", .summary = "Learns a model from a table."};
    if (entry_ != nullptr) syntax.summary = entry_->info.summary;
    syntax.operands.push_back(
        {"LEARNER", "one of the names that `gradus list` shows", [](const std::string&) {}});
    add_column_options(syntax, data_file_, fit_);
    syntax.options.push_back(
        text_option("--model", "FILE", "Where to save the model", model_file_));
    syntax.options.back().group = "Data";
    syntax.options.push_back(flag_option("--json", "The outcome as JSON", json_));
    syntax.options.back().group = "Data";
    syntax.options.push_back(
        text_option("--validation", "FILE",
                    "Rows that never teach, with the columns of the data, and examine while it is "
                    "learned: early stopping and pruning go by them",
                    validation_));
    syntax.options.back().group = "Data";
    add_report_option(syntax, report_);
    syntax.options.push_back(learning_curve_option());
    syntax.options.push_back(flag_option(
        "--keep-partial",
        "When --timeout or Ctrl-C stops it, the model of what is whole by then (trees, rounds, "
        "passes) instead of nothing; the exit code still tells the stop",
        fit_.keep_partial));
    syntax.options.back().group = "Data";
    add_parts_options(syntax);
    add_checkpoint_options(syntax);
    add_prepare_options(syntax, fit_);
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    if (entry_ != nullptr) add_learner_options(syntax, *entry_, settings_);
    syntax.examples = {
        "gradus train naive_bayes --data iris.csv --target species "
        "--model iris.gradus"};
    return syntax;
  }

  void run() override {
    const auto start = Clock::now();
    AnyLearner learner = make_learner(*entry_, settings_, run_.speech);
    check_outputs();
    std::optional<AnyModel> beginning;
    if (!warm_start_.empty()) beginning = load_model(warm_start_);
    if (beginning) begin_with(*beginning, learner);
    settle_checkpoint();
    ProgressLine progress(run_.speech.progress);
    Context context = make_context(run_, &progress);
    if (part_rows_ > 0) return run_in_parts(learner, context, progress);
    Seconds seconds;
    const Dataset data = read_data(data_file_, read_, run_, context);
    std::optional<Dataset> examining;
    if (!validation_.empty()) {
      fit_.validation = &examining.emplace(read_data(validation_, read_, run_, context));
    }
    seconds.read = seconds_since(start);
    fit_.timing = &seconds.fit;
    const AnyModel model = fit(learner, data, fit_, context);
    // The stop has had its effect; what is left is to hand the model out. A second signal ends
    // that.
    if (model.provenance().partial()) context.cancel = nullptr;
    Value metrics = training_metrics(model, data, context);
    seconds.total = seconds_since(start);
    if (!report_.empty()) write_page(model, data, context);
    progress.clear();
    Outcome outcome{data,        model, std::move(metrics),       seconds,
                    data.rows(), 0,     resolve_threads(context), data_file_,
                    model_file_};
    if (examining) outcome.validation = {validation_, examining->rows()};
    deliver(outcome);
    if (model.provenance().partial()) report_stop(model);
  }

 private:
  [[noreturn]] void report_stop(const AnyModel& model) const {
    throw Error(
        ErrorKind::suspended, "", "stopped at your request; what is finished is kept",
        fmt::format("the model {} was {}", model_file_ == "-" ? "on standard output" : model_file_,
                    unfinished_text(model)));
  }

  // Linear learners take the coefficients of a model as a parameter, those with rounds the model
  // itself.
  void begin_with(const AnyModel& from, AnyLearner& learner) {
    if (entry_->fit_from == nullptr) {
      learner = warm_started(std::move(learner), from);
    } else {
      fit_.warm_start = &from;
    }
  }

  void run_in_parts(const AnyLearner& learner, const Context& context, ProgressLine& progress) {
    const auto start = Clock::now();
    TableParts parts(data_file_, read_, part_rows_, context);
    const PartsFit done = fit_in_parts(learner, parts, fit_, {passes_}, context);
    tell_reading(data_file_, parts.report(), run_);
    Value metrics = training_metrics(done.model, done.last, context);
    metrics["on"] = "the last part";
    const Seconds seconds{done.read_seconds, {0, done.fit_seconds}, seconds_since(start)};
    progress.clear();
    deliver({done.last, done.model, std::move(metrics), seconds, done.rows, done.parts,
             resolve_threads(context), data_file_, model_file_});
  }

  Option learning_curve_option() {
    const std::vector<std::string> words = {"auto", "yes", "no"};
    Option option{.names = {"--learning-curve"}, .value = join(words, "|")};
    option.help =
        "Whether the report has a learning curve on three folds, which costs about five more "
        "trainings (default auto: up to 2000 rows and 50000 cells)";
    option.group = "Data";
    option.choices = words;
    option.set = [this, words](const std::string& text) {
      learning_curve_ = one_of("--learning-curve", text, words);
    };
    return option;
  }

  void add_parts_options(Syntax& syntax) {
    add_grouped(
        syntax, "Data",
        {{.names = {"--in-parts"},
          .value = "ROWS",
          .help = "Learn from a CSV file of any size, this many rows at a time; for learners that "
                  "can go on with new rows",
          .set = [this](const std::string& text) { part_rows_ = count_of("--in-parts", text); }},
         count_option("--passes", "How often the file is learned from, in parts (default 1)", 1,
                      passes_),
         {.names = {"--classes"},
          .value = "A,B,...",
          .help = "The classes of the target, where not all occur in the data or the data can be "
                  "read only once (default: those that occur)",
          .set = [this](const std::string& text) { fit_.classes = list_of("--classes", text); }},
         text_option("--warm-start", "MODEL",
                     "Begin with this model: at its coefficients, for linear learners that search, "
                     "or after its rounds, for gradient_boosting",
                     warm_start_)});
  }

  // In parts there is never a whole table to draw, and the passes are those of `--passes`.
  void check_parts() const {
    if (part_rows_ == 0) {
      if (passes_ > 1) usage_error("--passes", "it repeats the parts of --in-parts ROWS");
      return;
    }
    if (!report_.empty()) {
      usage_error("--report", "a report shows a whole table, and in parts there is none",
                  "save the model, and evaluate it on a table with gradus evaluate --report");
    }
    if (!fit_.checkpoint.file.empty()) {
      usage_error("--checkpoint", "there are no checkpoints between parts");
    }
    if (fit_.keep_partial) {
      usage_error("--keep-partial", "of a file in parts there is no model before its end");
    }
    if (!validation_.empty()) {
      usage_error("--validation", "what is learned in parts is not examined on the way",
                  "evaluate the model afterwards with gradus evaluate");
    }
    for (const auto& [name, text] : settings_.flags) {
      const auto& repeats = entry_->extends;
      if (std::find(repeats.begin(), repeats.end(), name) == repeats.end()) continue;
      usage_error("--" + name, "in parts each part is passed over once",
                  "repeat the whole file with --passes " + text);
    }
  }

  void add_checkpoint_options(Syntax& syntax) {
    std::vector<Option> own = {
        text_option("--checkpoint", "FILE", "Keep the state of the training here from time to time",
                    fit_.checkpoint.file),
        count_option("--checkpoint-every", "Rounds between two checkpoints (default 10)", 1,
                     fit_.checkpoint.every),
        flag_option("--resume", "Go on from the checkpoint, if there is one", resume_)};
    add_grouped(syntax, "Checkpoints", std::move(own));
  }

  // A checkpoint that is there is taken up, replaced or left alone, as the user says.
  void settle_checkpoint() {
    const std::string& file = fit_.checkpoint.file;
    if (file.empty()) {
      if (resume_) usage_error("--resume", "say from which checkpoint: --checkpoint FILE");
      if (fit_.checkpoint.every != CheckpointOptions{}.every) {
        usage_error("--checkpoint-every", "say where to keep them: --checkpoint FILE");
      }
      return;
    }
    require_different("--checkpoint", file,
                      {data_file_, model_file_, report_, settings_.config_file});
    fit_.checkpoint.if_kept =
        resume_ ? IfKept::resume : (run_.force ? IfKept::replace : IfKept::refuse);
  }

  // Before anything is read: a mistake must not cost a training.
  void check_outputs() const {
    require_columns_make_sense(data_file_, fit_);
    check_parts();
    if (fit_.keep_partial && model_file_.empty()) {
      usage_error("--keep-partial", "say where to keep the model: --model FILE");
    }
    require_different("--model", model_file_, {data_file_, settings_.config_file});
    require_different("--model", model_file_, {report_, warm_start_});
    require_different("--model", model_file_, {validation_});
    if (data_file_ == "-" && validation_ == "-") {
      usage_error("--validation", "standard input can be read once: name a file");
    }
    if (report_.empty() && learning_curve_ == "yes") {
      usage_error("--learning-curve", "it is drawn in the report: --report FILE");
    }
    if (!fit_.classes.empty() && !entry_->info.tasks.has(Task::classify)) {
      usage_error("--classes", fmt::format("{} gives no classes", entry_->info.name),
                  "leave it out");
    }
    if (!report_.empty()) require_different("--report", report_, {validation_});
    check_report(report_, run_, {data_file_, settings_.config_file});
    if (model_file_ == "-" && json_) {
      usage_error("--model", "--model - and --json both want standard output");
    }
    if (!model_file_.empty()) OutputFile early(model_file_, overwrite());
  }

  Overwrite overwrite() const { return run_.force ? Overwrite::replace : Overwrite::refuse; }

  // The rows with the weights that also taught.
  Dataset weighted(const Dataset& data) const {
    if (fit_.weights.empty()) return data;
    const Column& column = data.column(fit_.weights);
    std::vector<double> weights(data.rows());
    for (std::size_t row = 0; row < weights.size(); ++row) weights[row] = column.number(row);
    return data.with_weights(std::move(weights));
  }

  Value training_metrics(const AnyModel& model, const Dataset& data, const Context& context) const {
    Value out = object({{"on", "training data"}});
    Value scores = evaluate(model, weighted(data), context, {.extra = Extra::ignore});
    for (auto& [name, value] : scores.as_object()) out[name] = std::move(value);
    return out;
  }

  void write_page(const AnyModel& model, const Dataset& data, const Context& context) const {
    EvaluateOptions options;
    options.predict.extra = Extra::ignore;
    options.classes.curve_points = 400;
    const Dataset examined = weighted(data);
    const Predictions predictions = model.predict(examined, context, options.predict);
    const Value scores = evaluate_predictions(model, examined, predictions, options, context);
    const std::optional<Curve> curve = curve_of(model, data, context);
    write_report(report_, run_,
                 report::evaluation_page(
                     {.model = model,
                      .data = data,
                      .predictions = predictions,
                      .scores = scores,
                      .subject = std::string(model.info().name),
                      .on_training_data = true,
                      .curve = curve ? &*curve : nullptr,
                      .origin = {command_line(), data_file_, model.provenance().data_fingerprint,
                                 model.fingerprint()}}));
  }

  bool wants_curve(const AnyModel& model, const Dataset& data) const {
    constexpr std::size_t kFewestRows = 30;
    constexpr std::size_t kMostRows = 2000;
    constexpr std::size_t kMostCells = 50000;
    if (model.provenance().partial()) return false;  // there was no time for one training
    const bool possible = model.signature().task != Task::cluster && fit_.target.size() == 1;
    if (learning_curve_ == "yes" && !possible) {
      usage_error("--learning-curve", "there is a learning curve only for one target");
    }
    if (!possible || learning_curve_ != "auto") return possible && learning_curve_ == "yes";
    return data.rows() >= kFewestRows && data.rows() <= kMostRows && !data.sparse() &&
           data.rows() * data.columns().size() <= kMostCells;
  }

  // How the learner does on rows that it has not seen, and what more rows would bring. Small or
  // lopsided tables may not allow it; then, unless it was asked for, the page goes without.
  std::optional<Curve> curve_of(const AnyModel& model, const Dataset& data,
                                const Context& context) const {
    if (!wants_curve(model, data)) return std::nullopt;
    const bool classes = model.signature().task == Task::classify;
    CurveOptions options{.shares = {0.1, 0.25, 0.5, 0.75, 1}};
    options.validate.fit = fit_;
    options.validate.fit.timing = nullptr;
    options.validate.fit.validation = nullptr;
    options.validate.fit.warm_start = nullptr;
    options.validate.fit.checkpoint = {};
    FoldOptions folds{.scheme = classes ? FoldScheme::stratified : FoldScheme::kfold, .folds = 3};
    if (classes) folds.column = fit_.target.front();
    try {
      return learning_curve(model.learner(), data, make_folds(data, folds), options, context);
    } catch (const Error& error) {
      const bool of_the_data = error.kind() == ErrorKind::usage ||
                               error.kind() == ErrorKind::bad_data ||
                               error.kind() == ErrorKind::numerical;
      if (!of_the_data || learning_curve_ == "yes") throw;
      return std::nullopt;
    }
  }

  void deliver(const Outcome& outcome) const {
    warn(run_.speech, outcome_warnings(outcome));
    if (model_file_.empty()) return tell(outcome);
    save_model(outcome.model, model_file_, overwrite(), [&] { tell(outcome); });
  }

  void tell(const Outcome& outcome) const {
    if (json_) {
      print_result(to_json(outcome_value(outcome), JsonStyle::indented) + "\n");
    } else if (!run_.speech.quiet) {
      const std::string text = report::render_text(outcome_page(outcome), style_of(run_.speech));
      if (model_file_ == "-") {
        complain(text);
      } else {
        print_result(text);
      }
    }
  }

  const Entry* entry_;
  std::string data_file_;
  std::string model_file_;
  std::string report_;
  std::string warm_start_;  // a model to begin with
  std::string validation_;  // a table that examines
  std::string learning_curve_ = "auto";
  bool json_ = false;
  bool resume_ = false;
  std::size_t part_rows_ = 0;  // 0: the table is read as a whole
  std::size_t passes_ = 1;
  FitOptions fit_;
  ReadOptions read_;
  RunOptions run_;
  LearnerSettings settings_;
};

}  // namespace

CommandPtr make_train(const Entry* learner) { return std::make_unique<TrainCommand>(learner); }

}  // namespace gradus::cli
