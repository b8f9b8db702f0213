// The best question about one column at a node of a branching tree.
//
// With the rows whose value is known, F = W_known / W and the parts S_v of a question,
//
//   gain  = F · (H(S_known) − Σ |S_v|/|S_known| · H(S_v))
//   ratio = gain / split_information,   split_information = −Σ |S_v|/|S| log₂ |S_v|/|S|
//
// where what is missing is one more part of the split information (Quinlan 1993, chapters 2 and 3).
// A number is cut where its gain is largest; with `release_8`, log₂(cuts)/W is taken off its gain,
// for having been chosen among so many (Quinlan 1996). Other ways with missing values give them a
// value first, and then nothing is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/branching/branch_measure.hpp"
#include "gradus/blocks/branching/branch_tree.hpp"
#include "gradus/blocks/splitter/node_sample.hpp"
#include "gradus/blocks/splitter/ranked_table.hpp"

namespace gradus {

// What becomes of a row whose value is missing, at the node that asks for it.
enum class NodeMissing {
  fractional,       // parts of it go down every branch; only known values count in the gain
  fractional_gain,  // the same, and the parts count in the gain
  own_branch,       // missing is one more value
  most_common,      // the most common level at the node, the mean of a number
  same_class        // the same, among the rows of its class
};

struct BranchLimits {
  BranchMeasure measure = BranchMeasure::gain_ratio;
  NominalBranches nominal = NominalBranches::multiway;
  NodeMissing missing = NodeMissing::fractional;
  double min_weight = 2;  // at least two branches hold as much
  bool release_8 = true;
};

// One cut of a number, or one set of levels, that was judged: for explanations.
struct BranchCut {
  double threshold = 0;
  double gain = 0;
  std::vector<std::int32_t> of_level = {};  // as in BranchQuestion
};

struct BranchSplit {
  bool found = false;
  double gain = 0;
  double remainder = 0;    // the mean impurity of the branches
  double before = 0;       // the impurity of the rows that count
  double known = 1;        // their share of the weight
  double charge = 0;       // taken off the gain: log₂(judged)/W
  std::size_t judged = 0;  // cuts of a number
  double split_information = 0;
  double ratio = 0;
  double merit = 0;  // by which columns are compared
  BranchQuestion question = {};
  std::vector<double> counts = {};       // branches x classes, of the rows that are known
  std::vector<std::uint32_t> fill = {};  // the rank that a missing value gets, by class
  std::vector<BranchCut> cuts = {};      // only when asked for
};

struct BranchScratch {
  std::vector<std::uint64_t> keys;
  std::vector<double> left;
  std::vector<double> right;
};

class BranchSearch {
 public:
  BranchSearch(const NodeSample& sample, const NodeState& state, const BranchLimits& limits,
               BranchScratch& scratch)
      : sample_(sample), state_(state), limits_(limits), scratch_(scratch) {}

  // `all_cuts` keeps every cut of a number and every set of levels that was judged.
  BranchSplit search(const RankedColumn& column, std::size_t index, bool all_cuts);

 private:
  void fill_missing(const RankedColumn& column, BranchSplit& best) const;
  std::uint32_t rank_of(const RankedColumn& column, const BranchSplit& best, std::size_t i) const;
  void search_numbers(const RankedColumn& column, BranchSplit& best, bool all_cuts);
  void search_levels(const RankedColumn& column, BranchSplit& best, bool all_cuts);
  void search_pairs(const std::vector<double>& by_level, std::span<const std::uint32_t> present,
                    BranchSplit& best, bool all_sets);
  // Sets gain, ratio and merit from `counts`; false when too few branches are large enough.
  bool judge(BranchSplit& split) const;
  double impurity(std::span<const double> counts) const;

  const NodeSample& sample_;
  const NodeState& state_;
  const BranchLimits& limits_;
  BranchScratch& scratch_;
  std::vector<double> missing_;  // classes: the weight whose value is not known
};

// The branch of a training row; kSpreadMissing when it goes down all of them.
std::int32_t training_branch(const BranchSplit& split, const RankedColumn& column,
                             std::uint32_t rank, std::size_t code);

}  // namespace gradus
