// A tree whose nodes have any number of branches: the representation of C4.5.
//
// A node asks for a number (`x <= threshold`: branch 0, else branch 1) or for a category (a table
// says which branch each level takes). A missing value takes a branch of its own, is answered by
// the node, or goes down every branch with the share of the training weight that went there, so
// that an answer is a mean over leaves (Quinlan's fractional instances). Children stand together
// and behind their parent: walks end, and nothing recurses.
//
//   BranchTree tree = BranchTree::leaf(2);                                              // two
//   classes, a leaf const std::size_t first = tree.split(0, {.feature = 1, .threshold = 2.5,
//   .branches = 2}); tree.set_counts(first, counts);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/describe.hpp"

namespace gradus {

inline constexpr std::int32_t kSpreadMissing = -1;  // down every branch, by its share
inline constexpr std::int32_t kStayHere = -2;       // the node itself answers

struct BranchQuestion {
  std::size_t feature = 0;
  double threshold = 0;
  std::size_t branches = 2;
  std::int32_t missing = kSpreadMissing;    // or kStayHere, or a branch
  std::vector<std::int32_t> of_level = {};  // category: the branch of each level, or kStayHere
};

struct BranchTree {
  static constexpr std::int32_t kLeaf = -1;
  static constexpr std::int32_t kNoTable = -1;

  std::int32_t classes = 0;
  std::vector<std::int32_t> feature;      // node: what it asks for, kLeaf if it answers
  std::vector<std::int32_t> first_child;  // node; 0 for a leaf
  std::vector<std::int32_t> branches;     // node; 0 for a leaf
  std::vector<double> threshold;          // node
  std::vector<std::int32_t> missing;      // node
  std::vector<std::int32_t> table;        // node: where its levels begin in `tables`, or kNoTable
  std::vector<std::int32_t> tables;       // for each table: the number of levels, their branches
  std::vector<double> counts;             // nodes x classes: the training weight of each class

  // A leaf without rows.
  static BranchTree leaf(std::size_t class_count);

  template <class T = BranchTree>
  static constexpr auto describe() {
    return Members{field(&T::classes, 1, "classes"),
                   field(&T::feature, 2, "feature"),
                   field(&T::first_child, 3, "first_child"),
                   field(&T::branches, 4, "branches"),
                   field(&T::threshold, 5, "threshold"),
                   field(&T::missing, 6, "missing"),
                   field(&T::table, 7, "table"),
                   field(&T::tables, 8, "tables"),
                   field(&T::counts, 9, "counts")};
  }

  std::size_t nodes() const { return feature.size(); }
  bool is_leaf(std::size_t node) const { return feature[node] == kLeaf; }
  std::size_t width(std::size_t node) const { return static_cast<std::size_t>(branches[node]); }
  std::size_t child(std::size_t node, std::size_t branch) const {
    return static_cast<std::size_t>(first_child[node]) + branch;
  }
  std::span<const double> counts_of(std::size_t node) const {
    const auto k = static_cast<std::size_t>(classes);
    return {counts.data() + node * k, k};
  }
  double weight_of(std::size_t node) const;
  std::size_t leaves() const;
  std::size_t depth() const;
  std::vector<std::size_t> parents() const;  // the root is its own

  std::size_t split(std::size_t node, const BranchQuestion& question);  // the first child
  void make_leaf(std::size_t node);  // what was below stays in the arrays until `compact`
  void set_counts(std::size_t node, std::span<const double> numbers);
  BranchQuestion question_of(std::size_t node) const;
  // The tree without nodes that nobody can reach, level by level.
  BranchTree compact() const;

  // The branch of a value: a number of one, kSpreadMissing or kStayHere.
  std::int32_t branch_of(std::size_t node, double x) const;

  // Adds the class shares of a row's leaves to `out`, which has a number for every class.
  void add_shares(std::span<const double> row, double* out) const;

  // Error{bad_data} unless a walk stays inside whatever the arrays say.
  void check(std::size_t class_count, std::size_t features) const;
};

// A node that part of a row has reached.
struct BranchVisit {
  std::size_t node = 0;
  std::size_t answering = 0;  // the last one on the way that holds training rows
  double share = 1;
};

// One step of a walk: appends where a visit goes on; false when it ends here.
bool go_on(const BranchTree& tree, std::span<const double> row, const BranchVisit& visit,
           std::vector<BranchVisit>& next);

}  // namespace gradus
