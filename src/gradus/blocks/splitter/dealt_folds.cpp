#include "gradus/blocks/splitter/dealt_folds.hpp"

#include <algorithm>

namespace gradus {

std::vector<std::uint32_t> deal_folds(const DealtData& data, std::size_t folds) {
  std::vector<std::uint32_t> order;
  for (std::size_t row = 0; row < data.weights.size(); ++row) {
    if (data.weights[row] > 0) order.push_back(static_cast<std::uint32_t>(row));
  }
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    if (!data.codes.empty() && data.codes[a] != data.codes[b]) {
      return data.codes[a] < data.codes[b] ? -1 : 1;
    }
    if (!data.numbers.empty() && data.numbers[a] != data.numbers[b]) {
      return data.numbers[a] < data.numbers[b] ? -1 : 1;
    }
    for (std::size_t j = 0; j < data.table.cols(); ++j) {
      const std::vector<std::uint32_t>& rank = data.table.column(j).rank;
      if (rank[a] != rank[b]) return rank[a] < rank[b] ? -1 : 1;
    }
    return 0;
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int sign = compare(a, b);
    return sign != 0 ? sign < 0 : a < b;
  });
  std::vector<std::uint32_t> fold(data.weights.size(), 0);
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && compare(order[i - 1], order[i]) != 0) ++distinct;
    fold[order[i]] = static_cast<std::uint32_t>(distinct % folds);
  }
  return fold;
}

}  // namespace gradus
