#include "model_question.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gradus/core/text.hpp"
#include "report_file.hpp"
#include "terminal.hpp"

namespace gradus::cli {

void add_question_options(Syntax& syntax, ModelQuestion& question) {
  syntax.operands.push_back({"MODEL", "a model file",
                             [&question](const std::string& text) { question.model_file = text; }});
  syntax.options.push_back(
      text_option("--data", "FILE", "Rows to ask about; - is standard input", question.data_file));
  syntax.options.back().group = "Data";
  syntax.options.push_back(flag_option("--json", "The answer as JSON", question.json));
  syntax.options.back().group = "Data";
  add_report_option(syntax, question.report);
  add_read_options(syntax, question.read, FormatWord::data);
  add_run_options(syntax, question.run);
}

void check_question(const ModelQuestion& question) {
  if (question.data_file.empty()) usage_error("--data", "name the rows to ask about: --data FILE");
  check_report(question.report, question.run, {question.model_file, question.data_file});
}

Option count_option(std::string name, std::string help, std::size_t least, std::size_t& target) {
  Option option{.names = {name}, .value = "N", .help = std::move(help)};
  option.set = [name, least, &target](const std::string& text) {
    const double count = number_of(name, text);
    if (count < static_cast<double>(least) || count != std::floor(count) || count > 1e15) {
      usage_error(name, fmt::format("{} must be an integer of at least {} (got {})", name.substr(2),
                                    least, in_quotes(text)));
    }
    target = static_cast<std::size_t>(count);
  };
  return option;
}

void deliver_answer(const ModelQuestion& question, const AnyModel& model, const Dataset& data,
                    const QuestionAnswer& answer) {
  if (!question.report.empty()) {
    report::Document page = answer.page;
    page.add(answer.figures);
    page.add(report::origin_blocks(
        {command_line(), question.data_file, data.fingerprint(), model.fingerprint()}));
    write_report(question.report, question.run, page);
  }
  if (question.json) return print_result(to_json(answer.value, JsonStyle::indented) + "\n");
  print_result(report::render_text(answer.page, style_of(question.run.speech)));
}

}  // namespace gradus::cli
