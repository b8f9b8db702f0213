#include "report_file.hpp"

#include "gradus/core/atomic_file.hpp"
#include "gradus/report/render.hpp"
#include "signals.hpp"

namespace gradus::cli {
namespace {

std::string& remembered() {
  static std::string line;
  return line;
}

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

Overwrite overwrite_of(const RunOptions& run) {
  return run.force ? Overwrite::replace : Overwrite::refuse;
}

}  // namespace

void add_report_option(Syntax& syntax, std::string& file) {
  Option option = text_option("--report", "FILE", "Also write one self-contained HTML page", file);
  option.group = "Data";
  syntax.options.push_back(std::move(option));
}

void check_report(const std::string& file, const RunOptions& run,
                  const std::vector<std::string>& inputs) {
  if (!file.empty()) check_output("--report", file, run, inputs);
}

void check_output(const std::string& option, const std::string& file, const RunOptions& run,
                  const std::vector<std::string>& inputs) {
  require_different(option, file, inputs);
  OutputFile early(file, overwrite_of(run));
}

void write_report(const std::string& file, const RunOptions& run,
                  const std::function<report::Document()>& make_page) {
  if (!file.empty()) write_report(file, run, make_page());
}

void write_report(const std::string& file, const RunOptions& run, const report::Document& page) {
  if (!file.empty()) write_output(file, run, report::render_html(page));
}

void write_output(const std::string& file, const RunOptions& run, const std::string& text) {
  const UndisturbedOutput undisturbed(file);
  OutputFile out(file, overwrite_of(run));
  out.write(text);
  out.commit();
}

const std::string& command_line() { return remembered(); }

void remember_command_line(const std::vector<std::string>& words) {
  std::string line = "gradus";
  for (const std::string& word : words) line += " " + shell_quoted(word);
  remembered() = line;
}

}  // namespace gradus::cli
