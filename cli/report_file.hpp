// `--report FILE.html`: one self-contained page beside whatever else a verb writes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common_options.hpp"
#include "gradus/report/document.hpp"
#include "gradus/report/pages.hpp"
#include "options.hpp"

namespace gradus::cli {

void add_report_option(Syntax& syntax, std::string& file);

// Before the work: a page that cannot be written, or that is also an input, is refused.
void check_report(const std::string& file, const RunOptions& run,
                  const std::vector<std::string>& inputs);

// Nothing when no report was asked for; then the page is not made either.
void write_report(const std::string& file, const RunOptions& run,
                  const std::function<report::Document()>& make_page);
void write_report(const std::string& file, const RunOptions& run, const report::Document& page);

// The same for any other file that an option names.
void check_output(const std::string& option, const std::string& file, const RunOptions& run,
                  const std::vector<std::string>& inputs);
void write_output(const std::string& file, const RunOptions& run, const std::string& text);

// The command as it was typed, quoted for a shell.
const std::string& command_line();
void remember_command_line(const std::vector<std::string>& words);

}  // namespace gradus::cli
