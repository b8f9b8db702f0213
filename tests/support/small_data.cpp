#include "support/small_data.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
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

Dataset sparse_rows(const Preparation& preparation) {
  const auto cols = static_cast<std::size_t>(preparation.sparse_columns);
  CsrArrays matrix;
  matrix.cols = cols;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t j = row; j < std::min<std::size_t>(cols, 8); j += 2) {
      matrix.add(static_cast<std::uint32_t>(j), static_cast<double>(j) - 1.5);
    }
    matrix.end_row();
  }
  return Dataset().with_sparse({std::make_shared<const CsrMatrix>(std::move(matrix)),
                                preparation.sparse_prefix,
                                static_cast<std::size_t>(preparation.sparse_first)});
}

}  // namespace

Dataset rows_for(const Preparation& preparation) {
  if (preparation.sparse) return sparse_rows(preparation);
  const double numbers[] = {0, 1.5, -1e300, std::numeric_limits<double>::quiet_NaN()};
  std::vector<Column> columns;
  for (const SourceColumn& source : preparation.sources) {
    if (source.kind == ColumnKind::numeric) {
      columns.push_back(Column::numeric(
          source.name, std::vector<double>(std::begin(numbers), std::end(numbers))));
      continue;
    }
    std::vector<std::int32_t> codes;
    for (std::size_t row = 0; row < std::size(numbers); ++row) {
      const bool known = row < source.levels.size();
      codes.push_back(known ? static_cast<std::int32_t>(row) : kMissingCode);
    }
    columns.push_back(Column::nominal(source.name, std::move(codes), source.levels));
  }
  return Dataset(std::move(columns));
}

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
