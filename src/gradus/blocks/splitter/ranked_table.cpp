#include "gradus/blocks/splitter/ranked_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/parallel/parallel.hpp"

namespace gradus {

RankedColumn ranked_numbers(const std::vector<double>& numbers) {
  struct Item {
    double number;
    std::uint32_t row;
  };
  std::vector<Item> order;
  order.reserve(numbers.size());
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (!std::isnan(numbers[row])) order.push_back({numbers[row], static_cast<std::uint32_t>(row)});
  }
  std::sort(order.begin(), order.end(),
            [](const Item& a, const Item& b) { return a.number < b.number; });
  RankedColumn column;
  column.rank.resize(numbers.size());
  for (const Item& item : order) {
    if (column.values.empty() || column.values.back() != item.number) {
      column.values.push_back(item.number);
    }
    column.rank[item.row] = static_cast<std::uint32_t>(column.values.size() - 1);
  }
  column.ranks = column.values.size();
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (std::isnan(numbers[row])) column.rank[row] = static_cast<std::uint32_t>(column.ranks);
  }
  return column;
}

RankedColumn ranked_levels(const std::vector<double>& codes, std::size_t levels) {
  RankedColumn column;
  column.nominal = true;
  column.ranks = levels;
  column.rank.reserve(codes.size());
  for (const double code : codes) {
    column.rank.push_back(std::isnan(code) ? static_cast<std::uint32_t>(levels)
                                           : static_cast<std::uint32_t>(code));
  }
  return column;
}

namespace {

RankedColumn ranked_column(const std::vector<double>& numbers, const FeatureName& name) {
  return name.nominal ? ranked_levels(numbers, name.levels.size()) : ranked_numbers(numbers);
}

}  // namespace

RankedTable::RankedTable(const Features& features, const Signature& signature,
                         const Context& context)
    : rows_(features.rows()) {
  context.require_memory(rows_ * features.cols() * (sizeof(std::uint32_t) + sizeof(double)),
                         "the ranks of all numbers");
  columns_ = parallel::map_slots<RankedColumn>(context, features.cols(), [&](std::size_t j) {
    return ranked_column(features.column(j), signature.features[j]);
  });
}

RankedTable::RankedTable(const std::vector<std::vector<double>>& columns,
                         const Signature& signature, const Context& context)
    : rows_(columns.empty() ? 0 : columns.front().size()) {
  columns_ = parallel::map_slots<RankedColumn>(context, columns.size(), [&](std::size_t j) {
    return ranked_column(columns[j], signature.features[j]);
  });
}

}  // namespace gradus
