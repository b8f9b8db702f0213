// The library measured from C++ with Google Benchmark: what Python and the process start hide.
//
//   gradus_bench read FILE THREADS [--benchmark_...]     a table from a file
//   gradus_bench load MODEL                              a model from its file
//   gradus_bench row MODEL DATA.csv                      one answer to one prepared row
//   gradus_bench kernels                                 the vector kernels
//
// The outcome is Google Benchmark's (`--benchmark_format=json`), with counters for checking that
// the work was done: rows, cells, the sum of all numbers.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <charconv>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/gradus.hpp"
#include "kernels.hpp"

namespace {

using gradus::Column;
using gradus::Dataset;

// Resident bytes of this process: VmHWM is the high-water mark, VmRSS what is held now.
double memory_of_process(std::string_view key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t digits = line.find_first_of("0123456789");
    long kib = 0;
    std::from_chars(line.data() + digits, line.data() + line.size(), kib);
    return 1024.0 * static_cast<double>(kib);
  }
  return 0;
}

// Of all numeric columns; of a sparse file the features alone, without the label.
double sum_of_numbers(const Dataset& data) {
  double total = 0;
  if (data.sparse().has_value()) {
    for (const double x : data.sparse()->matrix->value) total += x;
    return total;
  }
  for (const Column& column : data.columns()) {
    if (!column.is_numeric()) continue;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!column.missing(i)) total += column.number(i);
    }
  }
  return total;
}

void read_file(benchmark::State& state, const std::string& path, int threads) {
  gradus::Context context;
  context.threads = threads;
  const double before = memory_of_process("VmRSS");
  double peak = 0;
  Dataset data;
  for (auto _ : state) {
    data = Dataset();
    data = gradus::read_table(path, {}, nullptr, context);
    if (peak == 0) peak = memory_of_process("VmHWM") - before;
  }
  state.counters["rows"] = static_cast<double>(data.rows());
  state.counters["sum"] = sum_of_numbers(data);
  state.counters["peak_bytes"] = peak;
}

void load_model(benchmark::State& state, const std::string& path) {
  for (auto _ : state) {
    gradus::AnyModel model = gradus::load(path);
    benchmark::DoNotOptimize(model);
  }
}

// The rows with the types that the model knows: its categories may look like numbers.
Dataset rows_for(const gradus::AnyModel& model, const std::string& path) {
  gradus::ReadOptions options;
  options.format = gradus::TableFormat::csv;
  for (const gradus::SourceColumn& source : model.preparation().sources) {
    if (source.kind != gradus::ColumnKind::numeric) options.nominal.push_back(source.name);
  }
  return gradus::read_table(path, options);
}

// Rows in turn, so that neither a branch predictor nor a cache learns the only row by heart.
void answer_row(benchmark::State& state, const std::string& model_path, const std::string& data) {
  const gradus::AnyModel model = gradus::load(model_path);
  const gradus::Features features =
      model.preparation().apply(rows_for(model, data), gradus::Extra::ignore, nullptr);
  std::vector<double> scratch;
  const gradus::RowBlock rows = features.block(0, features.rows(), scratch);
  std::vector<double> out(model.signature().width());
  std::size_t next = 0;
  for (auto _ : state) {
    model.predict_row(rows.row(next), out.data());
    benchmark::DoNotOptimize(out.data());
    next = next + 1 == rows.rows ? 0 : next + 1;
  }
}

bool parse_int(std::string_view text, int& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc{} && end == text.data() + text.size();
}

// Registers what the words ask for; false when they cannot be understood.
bool choose(const std::vector<std::string>& words) {
  const std::string verb = words.empty() ? "" : words[0];
  if (verb == "kernels" && words.size() == 1) {
    gradus::bench::register_kernels();
    return true;
  }
  std::function<void(benchmark::State&)> work;
  int threads = 0;
  if (verb == "read" && words.size() == 3 && parse_int(words[2], threads)) {
    work = [=](benchmark::State& state) { read_file(state, words[1], threads); };
  } else if (verb == "load" && words.size() == 2) {
    work = [=](benchmark::State& state) { load_model(state, words[1]); };
  } else if (verb == "row" && words.size() == 3) {
    work = [=](benchmark::State& state) { answer_row(state, words[1], words[2]); };
  } else {
    return false;
  }
  benchmark::RegisterBenchmark(verb.c_str(), work)->UseRealTime()->Unit(benchmark::kNanosecond);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (!choose({argv + 1, argv + argc})) {
    fmt::print(stderr,
               "error: usage: gradus_bench read FILE THREADS | load MODEL | row MODEL DATA.csv | "
               "kernels\n");
    return 2;
  }
  try {
    benchmark::RunSpecifiedBenchmarks();
  } catch (const gradus::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
