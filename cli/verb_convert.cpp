// `gradus convert IN OUT`: one data format to another.
#include <fmt/format.h>

#include "common_options.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/format_names.hpp"
#include "gradus/data/io/write.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

std::size_t columns_of(const Dataset& data) {
  return data.columns().size() + (data.sparse() ? data.sparse()->matrix->cols : 0);
}

// Databases are read only, and nothing is written in the format `auto`.
std::vector<std::string> written_formats() {
  std::vector<std::string> words = format_words();
  std::erase_if(words, [](const std::string& word) {
    return word == "auto" || word == "sqlite" || word == "postgresql";
  });
  return words;
}

class ConvertCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "convert",
                  .summary =
                      "Reads a table and writes it in the format of the output's ending, "
                      "all or nothing; - is standard input or output."};
    syntax.operands.push_back(
        {"IN", "the data to read", [this](const std::string& text) { in_ = text; }});
    syntax.operands.push_back(
        {"OUT", "the file to write", [this](const std::string& text) { out_ = text; }});
    syntax.options.push_back({.names = {"--to"},
                              .value = "FORMAT",
                              .help = "Format of the output (default: by the ending; csv for -)",
                              .choices = written_formats(),
                              .set = [this](const std::string& text) {
                                write_.format =
                                    *format_from_word(one_of("--to", text, written_formats()));
                              }});
    syntax.options.push_back(text_option(
        "--target", "COL", "The label of LIBSVM files; stands last in ARFF files", write_.target));
    syntax.options.push_back(flag_option(
        "--csv-safe", "Put ' before cells that a spreadsheet would run", write_.spreadsheet_safe));
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    syntax.examples = {"gradus convert iris.arff iris.csv",
                       "gradus convert 'sqlite:shop.db?SELECT * FROM orders' orders.jsonl.gz"};
    return syntax;
  }

  void run() override {
    require_different("OUT", out_, {in_});
    write_.overwrite = run_.force ? Overwrite::replace : Overwrite::refuse;
    if (out_ == "-" && write_.format == TableFormat::automatic) write_.format = TableFormat::csv;
    require_known_ending();
    require_safe_cells_are_csv();
    if (out_ != "-") OutputFile early(out_, write_.overwrite);
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    const Dataset data = read_data(in_, read_, run_, context);
    if (!write_.target.empty()) data.column(write_.target);
    {
      const UndisturbedOutput undisturbed(out_);
      write_table(data, out_, write_, context);
    }
    progress.clear();
    if (!run_.speech.quiet) {
      complain(fmt::format("{} of {} written to {}", counted(data.rows(), "row"),
                           counted(columns_of(data), "column"),
                           out_ == "-" ? "standard output" : escape_controls(out_)));
    }
  }

 private:
  // What `--format` says is the input; before any work, because the ending is known now.
  void require_known_ending() const {
    try {
      io::format_of_name(out_, write_.format);
    } catch (const Error& error) {
      usage_error(error.where(), error.message(),
                  "say it with --to, one of " + join(written_formats(), ", "));
    }
  }

  void require_safe_cells_are_csv() const {
    const TableFormat format = io::format_of_name(out_, write_.format).format;
    if (!write_.spreadsheet_safe || format == TableFormat::csv || format == TableFormat::tsv)
      return;
    usage_error("--csv-safe", "only CSV files are opened by spreadsheets as they are",
                "leave it out, or write a CSV file");
  }

  std::string in_;
  std::string out_;
  ReadOptions read_;
  WriteOptions write_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_convert(const Entry*) { return std::make_unique<ConvertCommand>(); }

}  // namespace gradus::cli
