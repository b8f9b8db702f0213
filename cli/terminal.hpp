// Where words go: results to standard output, messages to standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/error.hpp"
#include "gradus/report/render.hpp"

namespace gradus::cli {

enum class When { automatic, always, never };

// How one run talks, as the user asked.
struct Speech {
  bool quiet = false;    // no summary, no warnings
  bool verbose = false;  // also the decisions behind the work
  When colour = When::automatic;
  std::string progress = "auto";
};

// Closed standard streams would be handed to the next file that is opened; this keeps them taken,
// and a write to a closed standard output stays an error.
void secure_standard_streams();

// Writes all of it or throws Error{io}: a reader that went away is an error, not a success.
void print_result(std::string_view text);

// A line on standard error. Failing to complain is not a failure.
void complain(std::string_view line);

// `warning: …` for each, unless quiet.
void warn(const Speech& speech, const std::vector<std::string>& warnings);

// The error as one line of text, or of JSON.
std::string error_line(const Error& error, bool as_json);

// Colour and width for documents on standard output.
report::TextStyle style_of(const Speech& speech);

bool is_terminal(int descriptor);

}  // namespace gradus::cli
