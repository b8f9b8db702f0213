#include "support/small_data.hpp"

#include <cmath>
#include <string>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr std::size_t kRows = 24;
constexpr std::size_t kClasses = 3;

// Three groups of rows that overlap a little, so that no learner meets a perfect fit only.
std::size_t group_of(std::size_t row) { return row % kClasses; }

Column numeric_column(const std::string& name, std::uint64_t item) {
  Stream stream(7, item);
  std::vector<double> values;
  for (std::size_t row = 0; row < kRows; ++row) {
    const double centre = 2.0 * static_cast<double>(group_of(row)) + 1.0;
    values.push_back(std::round((centre + stream.uniform() * 2.5) * 64) / 64);
  }
  return Column::numeric(name, std::move(values));
}

Column nominal_column(const std::string& name, std::uint64_t item, const Levels& levels) {
  Stream stream(11, item);
  std::vector<std::int32_t> codes;
  for (std::size_t row = 0; row < kRows; ++row) {
    const bool typical = stream.uniform() < 0.75;
    const std::size_t code = typical ? group_of(row) : stream.below(levels.size());
    codes.push_back(static_cast<std::int32_t>(code % levels.size()));
  }
  return Column::nominal(name, std::move(codes), levels);
}

Column class_target() {
  std::vector<std::int32_t> codes;
  for (std::size_t row = 0; row < kRows; ++row) {
    codes.push_back(static_cast<std::int32_t>(group_of(row)));
  }
  return Column::nominal("target", std::move(codes), {"ash", "birch", "cedar"});
}

Column number_target() {
  Stream stream(13);
  std::vector<double> values;
  for (std::size_t row = 0; row < kRows; ++row) {
    values.push_back(3.0 * static_cast<double>(group_of(row)) +
                     std::floor(stream.uniform() * 8) / 4);
  }
  return Column::numeric("target", std::move(values));
}

}  // namespace

std::vector<SmallCase> small_cases(const Info& info) {
  std::vector<Column> columns;
  if (info.accepts.has(Accept::numeric)) {
    columns.push_back(numeric_column("width", 0));
    columns.push_back(numeric_column("height", 1));
  }
  if (info.accepts.has(Accept::nominal)) {
    columns.push_back(nominal_column("colour", 0, {"blue", "green", "red"}));
    columns.push_back(nominal_column("shape", 1, {"round", "square"}));
  }
  std::vector<SmallCase> cases;
  for (const Task task : {Task::classify, Task::regress, Task::cluster}) {
    if (!info.tasks.has(task)) continue;
    SmallCase small{task, Dataset(columns), Dataset(columns), {}};
    small.options.task = task;
    if (task != Task::cluster) {
      small.data =
          small.data.with_column(task == Task::classify ? class_target() : number_target());
      small.options.target = {"target"};
    }
    cases.push_back(std::move(small));
  }
  return cases;
}

}  // namespace gradus
