// `gradus split DATA --shares 0.6,0.2,0.2 --output train.csv,validation.csv,test.csv`.
#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/write.hpp"
#include "progress.hpp"
#include "validation_options.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

class SplitCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "split",
                  .summary =
                      "Shares the rows of a table out to several files: at random, with the "
                      "classes in equal shares, by group, or by time."};
    syntax.operands.push_back(
        {"DATA", "a data file", [this](const std::string& text) { data_file_ = text; }});
    std::vector<Option> own = {
        {.names = {"--shares"},
         .value = "X,Y,...",
         .help = "Shares of the rows, one per output (default 0.6,0.2,0.2)",
         .set = [this](const std::string& text) { options_.shares = shares_of(text); }},
        {.names = {"--output"},
         .value = "FILE,...",
         .help = "One file per share; the format goes by the ending",
         .set = [this](const std::string& text) { outputs_ = list_of("--output", text); }},
        by("--stratify", "A column whose values every part has in the same shares",
           FoldScheme::stratified),
        by("--group", "Rows with the same value here go to the same part", FoldScheme::group),
        by("--time", "Earlier rows go to the first part, later ones to the last", FoldScheme::time),
        seed_option("Seed of the random choice (default 0)", options_.seed)};
    add_grouped(syntax, "Parts", std::move(own));
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    syntax.examples = {
        "gradus split all.csv --shares 0.7,0.3 --output train.csv,test.csv --stratify species"};
    return syntax;
  }

  void run() override {
    if (outputs_.size() != options_.shares.size()) {
      usage_error("--output",
                  fmt::format("{} need as many files (got {})",
                              counted(options_.shares.size(), "share"), outputs_.size()),
                  "--output train.csv,validation.csv,test.csv");
    }
    WriteOptions write;
    write.overwrite = run_.force ? Overwrite::replace : Overwrite::refuse;
    for (const std::string& output : outputs_) {
      require_different("--output", output, {data_file_});
      if (std::count(outputs_.begin(), outputs_.end(), output) > 1) {
        usage_error("--output", fmt::format("{} is named twice", in_quotes(output)));
      }
      OutputFile early(output, write.overwrite);
    }
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    const Dataset data = read_data(data_file_, read_, run_, context);
    const auto parts = partition_rows(data, options_);
    progress.clear();
    report::Table table{.header = {"file", "rows"},
                        .align = {report::Align::left, report::Align::right}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      write_table(data.take(parts[i]), outputs_[i], write);
      table.rows.push_back({outputs_[i], std::to_string(parts[i].size())});
    }
    if (run_.speech.quiet) return;
    report::Document page{.title = data_file_, .subtitle = "shared out"};
    page.add(std::move(table));
    print_result(report::render_text(page, style_of(run_.speech)));
  }

 private:
  Option by(const std::string& name, const char* help, FoldScheme scheme) {
    return {.names = {name},
            .value = "COL",
            .help = help,
            .set = [this, name, scheme](const std::string& text) {
              if (!options_.column.empty())
                usage_error(name, "rows are shared out in one way only");
              options_.scheme = scheme;
              options_.column = text;
            }};
  }

  static std::vector<double> shares_of(const std::string& text) {
    std::vector<double> out;
    for (const std::string& one : list_of("--shares", text)) {
      out.push_back(number_of("--shares", one));
    }
    return out;
  }

  std::string data_file_;
  std::vector<std::string> outputs_;
  PartitionOptions options_;
  ReadOptions read_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_split(const Entry*) { return std::make_unique<SplitCommand>(); }

}  // namespace gradus::cli
