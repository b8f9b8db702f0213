#include "kernels.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "gradus/simd/kernels.hpp"

namespace gradus::bench {
namespace {

// Numbers in (0, 1] without a random generator: what the kernels cost does not depend on them.
std::vector<double> numbers(std::size_t size) {
  std::vector<double> out(size);
  for (std::size_t i = 0; i < size; ++i) out[i] = std::fmod(0.618034 * double(i + 1), 1.0) + 1e-3;
  return out;
}

void count(benchmark::State& state, double flops, double bytes) {
  const auto times = benchmark::Counter::kIsIterationInvariantRate;
  if (flops > 0) state.counters["flops"] = benchmark::Counter(flops, times);
  if (bytes > 0) state.counters["bytes"] = benchmark::Counter(bytes, times);
}

void dot(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const std::vector<double> a = numbers(size);
  const std::vector<double> b = numbers(size);
  for (auto _ : state) benchmark::DoNotOptimize(simd::dot(a.data(), b.data(), size));
  count(state, 2.0 * double(size), 16.0 * double(size));
}

void sum(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const std::vector<double> x = numbers(size);
  for (auto _ : state) benchmark::DoNotOptimize(simd::sum(x.data(), size));
  count(state, double(size), 8.0 * double(size));
}

template <void (*kernel)(const double*, double*, std::size_t)>
void elementary(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const std::vector<double> x = numbers(size);
  std::vector<double> out(size);
  for (auto _ : state) {
    kernel(x.data(), out.data(), size);
    benchmark::DoNotOptimize(out.data());
  }
  count(state, 0, 16.0 * double(size));
}

}  // namespace

void register_kernels() {
  // In the first cache, in the last one, and far beyond it.
  for (const long size : {1 << 10, 1 << 18, 1 << 23}) {
    benchmark::RegisterBenchmark("dot_f64", dot)->Arg(size);
    benchmark::RegisterBenchmark("sum_f64", sum)->Arg(size);
    benchmark::RegisterBenchmark("exp_f64", elementary<simd::exp>)->Arg(size);
    benchmark::RegisterBenchmark("log_f64", elementary<simd::log>)->Arg(size);
  }
}

}  // namespace gradus::bench
