#include "gradus/core/context.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <thread>

#include "gradus/core/cgroup.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/partial_work.hpp"

namespace gradus {
namespace {

// A positive whole number from the environment, or 0 when absent or unusable: a wrong value set for
// another program must not stop ours.
int threads_from_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return 0;
  const std::string_view value(text);
  int threads = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), threads);
  const bool list = error == std::errc() && end != value.data() + value.size() && *end == ',';
  const bool whole = error == std::errc() && end == value.data() + value.size();
  if (error == std::errc::result_out_of_range) return kMaxThreads;
  return (whole || list) && threads > 0 ? std::min(threads, kMaxThreads) : 0;
}

int threads_from_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::string as_size(std::uint64_t bytes) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  if (bytes < kMebibyte) return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024.0);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / static_cast<double>(kMebibyte));
}

}  // namespace

namespace {
int count_default_threads() {
  if (const int threads = threads_from_environment("GRADUS_NUM_THREADS"); threads > 0)
    return threads;
  if (const int threads = threads_from_environment("OMP_NUM_THREADS"); threads > 0) return threads;
  const int allowed = threads_from_affinity();
  const int quota = cgroup_processors();
  return std::clamp(quota > 0 ? std::min(allowed, quota) : allowed, 1, kMaxThreads);
}
}  // namespace

int default_threads() {
  static const int threads = count_default_threads();
  return threads;
}

int resolve_threads(const Context& context) {
  return context.threads > 0 ? std::min(context.threads, kMaxThreads) : default_threads();
}

void Context::stop_if_cancelled() const {
  if (cancel == nullptr || !cancel->requested()) return;
  if (partial == nullptr) {
    throw Error(ErrorKind::interrupted, "", "stopped at your request; nothing was written");
  }
  if (partial->begun()) return;
  throw Error(ErrorKind::interrupted, "",
              "stopped at your request before the first part of the model was whole; nothing was "
              "written");
}

bool Context::ends_here(std::string_view unit, std::uint64_t done, std::uint64_t planned) const {
  if (partial != nullptr && done > 0) partial->begin();
  stop_if_cancelled();
  // Where several fits make one model, each is begun before the model is whole.
  if (partial == nullptr || done == 0 || cancel == nullptr || !cancel->requested()) return false;
  partial->end_with(unit, done, planned);
  return true;
}

bool Context::has_ended() const { return partial != nullptr && !partial->end().unit.empty(); }

Context Context::within_unit() const {
  Context inner = *this;
  if (partial == nullptr) return inner;
  inner.partial = nullptr;
  // Before anything is whole there is nothing to wait for.
  if (partial->begun()) inner.cancel = nullptr;
  return inner;
}

void Context::require_memory(std::uint64_t bytes, std::string_view what) const {
  if (memory_limit == 0 || bytes <= memory_limit) return;
  throw Error(ErrorKind::limit, "--memory",
              fmt::format("{} needs about {}, the limit is {}", what, as_size(bytes),
                          as_size(memory_limit)),
              "raise --memory, or use fewer rows or columns");
}

}  // namespace gradus
