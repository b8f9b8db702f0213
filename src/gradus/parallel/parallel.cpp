#include "gradus/parallel/parallel.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <unistd.h>

#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>

#ifdef GRADUS_TELL_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace gradus::parallel {
namespace {

// What a loop hands to its threads and gets back from them, for the thread sanitizer: distributions
// build oneTBB without it, so it sees neither order and would call every loop a race. Told here,
// and only here, it still finds the races between two bodies. This source itself is compiled
// without the sanitizer, for the templates of oneTBB in it.
#ifdef GRADUS_TELL_TSAN
class Handover {
 public:
  Handover() { __tsan_release(&to_bodies_); }
  void begin_body() { __tsan_acquire(&to_bodies_); }
  void end_body() { __tsan_release(&from_bodies_); }
  void end_loop() { __tsan_acquire(&from_bodies_); }

 private:
  char to_bodies_ = 0;
  char from_bodies_ = 0;
};
#else
struct Handover {
  void begin_body() {}
  void end_body() {}
  void end_loop() {}
};
#endif

// True inside a body of ours: an inner loop then runs in the arena that is already open.
thread_local bool inside_region = false;

struct RegionMark {
  bool before = std::exchange(inside_region, true);
  ~RegionMark() { inside_region = before; }
};

// Arenas are kept, one per thread count: starting threads costs more than most of our loops.
tbb::task_arena& arena_for(int threads) {
  static std::mutex guard;
  static std::map<int, std::unique_ptr<tbb::task_arena>> arenas;
  // oneTBB never starts more workers than cores unless told so; asking for 8 threads on 2 cores
  // must really run 8, or the promise "same bytes" would go untested.
  static std::unique_ptr<tbb::global_control> more_workers;
  const std::lock_guard lock(guard);
  auto& slot = arenas[threads];
  if (slot == nullptr) {
    if (static_cast<std::size_t>(threads) >
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism)) {
      more_workers = std::make_unique<tbb::global_control>(
          tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    }
    slot = std::make_unique<tbb::task_arena>(threads);
  }
  return *slot;
}

// Worker threads do not survive fork(): a child of a process that had some works alone. Slower, and
// the same bytes.
bool workers_lost_by_fork() {
  static const pid_t owner = getpid();
  return getpid() != owner;
}

}  // namespace

void for_each_index(const Context& context, std::size_t count,
                    const std::function<void(std::size_t)>& body) {
  const int threads = resolve_threads(context);
  if (threads == 1 || count <= 1 || workers_lost_by_fork()) {
    for (std::size_t i = 0; i < count; ++i) {
      context.stop_if_cancelled();
      body(i);
    }
    return;
  }
  // The first failing index wins, not the first in time: error messages are deterministic too.
  std::mutex guard;
  std::exception_ptr failure;
  std::atomic<std::size_t> failed_at{count};
  Handover handover;
  const auto guarded = [&](std::size_t index) {
    const RegionMark mark;
    if (index > failed_at.load(std::memory_order_relaxed)) return;
    handover.begin_body();
    try {
      context.stop_if_cancelled();
      body(index);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (index < failed_at) {
        failed_at = index;
        failure = std::current_exception();
      }
    }
    handover.end_body();
  };
  const auto loop = [&] {
    tbb::parallel_for(std::size_t{0}, count, guarded, tbb::simple_partitioner());
  };
  if (inside_region) {
    loop();
  } else {
    arena_for(threads).execute(loop);
  }
  handover.end_loop();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gradus::parallel
