// Long work away from the interpreter lock, that Ctrl-C and the end of the program can stop.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "gradus/core/context.hpp"

namespace gradus::python {

namespace nb = nanobind;

// Runs `work` with the lock released. Called from the main thread, the work runs beside it, while
// Python's signal handlers run as usual; a handler that raises (Ctrl-C) requests the token, waits
// for the work to stop and lets its exception through. Exceptions of the work are passed on.
void run_released(CancelToken& token, const std::function<void()>& work);

// Stops every running job and waits for it: registered with atexit, so that a thread that still
// trains meets a living interpreter.
void stop_all_jobs();

}  // namespace gradus::python
