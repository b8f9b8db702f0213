// A branching tree in words: the test of a branch, the way to a node, the whole tree and its rules.
//
//   BranchWords words(tree, signature);
//   words.test(3);          // "outlook = sunny", "humidity <= 75", "colour in {red, blue}"
//   words.path(3);          // "tree/outlook=sunny"
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/blocks/branching/branch_search.hpp"
#include "gradus/blocks/branching/branch_tree.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/value.hpp"

namespace gradus {

class BranchWords {
 public:
  BranchWords(const BranchTree& tree, const Signature& signature);

  std::string test(std::size_t child) const;
  std::vector<std::string> tests(std::size_t node) const;  // root first
  std::string path(std::size_t node) const;                // "tree/outlook=sunny/humidity<=75"
  std::string where(std::size_t node) const;               // joined by AND; "the root"
  // "outlook", "humidity <= 75": what a node asks.
  std::string question(std::size_t node) const;
  // The class that a node answers: of its parent when no training row is in it.
  const std::string& answer(std::size_t node) const;
  std::size_t answering(std::size_t node) const;

  // Tells where the children of a node are; while growing, once the node is split.
  void add_children(std::size_t node);

 private:
  const BranchTree& tree_;
  const Signature& signature_;
  std::vector<std::size_t> parent_;
};

// What one branch of a question says: "= sunny", "<= 75", "in {red, blue}", "is missing".
std::string branch_text(const BranchQuestion& question, const FeatureName& name,
                        std::size_t branch);
// What a question that is not asked yet would be called.
std::string question_text(const BranchQuestion& question, const FeatureName& name);

// Nodes as nested values, cut (and saying so) where no person reads on.
Value branch_tree_value(const BranchTree& tree, const BranchWords& words,
                        const Signature& signature);

// One IF ... THEN ... for each leaf from left to right, at most `most`.
Value branch_rules(const BranchTree& tree, const BranchWords& words, std::size_t most);

Value class_counts(std::span<const double> counts, const Signature& signature);

}  // namespace gradus
