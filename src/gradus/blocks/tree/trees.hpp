// Binary trees as flat arrays: the one representation of every tree, forest and boosted ensemble.
//
// A node asks `x[feature] <= threshold` (or whether a category is in a set); yes goes to `left`,
// no to `left + 1`, and what is missing follows `missing_left`. Children always have larger
// indices than their parent, so a walk ends, and no function here recurses: a chain of 100,000
// levels is as harmless as a stump. Every node keeps `width` numbers (class shares, a mean, a
// score), so inner nodes can be shown too; forests for classes keep counts at their leaves instead
// (leaf_classes.hpp).
//
//   Trees trees;
//   trees.begin_tree();                                     // node 0, a leaf
//   const std::size_t yes = trees.split(0, {.feature = 2, .threshold = 1.5});
//   trees.set_value(yes, values);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

// What a node asks. With `set`, a category goes left when its bit is set; else numbers up to the
// threshold do.
struct Question {
  std::size_t feature = 0;
  double threshold = 0;
  bool missing_left = false;
  std::vector<std::uint32_t> set = {};  // bit c of word c / 32; empty: a numeric question
};

struct Trees {
  static constexpr std::int32_t kNoSet = -1;
  // A few of many categories are listed: a bit for each of 100,000 would be 12 kB for every node.
  static constexpr std::uint32_t kListed = std::uint32_t{1} << 31U;

  std::int32_t width = 1;
  std::vector<std::int32_t> roots;         // first node of each tree
  std::vector<std::int32_t> feature;       // node: the column that it asks for
  std::vector<std::int32_t> left;          // node: its yes-child, the no-child follows; 0: a leaf
  std::vector<double> threshold;           // node; of a set question see many_branches.hpp
  std::vector<std::uint8_t> missing_left;  // node: 1 when a missing value goes left
  std::vector<std::int32_t> set;           // node: where its set begins in `sets`, or kNoSet
  std::vector<std::uint32_t> sets;         // for each set: the number of its words, the words;
                                           // or kListed and how many levels, the levels ascending
  std::vector<double> value;               // nodes x width; empty where leaves keep counts
  std::vector<double> cover;  // node: what it held of the training rows; empty when not known
  std::vector<std::int32_t> leaf_class;  // see leaf_classes.hpp; empty: nodes have values
  std::vector<std::uint32_t> leaf_counts;

  template <class T = Trees>
  static constexpr auto describe() {
    return Members{field(&T::width, 1, "width"),
                   field(&T::roots, 2, "roots"),
                   field(&T::feature, 3, "feature"),
                   field(&T::left, 4, "left"),
                   field(&T::threshold, 5, "threshold"),
                   field(&T::missing_left, 6, "missing_left"),
                   field(&T::set, 7, "set"),
                   field(&T::sets, 8, "sets"),
                   field(&T::value, 9, "value"),
                   field(&T::cover, 10, "cover"),
                   field(&T::leaf_class, 11, "leaf_class").since(2),
                   field(&T::leaf_counts, 12, "leaf_counts").since(2)};
  }

  std::size_t count() const { return roots.size(); }
  // The memory that its nodes and sets take, without their values.
  std::size_t bytes() const;
  std::size_t nodes() const { return left.size(); }
  std::size_t root(std::size_t tree) const { return static_cast<std::size_t>(roots[tree]); }
  std::size_t tree_end(std::size_t tree) const {
    return tree + 1 < roots.size() ? root(tree + 1) : nodes();
  }
  bool is_leaf(std::size_t node) const { return left[node] == 0; }
  std::size_t yes(std::size_t node) const { return static_cast<std::size_t>(left[node]); }
  std::size_t no(std::size_t node) const { return yes(node) + 1; }
  // Of trees whose nodes have values.
  std::span<const double> value_of(std::size_t node) const {
    const auto w = static_cast<std::size_t>(width);
    return {value.data() + node * w, w};
  }
  bool keeps_counts() const { return !leaf_class.empty(); }
  // The numbers of a leaf, in whatever form: body(k, number); those left out are 0.
  template <class Body>
  void for_numbers(std::size_t leaf, const Body& body) const {
    if (!keeps_counts()) {
      const std::span<const double> numbers = value_of(leaf);
      for (std::size_t k = 0; k < numbers.size(); ++k) body(k, numbers[k]);
    } else if (leaf_class[leaf] >= 0) {
      body(static_cast<std::size_t>(leaf_class[leaf]), 1.0);
    } else {
      for_counts(leaf, [&](std::uint32_t code, std::uint32_t count) {
        body(std::size_t{code}, count / cover[leaf]);
      });
    }
  }
  // What a leaf of several classes counts: body(class, count), ascending.
  template <class Body>
  void for_counts(std::size_t leaf, const Body& body) const {
    const std::uint32_t* kept = leaf_counts.data() + (-1 - leaf_class[leaf]);
    for (std::uint32_t i = 0; i < kept[0]; ++i) body(kept[1 + 2 * i], kept[2 + 2 * i]);
  }
  std::vector<double> numbers_of(std::size_t leaf) const;
  // The first of the largest numbers of a leaf.
  std::size_t loudest(std::size_t leaf) const;
  bool goes_left(std::size_t node, double x) const;
  bool in_set(std::size_t node, std::size_t code) const;

  // Building. Nodes are leaves with zeros until they are split and given values.
  std::size_t begin_tree();                                       // returns the new root
  std::size_t split(std::size_t node, const Question& question);  // returns the yes-child
  void set_value(std::size_t node, std::span<const double> numbers);
  void append(const Trees& other);                       // the trees of `other`, behind these
  void cut(std::size_t trees);                           // keeps the first `trees` of them
  Trees part(std::size_t begin, std::size_t end) const;  // the trees [begin, end) alone

  // What an inner node asks.
  Question question_of(std::size_t node) const;
  // The set that begins there, as bits.
  std::vector<std::uint32_t> words_of(std::int32_t set_begin) const;

  // The node where a row ends.
  std::size_t leaf_of(std::size_t tree, std::span<const double> row) const;

  // For every row, in the order of the trees: out[row * outputs + k] += the value of its leaf.
  // Trees of width 1 take the outputs in turn (tree t adds to output t mod outputs); wider ones
  // have one number per output.
  void add_values(const RowBlock& rows, std::size_t outputs, double* out) const;
  // The same for one of the trees alone.
  void add_values_of(std::size_t tree, const RowBlock& rows, std::size_t outputs,
                     double* out) const;

  // Levels below the root; 0 for a leaf alone.
  std::size_t depth(std::size_t tree) const;
  std::size_t leaves(std::size_t tree) const;
  // The parent of every node of a tree, by index minus root; the root is its own.
  std::vector<std::size_t> parents(std::size_t tree) const;

  // Error{bad_data} unless every index is in range, children follow parents, each node has one
  // parent and all numbers are finite: whatever a file says, a walk stays inside.
  void check(std::size_t features) const;
};

}  // namespace gradus
