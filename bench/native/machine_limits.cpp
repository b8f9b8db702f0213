// The limits of this machine: bytes per second from memory and floating-point operations per
// second, for the numbers of threads given. Every task divides its cost model by them.
//
//   machine_limits 1 2        one line of JSON
//
// Bandwidth: a sum over an array far larger than the caches (read), and a copy. Arithmetic: twelve
// independent chains of fused multiply-adds in registers, as wide as the compiler's target allows.
// The best of several trials counts: a limit is what the machine can do, not what it did once.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kVectorBytes = __BIGGEST_ALIGNMENT__ >= 64 ? 64 : 32;
constexpr std::size_t kChains = 12;
constexpr int kTrials = 5;
constexpr std::size_t kArrayDoubles = std::size_t{1} << 25;  // 256 MiB
constexpr std::size_t kFmaSteps = 20'000'000;

// A register of numbers. In a struct, because the attribute does not survive as the argument of a
// template.
template <class T>
struct Register {
  using Values [[gnu::vector_size(kVectorBytes)]] = T;
  Values values = {};
};

// Seconds until `work(i)` has ended on every thread i.
double seconds_of(std::size_t threads, const std::function<void(std::size_t)>& work) {
  std::vector<std::thread> pool;
  pool.reserve(threads);
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < threads; ++i) pool.emplace_back(work, i);
  for (std::thread& one : pool) one.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double best_rate(std::size_t threads, double amount, const std::function<void(std::size_t)>& work) {
  double best = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    best = std::max(best, amount / seconds_of(threads, work));
  }
  return best;
}

// What the loops leave behind, so that the compiler has to run them.
volatile double sink = 0;

template <class T>
T fma_chains(std::size_t steps) {
  std::array<Register<T>, kChains> sums = {};
  const auto factor = Register<T>{}.values + static_cast<T>(0.999999);
  const auto term = Register<T>{}.values + static_cast<T>(1e-6);
  for (std::size_t step = 0; step < steps; ++step) {
    for (Register<T>& one : sums) one.values = one.values * factor + term;
  }
  T total = 0;
  for (const Register<T>& one : sums) total += one.values[0];
  return total;
}

template <class T>
double fma_rate(std::size_t threads) {
  constexpr std::size_t kLanes = kVectorBytes / sizeof(T);
  const double flops = 2.0 * kChains * kLanes * kFmaSteps * static_cast<double>(threads);
  return best_rate(threads, flops, [](std::size_t) {
    sink = sink + static_cast<double>(fma_chains<T>(kFmaSteps));
  });
}

double read_sum(const double* x, std::size_t size) {
  std::array<Register<double>, kChains> sums = {};
  constexpr std::size_t kLanes = kVectorBytes / sizeof(double);
  for (std::size_t i = 0; i + kChains * kLanes <= size; i += kChains * kLanes) {
    for (std::size_t c = 0; c < kChains; ++c) {
      Register<double> next;
      std::memcpy(&next.values, x + i + c * kLanes, kVectorBytes);
      sums[c].values += next.values;
    }
  }
  double total = 0;
  for (const Register<double>& one : sums) total += one.values[0];
  return total;
}

struct Bandwidth {
  double read = 0;
  double copy = 0;
};

Bandwidth bandwidth(std::size_t threads) {
  std::vector<double> from(kArrayDoubles, 1.0);
  std::vector<double> to(kArrayDoubles, 0.0);
  const std::size_t part = kArrayDoubles / threads;
  const double bytes = 8.0 * static_cast<double>(part * threads);
  Bandwidth out;
  out.read = best_rate(
      threads, bytes, [&](std::size_t i) { sink = sink + read_sum(from.data() + i * part, part); });
  // A copy reads and writes.
  out.copy = best_rate(threads, 2 * bytes, [&](std::size_t i) {
    std::memcpy(to.data() + i * part, from.data() + i * part, part * sizeof(double));
  });
  return out;
}

bool parse_threads(std::string_view text, std::size_t& threads) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), threads);
  return problem == std::errc{} && end == text.data() + text.size() && threads >= 1 &&
         threads <= 1024;
}

}  // namespace

int main(int argc, char** argv) {
  std::string out;
  for (int i = 1; i < argc; ++i) {
    std::size_t threads = 0;
    if (!parse_threads(argv[i], threads)) {
      fmt::print(stderr, "error: threads are whole numbers from 1 to 1024 (found {})\n", argv[i]);
      return 2;
    }
    const Bandwidth memory = bandwidth(threads);
    out += fmt::format(
        "{}\"{}\": {{\"read\": {:.0f}, \"copy\": {:.0f}, \"f64\": {:.0f}, "
        "\"f32\": {:.0f}}}",
        out.empty() ? "" : ", ", threads, memory.read, memory.copy, fma_rate<double>(threads),
        fma_rate<float>(threads));
  }
  fmt::print("{{{}}}\n", out);
  return out.empty() ? 2 : 0;
}
