#include "gradus/data/io/number_grid.hpp"

#include <algorithm>
#include <utility>

#include "gradus/parallel/parallel.hpp"

namespace gradus::io {
namespace {

// Rows of all columns that are turned together, so that they stay in the cache.
constexpr std::size_t kTurnedRows = 128;
// Rows of a parallel part.
constexpr std::size_t kPartRows = 64 * kTurnedRows;

template <class T>
std::vector<std::vector<T>> load_columns(const NumberGrid& grid,
                                         void (*load)(const Stretch& from, T* out),
                                         const Context& context) {
  context.require_memory(grid.rows * grid.cols * sizeof(T), "the table");
  std::vector<std::vector<T>> columns(grid.cols, std::vector<T>(grid.rows));
  parallel::for_each_block(context, grid.rows, kPartRows, [&](parallel::Block part) {
    for (std::size_t begin = part.begin; begin < part.end; begin += kTurnedRows) {
      const std::size_t count = std::min(kTurnedRows, part.end - begin);
      const char* row = grid.data + begin * grid.row_step;
      for (std::size_t col = 0; col < grid.cols; ++col) {
        load({row + col * grid.col_step, grid.row_step, count, grid.order},
             columns[col].data() + begin);
      }
    }
  });
  return columns;
}

template <class T>
std::vector<Column> named(std::vector<std::vector<T>> values,
                          const std::vector<std::string>& names) {
  std::vector<Column> columns;
  columns.reserve(values.size());
  for (std::size_t j = 0; j < values.size(); ++j) {
    columns.push_back(Column::numeric(names[j], std::move(values[j])));
  }
  return columns;
}

}  // namespace

std::vector<Column> columns_of(const NumberGrid& grid, const std::vector<std::string>& names,
                               const Context& context) {
  return grid.single ? named(load_columns(grid, grid.load.floats, context), names)
                     : named(load_columns(grid, grid.load.doubles, context), names);
}

}  // namespace gradus::io
