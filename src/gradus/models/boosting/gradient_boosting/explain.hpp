// The steps of a boosting fit: where it starts, and for every tree the residuals, the questions
// that were tried, the leaf values and the loss that is left.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/blocks/histogram/grow.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/models/boosting/gradient_boosting/boosting_table.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// What the numbers of a grown tree are measured in.
struct TreeUnits {
  FixedPoint scale;
  double step = 1;  // a leaf's value was multiplied by this
};

// Tells nothing, and costs nothing, when the context has no trace.
class BoostingStory {
 public:
  BoostingStory(const GradientBoosting& learner, const TrainTask& task, const BoostingTable& table,
                const Context& context)
      : learner_(learner), task_(task), table_(table), trace_(context.trace) {}

  bool listens() const { return trace_ != nullptr && trace_->wants_more(); }

  void start(const GradientBoostingModel& model);
  // The trees that follow belong to this one of the ensembles that are averaged.
  void begin_member(std::size_t member, std::size_t members) {
    member_ = member;
    members_ = members;
  }
  void begin_tree(std::size_t round, std::size_t output, std::span<const double> gradients);
  // What the grower tells; empty when nobody listens, or the round is not shown in detail.
  std::function<void(const LeafSearch&)> observer();
  void end_tree(const GrownTree& grown, const TreeUnits& units, std::span<const double> scores,
                double loss);
  void finish(const GradientBoostingModel& model);

 private:
  struct Seen {
    LeafSearch leaf;
    std::vector<SplitCandidate> candidates;
  };

  std::string round_path() const;
  std::string title(const std::string& what) const;
  std::string question(const SplitCandidate& candidate) const;
  std::string statistic_words(const CategoryStatistic& statistic) const;
  void tell_statistic(const CategoryStatistic& statistic);
  void tell_search(const Seen& seen, const TreeWords& words);

  const GradientBoosting& learner_;
  const TrainTask& task_;
  const BoostingTable& table_;
  Trace* trace_;
  std::size_t member_ = 0;
  std::size_t members_ = 1;
  std::size_t round_ = 0;
  std::size_t output_ = 0;
  std::size_t outputs_ = 1;
  BoostingLoss loss_ = BoostingLoss::squared_error;
  std::vector<Seen> seen_;
};

}  // namespace gradus
