// The exact best split of one column over the rows of a node.
//
// The rows are sorted by rank (counting sort; the ranks are whole numbers) and swept once from the
// lowest to the highest: every row moves from the right side to the left, running sums follow, and
// each boundary between different ranks is judged. Missing values are tried on both sides.
// Categories are put into the order of their mean target first (for K > 2 classes, into the K
// orders of the share of each class): for two classes and for squared error that order contains the
// best of all subsets (Breiman et al. 1984, section 4.2). For absolute error no order does; that of
// the means and that of the medians are both tried. Categories can also be parted one against the
// rest, in the order of their levels, or each from all others at once (Quinlan 1986).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/node_sample.hpp"
#include "gradus/blocks/splitter/ranked_table.hpp"
#include "gradus/blocks/splitter/two_class_sweep.hpp"
#include "gradus/blocks/tree/trees.hpp"

namespace gradus {

// Gains that differ by less than this share of the node's impurity are a tie.
inline constexpr double kGainTie = 1e-12;

// A category (or what is missing) that has a branch of its own, with what goes there.
struct SplitBranch {
  std::uint32_t rank = 0;
  std::size_t rows = 0;
  double weight = 0;
  double impurity = 0;
};

struct ExactSplit {
  bool found = false;
  bool constant = true;  // the column has one value only in this node
  double gain = -std::numeric_limits<double>::infinity();
  double split_information = 0;  // entropy of the sizes of the sides, in bits
  double merit = 0;              // by what it was compared with other columns
  Question question = {};
  std::uint32_t rank = 0;  // numeric: the last rank that goes left
  // Multiway: the branches in the order in which `question` asks for them, the first of all here;
  // the last takes what is left. Empty: the question has two sides.
  std::vector<SplitBranch> branches = {};
};

// Asks for one branch of a multiway split (any but the last).
Question branch_question(const ExactSplit& split, const RankedColumn& column, std::size_t branch);

// One boundary that was judged, or one set of categories: for explanations.
struct Boundary {
  double threshold = 0;
  double gain = 0;
  std::vector<std::uint32_t> set = {};  // categories that answer yes, as in Question
  bool missing_left = false;            // of a set: what is missing answers yes
};

struct SplitLimits {
  TreeCriterion criterion = TreeCriterion::gini;
  std::size_t min_samples_leaf = 1;
  double min_weight_leaf = 0;
  NominalSplits nominal = NominalSplits::subset;
};

// What a bin adds to the left of a cut.
struct BinSums {
  double weight = 0;
  double sum = 0;  // Σ w (y − mean of the node)
  std::size_t rows = 0;
};

struct SearchScratch {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> other;
  std::vector<std::uint32_t> buckets;
  std::vector<double> left;
  std::vector<double> right;
  std::vector<std::uint32_t> packed;
  std::vector<std::uint32_t> packed_other;
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint64_t> counts;
  std::vector<std::uint8_t> sides;
  std::vector<BinSums> bins;
  // Of two classes whose rows weigh the same.
  TwoClassSweep two_classes{KeyLayout{}};
  ClassNode two_class_node{2};
};

class ColumnSearch {
 public:
  ColumnSearch(const NodeSample& sample, const NodeState& state, const SplitLimits& limits,
               SearchScratch& scratch)
      : sample_(sample), state_(state), limits_(limits), scratch_(scratch) {}

  // `boundaries` receives every cut of a number and every set of categories when it is not null.
  ExactSplit search(const RankedColumn& column, std::size_t index,
                    std::vector<Boundary>* boundaries = nullptr);
  SearchScratch& scratch() { return scratch_; }
  // From now on a question that gains no more than this need not be found.
  void raise_floor(double gain) { floor_ = std::max(floor_, gain); }

 private:
  struct Sweep;
  bool gather(const RankedColumn& column, std::size_t index);
  void sort_keys();
  void search_numbers(const RankedColumn& column, ExactSplit& best);
  struct Categories;
  void search_categories(const RankedColumn& column, ExactSplit& best);
  void judge_order(const RankedColumn& column, const Categories& categories, ExactSplit& best);
  void put_question(const RankedColumn& column, const Categories& categories, std::size_t cut,
                    Boundary& out) const;
  void name_sets(const RankedColumn& column, const Categories& categories, std::size_t from);
  void judge_levels(const RankedColumn& column, const Categories& categories, ExactSplit& best);
  void arrange(const Categories& categories, std::size_t places);
  double split_information(const Sweep& found) const;
  struct Place {
    std::size_t at;
    std::size_t present;
    bool missing_left;
  };
  void note_boundary(const Sweep& sweep, const Place& place, double gain);
  void sweep(std::size_t present, bool missing_left, Sweep& out);
  template <class Sums>
  void sweep_with(Sums sums, std::size_t present, bool missing_left, Sweep& out);
  void sweep_absolute(std::size_t present, bool missing_left, Sweep& out);
  std::vector<double> category_medians(const Categories& categories) const;
  std::vector<double> category_keys(std::span<const std::size_t> begin, std::size_t of_class) const;

  const NodeSample& sample_;
  const NodeState& state_;
  const SplitLimits& limits_;
  SearchScratch& scratch_;
  std::uint32_t least_ = 0;
  std::uint32_t most_ = 0;
  std::vector<Boundary>* boundaries_ = nullptr;
  double floor_ = -std::numeric_limits<double>::infinity();
};

// The ranks of a column that the rows of a sample point into.
inline const std::uint32_t* ranks_in(const NodeSample& sample, const RankedColumn& column,
                                     std::size_t index) {
  return sample.local_ranks == nullptr ? column.rank.data() : sample.local_ranks[index];
}

// Whether a rank goes left.
bool goes_left(const ExactSplit& split, const RankedColumn& column, std::uint32_t rank);

}  // namespace gradus
