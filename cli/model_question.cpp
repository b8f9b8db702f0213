#include "model_question.hpp"

#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "progress.hpp"
#include "report_file.hpp"
#include "terminal.hpp"

namespace gradus::cli {

void QuestionCommand::add_question_options(Syntax& syntax, const char* group,
                                           std::vector<Option> own) {
  ModelQuestion& question = question_;
  syntax.operands.push_back({"MODEL", "a model file",
                             [&question](const std::string& text) { question.model_file = text; }});
  add_grouped(
      syntax, "Data",
      {text_option("--data", "FILE", "Rows to ask about; - is standard input", question.data_file),
       flag_option("--json", "The answer as JSON", question.json)});
  add_report_option(syntax, question.report);
  add_read_options(syntax, question.read, FormatWord::data);
  add_run_options(syntax, question.run);
  add_grouped(syntax, group, std::move(own));
}

void QuestionCommand::run() {
  const ModelQuestion& q = question_;
  const bool has_data = !q.data_file.empty();
  if (!has_data && needs_data()) {
    usage_error("--data", "name the rows to ask about: --data FILE");
  }
  check_report(q.report, q.run, {q.model_file, q.data_file});
  ProgressLine progress(q.run.speech.progress);
  const Context context = make_context(q.run, &progress);
  const AnyModel model = load_model(q.model_file);
  const Dataset data = has_data ? read_data(q.data_file, q.read, q.run, context) : Dataset();
  if (has_data && data.rows() == 0) {
    throw Error(ErrorKind::bad_data, q.data_file, "there are 0 rows to ask about");
  }
  const QuestionAnswer answer = ask(model, data, context);
  progress.clear();
  deliver(model, data, answer);
}

void QuestionCommand::deliver(const AnyModel& model, const Dataset& data,
                              const QuestionAnswer& answer) const {
  if (!question_.report.empty()) {
    report::Document page = answer.page;
    page.add(answer.figures);
    page.add(report::origin_blocks(
        {command_line(), question_.data_file, data.fingerprint(), model.fingerprint()}));
    write_report(question_.report, question_.run, page);
  }
  if (question_.json) return print_result(to_json(answer.value, JsonStyle::indented) + "\n");
  print_result(report::render_text(answer.page, style_of(question_.run.speech)));
}

}  // namespace gradus::cli
