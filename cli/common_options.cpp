#include "common_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <functional>

#include "gradus/core/text.hpp"
#include "signals.hpp"

namespace gradus::cli {
namespace {

constexpr const char* kReading = "Reading the data";
constexpr const char* kPreparing = "Preparing the data";
constexpr const char* kRunning = "Running";

Option limit_option(std::string name, std::string help, std::uint64_t& target) {
  help += fmt::format(" (default {})", target);
  return {.names = {name},
          .value = "N",
          .help = std::move(help),
          .group = kReading,
          .set = [name, &target](const std::string& text) { target = bytes_of(name, text); }};
}

Option choice_option(std::string name, std::string help, std::vector<std::string> choices,
                     std::function<void(const std::string&)> set) {
  auto checked = [name, choices, set = std::move(set)](const std::string& text) {
    set(one_of(name, text, choices));
  };
  return {.names = {name},
          .value = join(choices, "|"),
          .help = std::move(help),
          .choices = choices,
          .set = std::move(checked)};
}

// `size=small<medium<large`
void read_ordinal(const std::string& text, ReadOptions& options) {
  const std::size_t equals = text.find('=');
  const std::string column = text.substr(0, equals);
  const auto levels = equals == std::string::npos ? std::vector<std::string>{}
                                                  : split_text(text.substr(equals + 1), '<');
  if (column.empty() || levels.size() < 2) {
    usage_error("--ordinal", fmt::format("expected COLUMN=LOW<…<HIGH (got {})", in_quotes(text)),
                "write --ordinal 'size=small<medium<large'; several columns are separated by ;");
  }
  options.ordinal.push_back({column, levels});
}

void read_bad_row(const std::string& text, ReadOptions& options) {
  constexpr std::string_view kReject = "reject:";
  if (text == "error") return;
  if (!text.starts_with(kReject) || text.size() == kReject.size()) {
    usage_error("--on-bad-row",
                fmt::format("expected error or reject:FILE (got {})", in_quotes(text)));
  }
  options.bad_rows = BadRow::reject;
  options.reject_file = text.substr(kReject.size());
}

// `NA,-999`; an empty entry is the empty cell.
std::vector<std::string> tokens_of(const std::string& text) { return split_text(text, ','); }

std::string shown_tokens(const std::vector<std::string>& tokens) {
  std::vector<std::string> quoted;
  for (const std::string& token : tokens) quoted.push_back(in_quotes(token));
  return join(quoted, " ");
}

Option format_option(ReadOptions& options, FormatWord word) {
  const std::vector<std::string> words = format_words();
  auto set = [&options](const std::string& text) {
    options.format = format_from_word(text).value_or(TableFormat::automatic);
  };
  Option option =
      choice_option("--data-format", "Format of the data (default: by the ending)", words, set);
  if (word == FormatWord::data) option.names.insert(option.names.begin(), "--format");
  option.value = "FORMAT";
  return option;
}

std::vector<Option> text_file_options(ReadOptions& o) {
  return {
      choice_option("--encoding", "Encoding of text files (default utf8)", {"utf8", "latin1"},
                    [&o](const std::string& text) {
                      o.encoding = text == "latin1" ? TextEncoding::latin1 : TextEncoding::utf8;
                    }),
      {.names = {"--delimiter", "--sep"},
       .value = "C",
       .help = "Character between CSV fields: , ; tab space … (default: decided by content)",
       .set = [&o](const std::string& text) { o.delimiter = character_of("--delimiter", text); }},
      choice_option("--header", "Whether the first line names the columns (default auto)",
                    {"auto", "yes", "no"},
                    [&o](const std::string& text) {
                      o.header = text == "yes"  ? Header::yes
                                 : text == "no" ? Header::no
                                                : Header::automatic;
                    }),
      {.names = {"--decimal"},
       .value = "C",
       .help = "Decimal mark of numbers, . or , (default .)",
       .choices = {".", ","},
       .set =
           [&o](const std::string& text) {
             o.decimal = one_of("--decimal", text, {".", ","})[0];
           }},
      {.names = {"--comment"},
       .value = "C",
       .help = "Lines that begin with this character are skipped (default: none)",
       .set = [&o](const std::string& text) { o.comment = character_of("--comment", text); }},
      {.names = {"--missing-tokens"},
       .value = "A,B,...",
       .help = "Cells that mean missing (default " + shown_tokens(o.missing_tokens) + ")",
       .set = [&o](const std::string& text) { o.missing_tokens = tokens_of(text); }},
      flag_option("--allow-trailing-delimiter", "Accept lines that end with a delimiter",
                  o.allow_trailing_delimiter)};
}

std::vector<Option> column_options(ReadOptions& o) {
  return {
      list_option("--nominal", "Columns to read as categories", o.nominal),
      list_option("--numeric", "Columns that must be numbers", o.numeric),
      list_option("--text", "Columns to keep as text", o.text),
      {.names = {"--ordinal"},
       .value = "COL=A<B<C",
       .help = "Columns with ordered categories; several are separated by ;",
       .set =
           [&o](const std::string& text) {
             for (const std::string& one : split_text(text, ';')) read_ordinal(one, o);
           }},
      text_option("--schema", "FILE", "JSON file with the same declarations", o.schema_file),
      text_option("--beside", "FILE",
                  "A file of as many rows whose columns are added, such as the labels of images",
                  o.beside),
      choice_option("--inf", "What infinite numbers are (default error)", {"error", "missing"},
                    [&o](const std::string& text) { o.infinite_is_missing = text == "missing"; }),
      flag_option("--strict", "Warnings about lost precision become errors", o.strict),
      {.names = {"--on-bad-row"},
       .value = "error|reject:FILE",
       .help = "What to do with a row that cannot be read (default error)",
       .set = [&o](const std::string& text) { read_bad_row(text, o); }},
      flag_option("--zero-based", "LIBSVM indices begin at 0", o.zero_based),
      flag_option("--sort-indices", "Accept LIBSVM indices in any order", o.sort_indices)};
}

}  // namespace

Option text_option(std::string name, std::string value, std::string help, std::string& target) {
  return {.names = {name},
          .value = std::move(value),
          .help = std::move(help),
          .set = [name, &target](const std::string& text) {
            if (text.empty()) usage_error(name, "expected a name (got \"\")");
            target = text;
          }};
}

Option flag_option(std::string name, std::string help, bool& target) {
  return {.names = {std::move(name)},
          .help = std::move(help),
          .takes = Takes::nothing,
          .set = [&target](const std::string&) { target = true; }};
}

Option list_option(std::string name, std::string help, std::vector<std::string>& target) {
  return {.names = {name},
          .value = "COL,...",
          .help = std::move(help),
          .set = [name, &target](const std::string& text) { target = list_of(name, text); }};
}

Option count_option(std::string name, std::string help, std::size_t least, std::size_t& target) {
  Option option{.names = {name}, .value = "N", .help = std::move(help)};
  option.set = [name, least, &target](const std::string& text) {
    target = count_of(name, text, least);
  };
  return option;
}

Option seed_option(std::string help, std::uint64_t& target) {
  Option option{.names = {"--seed"}, .value = "N", .help = std::move(help)};
  option.set = [&target](const std::string& text) { target = seed_of("--seed", text); };
  return option;
}

void add_read_options(Syntax& syntax, ReadOptions& options, FormatWord word) {
  add_grouped(syntax, kReading, {format_option(options, word)});
  add_grouped(syntax, kReading, text_file_options(options));
  add_grouped(syntax, kReading, column_options(options));
  add_grouped(
      syntax, kReading,
      {limit_option("--max-line-bytes", "Longest line", options.max_line_bytes),
       limit_option("--max-cell-bytes", "Longest cell", options.max_cell_bytes),
       limit_option("--max-columns", "Most columns", options.max_columns),
       limit_option("--max-categories", "Most categories of a column", options.max_categories),
       limit_option("--max-index", "Largest LIBSVM index", options.max_index),
       limit_option("--max-bytes", "Most bytes after decompression", options.max_bytes)});
}

void add_column_options(Syntax& syntax, std::string& data, FitOptions& options) {
  add_grouped(
      syntax, "Data",
      {text_option("--data", "FILE", "The table to learn from; - is standard input", data),
       list_option("--target", "The column to learn; several for learners that can",
                   options.target),
       list_option("--features", "The columns to learn from (default: all others)",
                   options.features),
       list_option("--ignore", "Columns to leave out", options.ignore),
       text_option("--weights", "COL", "Column with the weight of each row", options.weights)});
}

void require_columns_make_sense(const std::string& data, const FitOptions& options) {
  if (data.empty()) usage_error("--data", "name the data to learn from: --data FILE");
  if (!options.features.empty() && !options.ignore.empty()) {
    usage_error("--features", "--features and --ignore exclude each other",
                "name the columns to use, or those to leave out");
  }
}

void add_prepare_options(Syntax& syntax, FitOptions& options) {
  PrepareOptions& p = options.prepare;
  const auto encode = [&p](const std::string& text) {
    for (const Encoding one :
         {Encoding::one_hot, Encoding::dummy, Encoding::ordinal, Encoding::target}) {
      if (text == encoding_word(one)) p.encode = one;
    }
  };
  const auto task = [&options](const std::string& text) {
    for (const Task one : {Task::classify, Task::regress, Task::cluster}) {
      if (text == task_word(one)) options.task = one;
    }
  };
  add_grouped(
      syntax, kPreparing,
      {choice_option("--encode", "How categories become numbers where the learner needs numbers",
                     {"one_hot", "dummy", "ordinal", "target"}, encode),
       choice_option("--missing",
                     "Missing cells that the learner cannot take: fill with mean or most frequent "
                     "value, or refuse (default impute)",
                     {"impute", "error"},
                     [&p](const std::string& text) {
                       p.missing = text == "error" ? Missing::error : Missing::impute;
                     }),
       choice_option("--unseen",
                     "Categories at prediction that training never saw: missing cells, an error, "
                     "or a level (other) of their own (default missing)",
                     {"missing", "error", "other"},
                     [&p](const std::string& text) {
                       p.unseen = text == "error"   ? Unseen::error
                                  : text == "other" ? Unseen::other
                                                    : Unseen::missing;
                     }),
       flag_option("--standardize", "Shift and scale numeric columns to mean 0, deviation 1",
                   p.standardize),
       choice_option("--task", "What to learn, where the target leaves it open",
                     {"classification", "regression", "clustering"}, task)});
}

void add_extra_option(Syntax& syntax, Extra& extra) {
  add_grouped(syntax, kPreparing,
              {choice_option("--extra", "Columns that the model does not know (default error)",
                             {"error", "ignore"}, [&extra](const std::string& text) {
                               extra = text == "ignore" ? Extra::ignore : Extra::error;
                             })});
}

void add_run_options(Syntax& syntax, RunOptions& o) {
  const auto threads = [&o](const std::string& text) {
    const auto end = text.data() + text.size();
    std::uint32_t count = 0;
    const auto parsed = std::from_chars(text.data(), end, count);
    if (parsed.ec != std::errc() || parsed.ptr != end || count == 0) {
      usage_error("--threads", fmt::format("threads must be at least 1 (got {})", in_quotes(text)));
    }
    o.threads = static_cast<int>(std::min<std::uint32_t>(count, kMaxThreads));
    if (count > kMaxThreads) complain(fmt::format("note: --threads is at most {}", kMaxThreads));
  };
  const auto colour = [&o](const std::string& text) {
    o.speech.colour = text == "always"  ? When::always
                      : text == "never" ? When::never
                                        : When::automatic;
  };
  Option quiet = flag_option("--quiet", "No summary and no warnings", o.speech.quiet);
  quiet.names.emplace_back("-q");
  Option verbose = flag_option("--verbose", "Also the decisions behind the work", o.speech.verbose);
  verbose.names.emplace_back("-v");
  add_grouped(
      syntax, kRunning,
      {{.names = {"--threads"},
        .value = "N",
        .help = "Threads; results do not depend on it (default: what the machine grants)",
        .set = threads},
       {.names = {"--memory"},
        .value = "SIZE",
        .help = "Refuse work that needs more memory, e.g. 4G (default: no limit)",
        .set = [&o](const std::string& text) { o.memory = bytes_of("--memory", text); }},
       {.names = {"--timeout"},
        .value = "TIME",
        .help = "Stop after this time, e.g. 30s or 5m (default: never)",
        .set = [&o](const std::string& text) { o.timeout = seconds_of("--timeout", text); }},
       flag_option("--force", "Replace output files that exist", o.force),
       quiet,
       verbose,
       choice_option("--color", "Colour on the terminal (default auto; NO_COLOR counts)",
                     {"auto", "always", "never"}, colour),
       choice_option("--progress", "Progress on standard error (default auto)",
                     {"auto", "plain", "none"},
                     [&o](const std::string& text) { o.speech.progress = text; }),
       choice_option("--errors", "Errors as a line of text or of JSON (default text)",
                     {"text", "json"}, [](const std::string&) {})});
}

void claim_standard_input(const std::string& source) {
  static bool taken = false;
  if (source != "-") return;
  if (taken) {
    usage_error("-", "two inputs are standard input, which can be read once",
                "name a file for one of them");
  }
  taken = true;
}

Dataset read_data(const std::string& source, const ReadOptions& read, const RunOptions& run,
                  const Context& context) {
  claim_standard_input(source);
  ReadReport report;
  Dataset data = read_table(source, read, &report, context);
  tell_reading(source, report, run);
  return data;
}

void tell_reading(const std::string& source, const ReadReport& report, const RunOptions& run) {
  warn(run.speech, report.warnings);
  if (!run.speech.verbose) return;
  complain(fmt::format("{}: {}", escape_controls(source), report.format));
  for (const auto& column : report.columns) {
    complain(fmt::format("  {}: {}, {}", in_quotes(column.name), kind_word(column.kind),
                         escape_controls(column.why)));
  }
}

void warn_about_unseen(const Speech& speech, const UnseenReport& unseen) {
  std::vector<std::string> warnings;
  for (const auto& column : unseen.columns) {
    warnings.push_back(fmt::format(
        "column {}: {} with a category that training never saw, such as {}; treated as {}{}",
        in_quotes(column.name), counted(column.rows, "row"), in_quotes(column.example),
        column.other ? kOtherLevel : "missing", column.near.empty() ? "" : "; " + column.near));
  }
  if (unseen.dropped_values > 0) {
    warnings.push_back(fmt::format("{} of features that training never saw ignored",
                                   counted(unseen.dropped_values, "value")));
  }
  if (unseen.absent_features > 0) {
    warnings.push_back(fmt::format("the last {} of training {} not occur in the data: taken as 0",
                                   counted(unseen.absent_features, "feature"),
                                   unseen.absent_features == 1 ? "does" : "do"));
  }
  warn(speech, warnings);
}

Context make_context(const RunOptions& run, ProgressSink* progress) {
  if (run.timeout > 0) start_timeout(run.timeout);
  Context context;
  context.threads = run.threads;
  context.memory_limit = run.memory;
  context.progress = progress;
  context.cancel = &cancel_token();
  return context;
}

void require_different(const std::string& option, const std::string& output,
                       const std::vector<std::string>& inputs) {
  if (output.empty() || output == "-") return;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (input == output || std::filesystem::equivalent(input, output, ignored)) {
      usage_error(option, fmt::format("{} is also an input", in_quotes(output)),
                  "choose another file for the output");
    }
  }
}

}  // namespace gradus::cli
