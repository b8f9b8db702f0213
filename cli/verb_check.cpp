// `gradus check DATA…`: what a reader makes of the data, and what a learner would stumble over.
#include <fmt/format.h>

#include "common_options.hpp"
#include "gradus/core/text.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

report::Document page_of(const std::string& source, const Dataset& data, const ReadReport& report) {
  report::Document page{
      .title = source,
      .subtitle = fmt::format("{}; {}, {}", report.format, counted(data.rows(), "row"),
                              counted(report.columns.size(), "column"))};
  report::Table table{.header = {"column", "kind", "missing", "distinct", "why"},
                      .align = {report::Align::left, report::Align::left, report::Align::right,
                                report::Align::right, report::Align::left}};
  for (const auto& column : report.columns) {
    table.rows.push_back({column.name, std::string(kind_word(column.kind)),
                          std::to_string(column.missing),
                          column.distinct == 0 ? "" : std::to_string(column.distinct), column.why});
  }
  page.add(std::move(table));
  return page;
}

class CheckCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "check",
                  .summary =
                      "Reads data and says what it found: formats, types and why, missing "
                      "cells, and what would disturb learning."};
    syntax.operands.push_back({"DATA...", "one or more data files",
                               [this](const std::string& text) { sources_.push_back(text); }});
    syntax.options.push_back(
        text_option("--target", "COL", "The column that is to be learned", target_));
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    syntax.examples = {"gradus check train.csv --target price", "gradus check train.csv test.csv"};
    return syntax;
  }

  void run() override {
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    std::string text;
    for (const std::string& source : sources_) {
      ReadReport report;
      const Dataset data = read_table(source, read_, &report, context);
      warn(run_.speech, report.warnings);
      if (!target_.empty()) data.column(target_);
      if (!text.empty()) text += "\n";
      text += report::render_text(page_of(source, data, report), style_of(run_.speech));
    }
    progress.clear();
    print_result(text);
  }

 private:
  std::vector<std::string> sources_;
  std::string target_;
  ReadOptions read_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_check(const Entry*) { return std::make_unique<CheckCommand>(); }

}  // namespace gradus::cli
