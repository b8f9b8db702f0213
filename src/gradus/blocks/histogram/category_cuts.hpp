// The cuts of a nominal column that are tried: its categories in the order of their gradients, and
// where the rules on groups allow to part them.
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/blocks/histogram/best_split.hpp"

namespace gradus {

// The filled bins in the order in which they are cut, missing being one more category.
std::vector<std::size_t> category_order(const ColumnHistogram& histogram, const FixedPoint& scale,
                                        double smoothing);

class CategoryCuts {
 public:
  CategoryCuts(const ColumnHistogram& histogram, const FixedPoint& scale,
               const CategoryRules& rules);

  const std::vector<std::size_t>& order() const { return order_; }
  // Whether missing values stand left of a cut.
  bool missing_left(std::size_t cut) const { return missing_ < cut; }
  // The sums of the `cut` first categories.
  const GradientPair& left_of(std::size_t cut) const { return lefts_[cut]; }

  // `consider(cut)` for every cut that the rules allow. The smaller side is a set from either end;
  // where nothing limits it, one end gives all cuts.
  template <class Consider>
  void for_each(const Consider& consider) const {
    const std::size_t count = order_.size();
    const bool free = rules_.min_rows <= 1 && rules_.max_set + 1 >= count;
    try_ends(
        count, [](std::size_t taken) { return taken; }, consider);
    if (!free)
      try_ends(
          count, [count](std::size_t taken) { return count - taken; }, consider);
  }

 private:
  // `cut_of(taken)` is the cut that has `taken` categories on the side that grows.
  template <class CutOf, class Consider>
  void try_ends(std::size_t count, CutOf cut_of, const Consider& consider) const {
    std::size_t before = rows_left_of(cut_of(0));
    const std::size_t all = rows_left_of(cut_of(count));
    for (std::size_t taken = 1; taken < count && taken <= rules_.max_set; ++taken) {
      const std::size_t cut = cut_of(taken);
      const std::size_t rows = rows_left_of(cut);
      if (distance(rows, all) < rules_.min_rows) return;
      if (distance(rows, before) < rules_.min_rows) continue;
      before = rows;
      consider(cut);
    }
  }

  std::size_t rows_left_of(std::size_t cut) const { return scale_.count(lefts_[cut]); }
  static std::size_t distance(std::size_t a, std::size_t b) { return a < b ? b - a : a - b; }

  const FixedPoint& scale_;
  const CategoryRules& rules_;
  std::vector<std::size_t> order_;
  std::size_t missing_;              // the place of missing in the order; behind it: none
  std::vector<GradientPair> lefts_;  // cut: the sums of what is left of it
};

}  // namespace gradus
