// Ctrl-C, termination and time limits, as one token that long loops look at.
#pragma once

#include "gradus/core/context.hpp"

namespace gradus::cli {

// First SIGINT or SIGTERM: the token is set and the work stops at the next safe point. Second: the
// process ends at once with 130. Output only becomes visible when it is complete, so nothing
// partial stays either way. SIGPIPE is ignored: a reader that went away is seen at the write.
void install_signal_handlers();

// Sets the token after so many seconds.
void start_timeout(double seconds);

const CancelToken& cancel_token();
bool timed_out();

}  // namespace gradus::cli
