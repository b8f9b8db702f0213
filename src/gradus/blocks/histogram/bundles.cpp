#include "gradus/blocks/histogram/bundles.hpp"

#include <algorithm>
#include <numeric>

namespace gradus {
namespace {

// So many bundles are tried for a column before it opens a new one: the newest ones, which are the
// emptiest.
constexpr std::size_t kTried = 64;

struct Bundle {
  std::vector<std::size_t> members;
  std::vector<bool> taken;  // row: some member is not usual
  std::size_t codes = 0;

  bool has_room(const SparseColumn& column) const {
    if (codes + column.codes > kMostBundleCodes) return false;
    return std::none_of(column.rows.begin(), column.rows.end(),
                        [&](std::uint32_t row) { return taken[row]; });
  }
  void add(std::size_t place, const SparseColumn& column) {
    members.push_back(place);
    codes += column.codes;
    for (const std::uint32_t row : column.rows) taken[row] = true;
  }
};

}  // namespace

std::vector<std::vector<std::size_t>> exclusive_bundles(std::span<const SparseColumn> columns,
                                                        std::size_t rows) {
  std::vector<std::size_t> order(columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return columns[a].rows.size() > columns[b].rows.size();
  });
  std::vector<Bundle> bundles;
  for (const std::size_t place : order) {
    const SparseColumn& column = columns[place];
    if (column.codes > kMostBundleCodes) continue;
    const std::size_t first = bundles.size() > kTried ? bundles.size() - kTried : 0;
    const auto found =
        std::find_if(bundles.begin() + static_cast<std::ptrdiff_t>(first), bundles.end(),
                     [&](const Bundle& bundle) { return bundle.has_room(column); });
    if (found != bundles.end()) {
      found->add(place, column);
    } else {
      bundles.push_back({{}, std::vector<bool>(rows, false), 0});
      bundles.back().add(place, column);
    }
  }
  std::vector<std::vector<std::size_t>> out;
  for (Bundle& bundle : bundles) {
    if (bundle.members.size() < 2) continue;
    std::sort(bundle.members.begin(), bundle.members.end());
    out.push_back(std::move(bundle.members));
  }
  return out;
}

}  // namespace gradus
