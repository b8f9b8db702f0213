#include "gradus/trace/shown_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gradus/core/text.hpp"

namespace gradus {

std::vector<std::size_t> shown_of_many(std::span<const double> worth) {
  std::vector<std::size_t> places(worth.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (worth.size() <= kAllShown) return places;
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return worth[a] > worth[b]; });
  places.resize(kBestShown);
  return places;
}

std::string best_only(std::vector<std::string> of) {
  constexpr std::size_t kMostNamed = 12;
  if (of.empty()) return "";
  const std::size_t more = of.size() > kMostNamed ? of.size() - kMostNamed : 0;
  of.resize(of.size() - more);
  if (more > 0)
    of.push_back(fmt::format("and those of {}", counted(more, "more column", "more columns")));
  return fmt::format(" Of many that were tried the {} best are listed: {}.", kBestShown,
                     join(of, ", "));
}

}  // namespace gradus
