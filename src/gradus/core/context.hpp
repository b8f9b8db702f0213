// What must not change the result: threads, progress, trace, cancellation, memory limit.
//
// Everything that does change it (also the seed) is a parameter of the learner. A Context is cheap
// to copy; all pointers are borrowed and may be null.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace gradus {

class PartialWork;  // core/partial_work.hpp
class Trace;        // trace/trace.hpp

// Set from a signal handler or another thread; read by long loops.
class CancelToken {
 public:
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  void reset() noexcept { requested_.store(false, std::memory_order_relaxed); }
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
};

// Receives how far a long work is; called at most a few thousand times per fit, from one thread.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  // `stage` in words; `done` of `total` units, total 0 when it is not known.
  virtual void update(std::string_view stage, std::uint64_t done, std::uint64_t total) = 0;
};

struct Context {
  int threads = 0;  // 0: default_threads()
  ProgressSink* progress = nullptr;
  Trace* trace = nullptr;
  const CancelToken* cancel = nullptr;
  std::uint64_t memory_limit = 0;  // bytes; 0: no limit
  // Not null: a stop hands out what is whole by then, where the learner can do that.
  PartialWork* partial = nullptr;

  // Throws Error{interrupted} when the user asked to stop. Call it in every outer loop.
  void stop_if_cancelled() const;

  // Whether the work ends here, between two units of it ("round", "tree", ...), `done` of `planned`
  // being whole, because the user asked to stop and wants what there is. Throws like
  // stop_if_cancelled() when he does not want it, or nothing is whole yet. Any thread may ask.
  bool ends_here(std::string_view unit, std::uint64_t done, std::uint64_t planned) const;
  // Whether it has ended so: what is left to do is to make a model of it.
  bool has_ended() const;
  // For a work inside a unit, which is whole or worth nothing.
  Context within_unit() const;

  // Throws Error{limit} naming `what` when `bytes` do not fit under the memory limit.
  void require_memory(std::uint64_t bytes, std::string_view what) const;

  void report(std::string_view stage, std::uint64_t done, std::uint64_t total) const {
    if (progress != nullptr) progress->update(stage, done, total);
  }
};

inline constexpr int kMaxThreads = 1024;

// GRADUS_NUM_THREADS, then OMP_NUM_THREADS, then what the affinity mask and the cgroup quota allow.
int default_threads();

// The number that a fit with this context uses.
int resolve_threads(const Context& context);

}  // namespace gradus
