#include "jobs.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <string>
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

// How far the work is, on its way to Python.
struct Report {
  std::string stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

void tell_python(const nb::object& tell, const Report& report) {
  tell(report.stage.c_str(), report.done, report.total);
}

[[noreturn]] void stop_work() {
  throw Error(ErrorKind::interrupted, "", "the caller asked to stop");
}

// For work on the calling thread: takes the lock for as long as Python is told.
class TellHere : public ProgressSink {
 public:
  explicit TellHere(const nb::object& tell) : tell_(tell) {}

  void update(std::string_view stage, std::uint64_t done, std::uint64_t total) override {
    if (refusal_) stop_work();
    const nb::gil_scoped_acquire held;
    try {
      tell_python(tell_, {std::string(stage), done, total});
    } catch (const nb::python_error&) {
      refusal_ = std::current_exception();
    }
    if (refusal_) stop_work();
  }
  void rethrow() const {
    if (refusal_) std::rethrow_exception(refusal_);
  }

 private:
  const nb::object& tell_;
  std::exception_ptr refusal_;
};

// The work on its own thread; its reports are handed over to the thread that waits for it.
class Worker : public ProgressSink {
 public:
  enum class News { none, report, over };

  explicit Worker(const std::function<void(ProgressSink&)>& work)
      : thread_([this, &work] {
          try {
            work(*this);
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(guard_);
          over_ = true;
          changed_.notify_all();
        }) {}
  ~Worker() override {
    refuse();
    if (thread_.joinable()) thread_.join();
  }

  // On the working thread: waits until the report was taken.
  void update(std::string_view stage, std::uint64_t done, std::uint64_t total) override {
    std::unique_lock lock(guard_);
    if (!refused_) {
      report_ = Report{std::string(stage), done, total};
      changed_.notify_all();
      changed_.wait(lock, [this] { return refused_ || !report_; });
    }
    if (refused_) stop_work();
  }

  // What happened within one interval.
  News wait() {
    std::unique_lock lock(guard_);
    changed_.wait_for(lock, kSignalInterval, [this] { return over_ || report_; });
    if (report_) return News::report;
    return over_ ? News::over : News::none;
  }
  Report report() {
    const std::lock_guard lock(guard_);
    return *report_;
  }
  void report_taken() {
    const std::lock_guard lock(guard_);
    report_.reset();
    changed_.notify_all();
  }
  // The work shall stop at its next report, if it does not before.
  void refuse() {
    const std::lock_guard lock(guard_);
    refused_ = true;
    report_.reset();
    changed_.notify_all();
  }
  void join() { thread_.join(); }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  bool over_ = false;
  bool refused_ = false;
  std::optional<Report> report_;
  std::exception_ptr failure_;
  std::thread thread_;
};

// Waits for the work, tells its reports and lets Python's signal handlers run.
void attend(Worker& worker, const nb::object& tell) {
  for (Worker::News news = Worker::News::none; news != Worker::News::over;) {
    {
      const nb::gil_scoped_release released;
      news = worker.wait();
    }
    if (news == Worker::News::report) {
      tell_python(tell, worker.report());
      worker.report_taken();
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

void run_beside(CancelToken& token, const nb::object& tell,
                const std::function<void(ProgressSink&)>& work) {
  Worker worker(work);
  try {
    attend(worker, tell);
  } catch (const nb::python_error&) {
    token.request();
    worker.refuse();
    const nb::gil_scoped_release released;
    worker.join();
    throw;
  }
  worker.join();
  worker.rethrow();
}

}  // namespace

void run_released(int threads, const nb::object& tell,
                  const std::function<void(const Context&)>& work) {
  CancelToken token;
  const Registration registration(token);
  const auto with_sink = [&](ProgressSink& sink) {
    Context context;
    context.threads = threads;
    context.cancel = &token;
    if (!tell.is_none()) context.progress = &sink;
    work(context);
  };
  if (on_main_thread()) return run_beside(token, tell, with_sink);
  TellHere sink(tell);
  try {
    const nb::gil_scoped_release released;
    with_sink(sink);
  } catch (const Error&) {
    sink.rethrow();
    throw;
  }
  sink.rethrow();
}

void stop_all_jobs() {
  const nb::gil_scoped_release released;
  std::unique_lock lock(registry().guard);
  registry().closed = true;
  for (CancelToken* token : registry().running) token->request();
  registry().changed.wait(lock, [] { return registry().running.empty(); });
}

}  // namespace gradus::python
