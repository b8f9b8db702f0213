// `gradus explain LEARNER …` shows every step of a fit; `gradus explain MODEL --row N` those of one
// prediction.
#include <fmt/format.h>

#include <charconv>

#include "common_options.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/text.hpp"
#include "gradus/report/explanation.hpp"
#include "learner_options.hpp"
#include "model_page.hpp"
#include "progress.hpp"
#include "report_file.hpp"
#include "signals.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

class ExplainCommand : public Command {
 public:
  explicit ExplainCommand(const Entry* entry) : entry_(entry) {}

  Syntax syntax() override {
    Syntax syntax{.verb = "explain",
                  .summary =
                      "Shows the work as numbered steps with the numbers in the formulas: "
                      "of a fit (LEARNER), or of one prediction (MODEL with --row)."};
    const bool fits = entry_ != nullptr;
    syntax.operands.push_back({fits ? "LEARNER" : "LEARNER|MODEL",
                               "a learner's name, or a model file",
                               [this](const std::string& text) { subject_ = text; }});
    add_column_options(syntax, data_file_, fit_);
    add_own_options(syntax);
    if (fits) add_prepare_options(syntax, fit_);
    add_read_options(syntax, read_, FormatWord::output);
    add_run_options(syntax, run_);
    if (fits) add_learner_options(syntax, *entry_, settings_);
    syntax.examples = {
        "gradus explain id3 --data weather.csv --target play --format html "
        "--output weather.html",
        "gradus explain iris.gradus --data new.csv --row 3"};
    return syntax;
  }

  void run() override {
    if (entry_ == nullptr) refuse_columns();
    require_columns_make_sense(data_file_, fit_);
    if (entry_ == nullptr && row_ == 0) {
      usage_error("--row", "name the row of the data to explain, 1 being the first: --row N");
    }
    require_different("--output", output_, {data_file_, subject_});
    const Overwrite overwrite = run_.force ? Overwrite::replace : Overwrite::refuse;
    if (output_ != "-") OutputFile early(output_, overwrite);
    require_different("--report", report_, {output_});
    check_report(report_, run_, {data_file_, subject_});
    const std::string text = entry_ != nullptr ? explained_fit() : explained_row();
    const UndisturbedOutput undisturbed(output_);
    OutputFile out(output_, overwrite);
    out.write(text);
    out.commit();
  }

 private:
  // The columns of a model are settled; the help for both uses lists these options.
  void refuse_columns() const {
    const std::pair<const char*, bool> given[] = {{"--target", !fit_.target.empty()},
                                                  {"--features", !fit_.features.empty()},
                                                  {"--ignore", !fit_.ignore.empty()},
                                                  {"--weights", !fit_.weights.empty()}};
    if (subject_.empty()) return;
    require_learner_or_file(subject_);
    for (const auto& [option, is_given] : given) {
      if (is_given) {
        usage_error(option, fmt::format("{} is a model: it has its columns, and only a learner is "
                                        "told them",
                                        in_quotes(subject_)));
      }
    }
  }

  void add_own_options(Syntax& syntax) {
    const std::vector<std::string> formats = {"text", "html", "json"};
    std::vector<Option> own = {
        {.names = {"--format"},
         .value = "text|html|json",
         .help = "What to write (default text)",
         .choices = formats,
         .set = [this, formats](
                    const std::string& word) { format_ = one_of("--format", word, formats); }},
        {.names = {"--json"},
         .help = "As --format json",
         .takes = Takes::nothing,
         .set =
             [this](const std::string&) {
               if (!format_.empty() && format_ != "json") {
                 usage_error("--json",
                             fmt::format("--json and --format {} exclude each other", format_));
               }
               format_ = "json";
             }},
        text_option("--output", "FILE", "Where to write (default: standard output)", output_),
        text_option("--report", "FILE", "Also write one self-contained HTML page", report_)};
    if (entry_ == nullptr) {
      own.push_back({.names = {"--row"},
                     .value = "N",
                     .help = "The row of the data to explain; 1 is the first",
                     .set = [this](const std::string& text) { set_row(text); }});
    }
    add_grouped(syntax, "Explanation", std::move(own));
  }

  void set_row(const std::string& text) {
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, row_);
    if (parsed.ec != std::errc() || parsed.ptr != end || row_ == 0) {
      usage_error("--row", fmt::format("row must be at least 1 (got {})", in_quotes(text)));
    }
  }

  std::string explained_fit() {
    const AnyLearner learner = make_learner(*entry_, settings_, run_.speech);
    ProgressLine progress(run_.speech.progress);
    Context context = make_context(run_, &progress);
    const Dataset data = read_data(data_file_, read_, run_, context);
    Recorder recorder;
    context.trace = &recorder;
    const AnyModel model = fit(learner, data, fit_, context);
    report::Explanation explanation = about(model, recorder);
    explanation.subject_kind = "learner";
    explanation.about = fmt::format("learning from {}", data_file_);
    explanation.facts.items.insert(explanation.facts.items.begin(),
                                   {"rows", std::to_string(data.rows())});
    return rendered(explanation);
  }

  std::string explained_row() {
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    const AnyModel model = load_model(subject_);
    const Dataset data = read_data(data_file_, read_, run_, context);
    Recorder recorder;
    model.explain_row(data, row_ - 1, recorder);
    report::Explanation explanation = about(model, recorder);
    explanation.subject_kind = "model";
    explanation.about = fmt::format("row {} of {}", row_, data_file_);
    const std::size_t chosen[] = {row_ - 1};
    const Dataset one = data.take(chosen);
    for (const SourceColumn& source : model.preparation().sources) {
      if (const Column* column = one.find(source.name)) {
        explanation.facts.items.emplace_back(source.name, column->cell(0));
      }
    }
    return rendered(explanation);
  }

  report::Explanation about(const AnyModel& model, const Recorder& recorder) const {
    report::Explanation explanation{.subject = subject_,
                                    .steps = recorder.steps(),
                                    .dropped = recorder.dropped(),
                                    .fitted = model.fitted(),
                                    .fingerprint = model.fingerprint()};
    if (!target_value(model.signature()).is_null()) {
      explanation.facts.items.emplace_back("target", join(model.signature().outputs, ", "));
    }
    return explanation;
  }

  void write_page(report::Document page) const {
    if (report_.empty()) return;
    page.add(report::origin_blocks({.command = command_line(), .data_file = data_file_}));
    write_report(report_, run_, page);
  }

  std::string rendered(const report::Explanation& explanation) const {
    if (format_ == "json") {
      write_page(report::explanation_document(explanation));
      return to_json(report::explanation_value(explanation), JsonStyle::indented) + "\n";
    }
    const report::Document page = report::explanation_document(explanation);
    write_page(page);
    if (format_ == "html") return report::render_html(page);
    report::TextStyle style = style_of(run_.speech);
    if (output_ != "-" && run_.speech.colour != When::always) style.colour = report::Colour::no;
    return report::render_text(page, style);
  }

  const Entry* entry_;
  std::string subject_;
  std::string data_file_;
  std::string output_ = "-";
  std::string report_;
  std::string format_;
  std::size_t row_ = 0;
  FitOptions fit_;
  ReadOptions read_;
  RunOptions run_;
  LearnerSettings settings_;
};

}  // namespace

CommandPtr make_explain(const Entry* learner) { return std::make_unique<ExplainCommand>(learner); }

}  // namespace gradus::cli
