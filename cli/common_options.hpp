// The options that several verbs share: how to read the data, how to prepare it, how to run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/core/context.hpp"
#include "gradus/data/io/read.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace gradus::cli {

// Whether `--format` of this verb means the data (explain uses the word for its own output).
enum class FormatWord { data, output };

struct RunOptions {
  int threads = 0;
  std::uint64_t memory = 0;
  double timeout = 0;
  bool force = false;
  Speech speech;
};

void add_read_options(Syntax& syntax, ReadOptions& options, FormatWord word);
// `--data`, and which of its columns are the target, the features and the weights.
void add_column_options(Syntax& syntax, std::string& data, FitOptions& options);
void add_prepare_options(Syntax& syntax, FitOptions& options);
void add_run_options(Syntax& syntax, RunOptions& options);
void add_extra_option(Syntax& syntax, Extra& extra);

// Small makers, so that a verb lists its options in a few lines.
Option text_option(std::string name, std::string value, std::string help, std::string& target);
Option flag_option(std::string name, std::string help, bool& target);
Option list_option(std::string name, std::string help, std::vector<std::string>& target);
// A whole number of at least `least`.
Option count_option(std::string name, std::string help, std::size_t least, std::size_t& target);
Option seed_option(std::string help, std::uint64_t& target);

// `--features` and `--ignore` exclude each other, `--data` must be there.
void require_columns_make_sense(const std::string& data, const FitOptions& options);

// Standard input can be read once: refuses the second of a command's inputs that is `-`.
void claim_standard_input(const std::string& source);

// Reads the table and passes the reader's warnings on.
Dataset read_data(const std::string& source, const ReadOptions& read, const RunOptions& run,
                  const Context& context);

// The reader's warnings, and with `--verbose` what it decided about the columns.
void tell_reading(const std::string& source, const ReadReport& report, const RunOptions& run);

// What the data held that training had not seen, in one line per column.
void warn_about_unseen(const Speech& speech, const UnseenReport& unseen);

// The context of a run; starts the time limit.
Context make_context(const RunOptions& run, ProgressSink* progress);

// Refuses an output that is one of the inputs.
void require_different(const std::string& option, const std::string& output,
                       const std::vector<std::string>& inputs);

}  // namespace gradus::cli
