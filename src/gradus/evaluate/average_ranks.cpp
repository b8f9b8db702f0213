#include "gradus/evaluate/average_ranks.hpp"

#include <algorithm>
#include <numeric>

namespace gradus {

Ranks average_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  Ranks out{std::vector<double>(values.size()), 0};
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = static_cast<double>(begin + end + 1) / 2;
    for (std::size_t i = begin; i < end; ++i) out.ranks[order[i]] = rank;
    const auto ties = static_cast<double>(end - begin);
    out.tie_term += ties * ties * ties - ties;
    begin = end;
  }
  return out;
}

}  // namespace gradus
