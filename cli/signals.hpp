// Ctrl-C, termination and time limits, as one token that long loops look at.
#pragma once

#include <string>

#include "gradus/core/context.hpp"

namespace gradus::cli {

// First SIGINT or SIGTERM: the token is set and the work stops at the next safe point. Second: the
// process ends at once with 130, except while a file is written (UndisturbedOutput), so nothing
// partial stays either way. SIGPIPE and SIGXFSZ are ignored: a reader that went away, and a file
// that grew larger than allowed, are seen at the write.
void install_signal_handlers();

// While one exists, a second signal waits: an output file is completed or removed, never left half.
class UndisturbedOutput {
 public:
  // A pipe may block for ever and has nothing to leave half: `-` is not protected.
  explicit UndisturbedOutput(const std::string& path);
  ~UndisturbedOutput();
  UndisturbedOutput(const UndisturbedOutput&) = delete;
  UndisturbedOutput& operator=(const UndisturbedOutput&) = delete;
};

// Sets the token after so many seconds.
void start_timeout(double seconds);

const CancelToken& cancel_token();
bool timed_out();

}  // namespace gradus::cli
