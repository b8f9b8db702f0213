#include "jobs.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "gradus/core/error.hpp"

namespace gradus::python {
namespace {

constexpr std::chrono::milliseconds kSignalInterval(50);

// The tokens of all running jobs.
struct Registry {
  std::mutex guard;
  std::condition_variable changed;
  std::set<CancelToken*> running;
  bool closed = false;
};

Registry& registry() {
  static Registry shared;
  return shared;
}

// Alive from before the lock is released until after it is held again.
class Registration {
 public:
  explicit Registration(CancelToken& token) : token_(token) {
    const std::lock_guard lock(registry().guard);
    if (registry().closed) {
      throw Error(ErrorKind::interrupted, "", "the interpreter is shutting down");
    }
    registry().running.insert(&token_);
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  ~Registration() {
    const std::lock_guard lock(registry().guard);
    registry().running.erase(&token_);
    registry().changed.notify_all();
  }

 private:
  CancelToken& token_;
};

bool on_main_thread() {
  const nb::module_ threading = nb::module_::import_("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

// The work on its own thread, and whether it is over.
class Worker {
 public:
  explicit Worker(const std::function<void()>& work)
      : thread_([this, &work] {
          try {
            work();
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(guard_);
          finished_ = true;
          over_.notify_one();
        }) {}
  ~Worker() {
    if (thread_.joinable()) thread_.join();
  }

  // True when the work ended within one interval.
  bool wait() {
    std::unique_lock lock(guard_);
    return over_.wait_for(lock, kSignalInterval, [this] { return finished_; });
  }
  void join() { thread_.join(); }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex guard_;
  std::condition_variable over_;
  bool finished_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

void run_released(CancelToken& token, const std::function<void()>& work) {
  const Registration registration(token);
  if (!on_main_thread()) {
    const nb::gil_scoped_release released;
    work();
    return;
  }
  Worker worker(work);
  for (bool over = false; !over;) {
    {
      const nb::gil_scoped_release released;
      over = worker.wait();
    }
    if (PyErr_CheckSignals() == 0) continue;
    token.request();
    {
      const nb::gil_scoped_release released;
      worker.join();
    }
    throw nb::python_error();
  }
  worker.join();
  worker.rethrow();
}

void stop_all_jobs() {
  const nb::gil_scoped_release released;
  std::unique_lock lock(registry().guard);
  registry().closed = true;
  for (CancelToken* token : registry().running) token->request();
  registry().changed.wait(lock, [] { return registry().running.empty(); });
}

}  // namespace gradus::python
