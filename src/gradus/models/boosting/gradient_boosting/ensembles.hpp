// Ensembles that are boosted side by side and averaged.
//
// The scores of an ensemble are a sum of trees, and so is the mean of several: every tree counts
// 1/K. The members differ in what they draw (rows, columns, rounds to leave out), each by a seed of
// its own that follows from that of the learner; the first has the learner's. Their errors differ
// where they come from the draws, and there the mean is better than any of them.
//
//   BoostedEnsembles ensembles({learner, task, table}, weights, held_out, context);
//   while (ensembles.rounds() < 100) ensembles.round(story);
//   GradientBoostingModel model = ensembles.finish(100);
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "gradus/models/boosting/gradient_boosting/booster.hpp"

namespace gradus {

// The unfinished fits of all members.
struct EnsembleStates {
  std::vector<BoostingState> members;

  template <class S = EnsembleStates>
  static constexpr auto describe() {
    return Members{field(&S::members, 1, "members")};
  }
};

class BoostedEnsembles {
 public:
  // As many as the learner says. Weights and rows held out: see Booster.
  BoostedEnsembles(const BoostingInput& input, std::vector<double> weights,
                   const std::vector<double>& held_out, const Context& context);

  std::size_t size() const { return members_.size(); }
  std::size_t rounds() const { return members_.front().rounds(); }
  void round(BoostingStory& story);

  bool watches() const { return members_.front().watches(); }
  // Of the mean of the members.
  double held_out_loss() { return members_.front().held_out_loss(mean_of(&Booster::examined)); }
  void note_training_loss();
  // The first member keeps the losses of all.
  const std::vector<double>& validation_loss() const {
    return members_.front().state().validation_loss;
  }
  void note_validation_loss(double loss) { members_.front().note_validation_loss(loss); }

  EnsembleStates states() const;
  void resume(EnsembleStates states);
  // Goes on from a model with as many ensembles.
  void begin_with(const GradientBoostingModel& earlier);

  GradientBoostingModel begun() const { return members_.front().begun(); }
  GradientBoostingModel finish(std::size_t rounds);

 private:
  using Scores = const std::vector<double>& (Booster::*)() const;
  std::span<const double> mean_of(Scores scores);

  Context context_;
  bool side_by_side_;
  std::deque<GradientBoosting> learners_;
  std::deque<Booster> members_;
  std::vector<double> mean_;
};

}  // namespace gradus
