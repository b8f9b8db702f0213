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

std::string in_mebibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
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
  if (cancel != nullptr && cancel->requested()) {
    throw Error(ErrorKind::interrupted, "", "stopped at your request; nothing was written");
  }
}

void Context::require_memory(std::uint64_t bytes, std::string_view what) const {
  if (memory_limit == 0 || bytes <= memory_limit) return;
  throw Error(ErrorKind::limit, "--memory",
              fmt::format("{} needs about {}, the limit is {}", what, in_mebibytes(bytes),
                          in_mebibytes(memory_limit)),
              "raise --memory, or use fewer rows or columns");
}

}  // namespace gradus
