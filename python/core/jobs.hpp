// Long work away from the interpreter lock, that Ctrl-C, a callback and the end of the program can
// stop.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "gradus/core/context.hpp"

namespace gradus::python {

namespace nb = nanobind;

// Runs `work` with the lock released and a context that can be cancelled. Called from the main
// thread, the work runs beside it, while Python's signal handlers run as usual. `tell`, unless it
// is None, is called as tell(stage, done, total) on the calling thread while the work waits.
// A handler (Ctrl-C) or a `tell` that raises stops the work, and its exception is let through.
// Exceptions of the work are passed on.
void run_released(int threads, const nb::object& tell,
                  const std::function<void(const Context&)>& work);

// Stops every running job and waits for it: registered with atexit, so that a thread that still
// trains meets a living interpreter.
void stop_all_jobs();

}  // namespace gradus::python
