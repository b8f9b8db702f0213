// The best question for all leaves of a level together: what a symmetric tree asks.
//
// A symmetric (oblivious) tree asks one question per level, the one with the largest sum of gains
// over the leaves. A question has to be good nearly everywhere to be chosen, and there are as few
// of them as levels, so that such trees fit noise less than others with as many leaves (Kohavi, Li
// 1995; Prokhorenkova et al. 2018). A leaf that gains nothing by the question, or whose children
// the rules forbid, adds nothing to the sum and stays whole. Categories are ordered by their
// gradients in all leaves together, so that the same set is asked for everywhere.
#pragma once

#include <span>

#include "gradus/blocks/histogram/best_split.hpp"

namespace gradus {

// `leaves` are the histograms of one column, at least one of them. `gain` of the answer is the sum
// over the leaves; its `left` is empty.
SplitCandidate best_level_split(std::span<const ColumnHistogram> leaves, const FixedPoint& scale,
                                const SplitRules& relative);

// The question that was chosen, ready to be asked.
struct LevelQuestion {
  SplitCandidate candidate = {};
  GoesLeft goes = {};  // bin: 1 when it goes left, in every leaf
};
LevelQuestion level_question(std::span<const ColumnHistogram> leaves, SplitCandidate candidate,
                             const FixedPoint& scale, const CategoryRules& rules);

// What the question does in one leaf; not found where the leaf stays whole.
SplitCandidate part_of_level(const ColumnHistogram& leaf, const LevelQuestion& question,
                             const FixedPoint& scale, const SplitRules& relative);

}  // namespace gradus
