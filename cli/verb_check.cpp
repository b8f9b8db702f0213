// `gradus check DATA…`: what a reader makes of the data, and what a learner would stumble over. A
// second table is compared with the first.
#include <fmt/format.h>

#include <algorithm>

#include "common_options.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/doctor.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/report/data_summary.hpp"
#include "progress.hpp"
#include "report_file.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

struct Examined {
  std::string source;
  Dataset data;
  ReadReport report;
  Findings findings;
  std::vector<std::size_t> distinct;  // values of each column of the report
};

report::Table column_table(const Examined& file) {
  report::Table table{.header = {"column", "kind", "missing", "distinct", "why"},
                      .align = {report::Align::left, report::Align::left, report::Align::right,
                                report::Align::right, report::Align::left}};
  for (std::size_t j = 0; j < file.report.columns.size(); ++j) {
    const auto& column = file.report.columns[j];
    table.rows.push_back({column.name, std::string(kind_word(column.kind)),
                          std::to_string(column.missing), std::to_string(file.distinct[j]),
                          column.why});
  }
  return table;
}

report::Document page_of(const Examined& file) {
  report::Document page{
      .title = file.source,
      .subtitle = fmt::format("{}; {}, {}", file.report.format, counted(file.data.rows(), "row"),
                              counted(file.report.columns.size(), "column"))};
  page.add(column_table(file));
  page.add(report::Heading{"Findings"});
  if (file.findings.empty()) page.add(report::Paragraph{"Nothing would disturb learning."});
  report::Table table;
  for (const Finding& finding : file.findings) {
    table.rows.push_back(
        {std::string(severity_word(finding.severity)), finding.column, finding.text});
  }
  if (!table.rows.empty()) page.add(std::move(table));
  return page;
}

Value value_of(const Examined& file) {
  Value columns = Value::Array();
  for (std::size_t j = 0; j < file.report.columns.size(); ++j) {
    const auto& column = file.report.columns[j];
    columns.push_back(object({{"name", column.name},
                              {"kind", kind_word(column.kind)},
                              {"why", column.why},
                              {"missing", Value(column.missing)},
                              {"distinct", Value(file.distinct[j])}}));
  }
  Value out = object({{"data", file.source}, {"format", file.report.format}});
  out["rows"] = Value(file.data.rows());
  out["columns"] = std::move(columns);
  out["warnings"] = Value(file.report.warnings);
  out["findings"] = to_value(file.findings);
  return out;
}

class CheckCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "check",
                  .summary =
                      "Reads data and says what it found: types and why, missing cells, "
                      "constants, duplicates, identifiers, class balance, outliers, leaks; "
                      "with more files, how they differ from the first. Exits with 1 when "
                      "there is a problem that learning would not survive."};
    syntax.operands.push_back({"DATA...", "one or more data files",
                               [this](const std::string& text) { sources_.push_back(text); }});
    syntax.options.push_back(
        text_option("--target", "COL", "The column that is to be learned", target_));
    syntax.options.push_back(flag_option("--json", "The findings as JSON", json_));
    add_report_option(syntax, report_);
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    syntax.examples = {"gradus check train.csv --target price", "gradus check train.csv test.csv"};
    return syntax;
  }

  void run() override {
    if (std::count(sources_.begin(), sources_.end(), "-") > 1) {
      usage_error("DATA", "standard input can be read once: name a file");
    }
    check_report(report_, run_, sources_);
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    std::vector<Examined> files;
    for (const std::string& source : sources_) files.push_back(read(source, context));
    for (std::size_t i = 0; i < files.size(); ++i) examine_file(files, i, context);
    progress.clear();
    if (!report_.empty()) write_report(report_, run_, whole_page(files));
    show(files);
    refuse_problems(files);
  }

 private:
  report::Document whole_page(const std::vector<Examined>& files) const {
    report::Document page{.title = "Data check", .subtitle = join(sources_, ", ")};
    for (const Examined& file : files) {
      page.add(report::Heading{file.source});
      const report::Document one = page_of(file);
      page.add(report::Paragraph{one.subtitle});
      page.add(report::data_summary(
          file.data, target_.empty() ? std::vector<std::string>{} : std::vector{target_}));
      page.add(one.blocks);
    }
    page.add(report::origin_blocks({.command = command_line()}));
    return page;
  }

  Examined read(const std::string& source, const Context& context) const {
    Examined file{.source = source, .data = {}, .report = {}, .findings = {}, .distinct = {}};
    file.data = read_table(source, read_, &file.report, context);
    warn(run_.speech, file.report.warnings);
    file.distinct =
        parallel::map_slots<std::size_t>(context, file.report.columns.size(), [&](std::size_t j) {
          const Column* column = file.data.find(file.report.columns[j].name);
          return column == nullptr ? 0 : distinct_values(*column);
        });
    return file;
  }

  // The first table is examined with the second beside it, each further one by itself.
  void examine_file(std::vector<Examined>& files, std::size_t index, const Context& context) const {
    Examined& file = files[index];
    DoctorOptions options{.target = target_};
    if (index == 0 && files.size() > 1) options.other = &files[1].data;
    // A second file may be the test data without the answers.
    if (index > 0 && file.data.find(target_) == nullptr) options.target.clear();
    file.findings = examine(file.data, options, context);
  }

  void show(const std::vector<Examined>& files) const {
    if (json_) {
      Value all = Value::Array();
      for (const Examined& file : files) all.push_back(value_of(file));
      return print_result(to_json(object({{"files", all}}), JsonStyle::indented) + "\n");
    }
    std::string text;
    for (const Examined& file : files) {
      if (!text.empty()) text += "\n";
      text += report::render_text(page_of(file), style_of(run_.speech));
    }
    print_result(text);
  }

  static void refuse_problems(const std::vector<Examined>& files) {
    for (const Examined& file : files) {
      const auto count =
          std::count_if(file.findings.begin(), file.findings.end(),
                        [](const auto& f) { return f.severity == Severity::problem; });
      if (count == 0) continue;
      throw Error(ErrorKind::check_failed, file.source,
                  fmt::format("{} found", counted(static_cast<std::size_t>(count), "problem")));
    }
  }

  std::vector<std::string> sources_;
  std::string target_;
  std::string report_;
  bool json_ = false;
  ReadOptions read_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_check(const Entry*) { return std::make_unique<CheckCommand>(); }

}  // namespace gradus::cli
