// A tree in words: the question of a node, the way to it, and the whole tree as nested values.
//
//   TreeWords words(trees, 0, signature);
//   words.question(0);       // "petal_width <= 0.8", "color in {red, blue}", "size <= medium"
//   words.where(4);          // "petal_width > 0.8 AND petal_length <= 4.95"
//
// A question with a branch per category (many_branches.hpp) is told as one: "outlook".
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/blocks/tree/trees.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/value.hpp"

namespace gradus {

class TreeWords {
 public:
  TreeWords(const Trees& trees, std::size_t tree, const Signature& signature);

  std::string question(std::size_t node) const;
  // What holds for a child: the question, or its negation for the no-child.
  std::string test(std::size_t child) const;
  // The branch of a question with many of them that leads to a child: "sunny", "in {red, blue}".
  std::string branch(std::size_t child) const;
  // Root first; of a very long way "…" and the last.
  std::vector<std::string> tests(std::size_t node) const;
  std::string where(std::size_t node) const;  // joined by AND; "the root"
  std::string path(std::size_t node) const;   // "tree/petal_width<=0.8/..."
  std::size_t depth(std::size_t node) const;

  // Tells where the children of a node are; while growing, once the node is split.
  void add_children(std::size_t node);

  // What row `row` has for the question of a node: "petal_width = 1.3", "color is missing".
  std::string answer(std::size_t node, std::span<const double> row) const;

 private:
  std::string words_of(std::size_t node, bool yes) const;
  std::string categories_of(std::size_t node, bool yes) const;
  std::vector<std::size_t> way(std::size_t node, std::size_t most) const;  // links left out

  const Trees& trees_;
  const Signature& signature_;
  std::size_t root_;
  std::vector<std::size_t> parent_;  // by node minus root
};

// The set question of a node as the names of its categories, in level order.
std::vector<std::string> set_names(const Trees& trees, std::size_t node, const FeatureName& name,
                                   bool inside);

// Adds what a learner wants to say about a node.
using DescribeNode = std::function<void(std::size_t node, Value& out)>;

// `{question, ..., yes: {...}, no: {...}}`, or `branches: {sunny: {...}, ...}` instead of yes and
// no, cut (and saying so) where no person reads on.
Value tree_value(const Trees& trees, std::size_t tree, const TreeWords& words,
                 const DescribeNode& describe);

// The leaves from left to right, at most `most` of them.
std::vector<std::size_t> leaves_in_order(const Trees& trees, std::size_t tree, std::size_t most);

// What a node answers: the name of the most frequent class, or the number.
std::string answer_in_words(const Trees& trees, std::size_t node, const Signature& signature);

// What each column brought, as shares of the sum, by name.
Value importances_value(std::span<const double> importances, const Signature& signature);

}  // namespace gradus
