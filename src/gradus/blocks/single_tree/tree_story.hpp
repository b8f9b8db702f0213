// The steps of growing a decision tree: at every node each column's best question with its numbers,
// the one that was chosen, and why a leaf is a leaf.
#pragma once

#include <functional>
#include <optional>

#include "gradus/blocks/single_tree/split_story.hpp"
#include "gradus/blocks/single_tree/tree_model.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// Tells nothing, and costs nothing, without a trace.
class TreeStory {
 public:
  TreeStory(const StoryUnits& units, const Signature& signature, Trace* trace)
      : told_in_(units), signature_(signature), trace_(trace) {}

  // Tells the units first, where they are not the user's.
  std::function<void(const NodeEvent&)> observer();
  void prune(std::size_t leaves_before, const DecisionTreeModel& model, double alpha);
  void finish(const DecisionTreeModel& model);

 private:
  bool listens() const { return trace_ != nullptr && trace_->wants_more(); }
  void tell_units();
  void tell(const NodeEvent& event);
  std::string answer(const NodeEvent& event) const;
  std::string leaf_text(const NodeEvent& event) const;

  StoryUnits told_in_;
  const Signature& signature_;
  Trace* trace_;
  std::optional<TreeWords> words_;
};

// Which way a row goes at a node, and why.
struct Turn {
  bool yes = false;
  std::string reason = {};  // "The row has x = 3"
};

using TakeTurn = std::function<Turn(std::size_t node, const TreeWords& words)>;

// The way of one row through a tree as steps; `turn` decides at every inner node.
void explain_way(const DecisionTreeModel& model, std::span<const double> row,
                 const Signature& signature, const TakeTurn& turn, Trace& trace);

}  // namespace gradus
