// The questions that were judged at a node of an exact tree, for its step: of each column the best
// with what goes to its sides, all others with their gains, and by what columns were compared.
#pragma once

#include <string>

#include "gradus/blocks/splitter/exact_grow.hpp"
#include "gradus/blocks/splitter/target_scale.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// What the numbers of a growing tree are: of which impurity, and in which units.
struct StoryUnits {
  TreeCriterion criterion = TreeCriterion::gini;
  TargetUnits target = {};
};

class SplitStory {
 public:
  // The event is told in the units of the user already; its rows are in those of the growth.
  SplitStory(const NodeEvent& event, const Signature& signature, const StoryUnits& units)
      : event_(event), signature_(signature), told_in_(units) {}

  // Adds the candidates of the event to the values and the formula.
  void tell(Step& step) const;
  std::string question(const ExactSplit& split) const;
  // Whether columns were compared by something else than their gain.
  bool by_merit() const;
  // Which lists hold the best only, as a sentence with a blank before it; empty: none.
  std::string shortened() const;

 private:
  std::string question(const Question& question) const;
  double shown_gain(double gain) const;
  void tell_sides(const ExactSplit& split, Step& step) const;
  void tell_branches(const ExactSplit& split, Step& step) const;
  void tell_ratio(const ExactSplit& split, Step& step) const;
  void tell_boundaries(std::size_t candidate, Step& step) const;

  const NodeEvent& event_;
  const Signature& signature_;
  StoryUnits told_in_;
};

}  // namespace gradus
