// The rounds of gradient boosting: gradients, a tree for each output, its step.
//
// A Booster is the state of an unfinished fit. It can be stepped side by side with others (folds),
// kept and taken up again (checkpoints): everything random is a function of (seed, round), so that
// the state is the trees, the scores of the training rows and the losses so far. Everything heavy
// is in blocks/histogram.
//
//   Booster booster({learner, task, table}, weights, held_out, context);
//   while (booster.rounds() < 100) booster.round(story);
//   GradientBoostingModel model = booster.finish(100);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/grow.hpp"
#include "gradus/models/boosting/gradient_boosting/boosting_table.hpp"
#include "gradus/models/boosting/gradient_boosting/explain.hpp"
#include "gradus/models/boosting/gradient_boosting/gradient_packer.hpp"
#include "gradus/models/boosting/gradient_boosting/losses.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "gradus/models/boosting/gradient_boosting/row_sampler.hpp"

namespace gradus {

struct BoostingInput {
  const GradientBoosting& learner;
  const TrainTask& task;
  const BoostingTable& table;
};

// What cannot be computed again: the unfinished fit.
struct BoostingState {
  std::vector<double> start;  // the score of each output before the first tree
  Trees trees;  // tree t adds to output t mod outputs; they ask for columns of the table
  std::vector<double> gains;            // node: what its question gained; 0 for leaves
  std::vector<double> scores;           // of the training rows, output-major
  std::vector<double> validation_loss;  // round: on the rows held out
  std::vector<double> training_rounds;  // after which the loss on the rows that teach was taken
  std::vector<double> training_loss;    // the loss then

  template <class S = BoostingState>
  static constexpr auto describe() {
    return Members{field(&S::start, 1, "start"),
                   field(&S::trees, 2, "trees"),
                   field(&S::gains, 3, "gains"),
                   field(&S::scores, 4, "scores"),
                   field(&S::validation_loss, 5, "validation_loss"),
                   field(&S::training_rounds, 6, "training_rounds"),
                   field(&S::training_loss, 7, "training_loss")};
  }
};

class Booster {
 public:
  // `weights` has a number for every row, 0 for those that do not teach; `held_out` what a row
  // weighs among those that examine. It may be empty.
  Booster(const BoostingInput& input, std::vector<double> weights, std::vector<double> held_out,
          const Context& context);

  std::size_t rounds() const { return trees() / outputs(); }
  std::size_t outputs() const { return loss_.outputs(); }
  const BoostingState& state() const { return state_; }
  const std::vector<double>& scores() const { return state_.scores; }
  // Error{bad_data} when the state is not one of this work. Of several boosters side by side one
  // keeps the losses.
  void resume(BoostingState state, bool keeps_losses);
  // Goes on from an ensemble that asks for features, before the first round.
  void begin_with(const GradientBoostingModel& earlier);

  // One more round; `story` may listen.
  void round(BoostingStory& story);

  // Whether rows examine every round: some that are held out, or those of the user.
  bool watches() const;
  // The scores that they are judged by, output-major: of all rows, or of those of the user.
  const std::vector<double>& examined() const { return judge_ ? examined_ : state_.scores; }
  // The mean loss of such scores over the rows that examine.
  double held_out_loss(std::span<const double> scores);
  void note_validation_loss(double loss) { state_.validation_loss.push_back(loss); }
  // Keeps the mean loss of these scores over the rows that teach. It is wanted after some of the
  // rounds: the first, and eight of every doubling. All rounds would cost a pass over the rows
  // each.
  void note_training_loss(std::span<const double> scores);
  bool wants_training_loss() const;
  // Whether the loss after the last round is missing where there are others.
  bool lacks_last_loss() const;

  // The model before the first round, and that of the first `rounds` rounds.
  GradientBoostingModel begun() const;
  GradientBoostingModel finish(std::size_t rounds);

 private:
  // What a tree needs while it grows.
  struct Lane {
    Context context;
    HistogramGrower grower;
    GradientPacker packer;
    FixedPoint scale = {};  // of the gradients of its last tree
  };

  std::size_t trees() const { return earlier_.trees.count() + state_.trees.count(); }
  void examine(std::size_t first_tree);
  void examine_anew();
  void count_copies();
  void set_options();
  void set_constraints();
  void choose_rows(std::size_t round);
  std::vector<std::size_t> columns_of_tree(std::size_t output) const;
  std::vector<double> sizes_of_rows() const;
  RoundRows round_rows() const;
  std::size_t trees_side_by_side() const;
  void make_lanes();
  void add_trees(BoostingStory& story);
  void add_told_tree(std::size_t output, BoostingStory& story);
  GrownTree add_tree(Lane& lane, std::size_t output,
                     std::function<void(const LeafSearch&)> observe);
  void set_leaves(GrownTree& grown, const Context& context) const;
  void add_steps(const GrownTree& grown, std::span<double> scores, const Context& context) const;
  void keep(const GrownTree& grown);

  // Dropout: which earlier rounds are left out of a round, and their share in the scores.
  std::vector<std::size_t> dropped_rounds(std::size_t round) const;
  std::vector<double> scores_of_rounds(std::span<const std::size_t> rounds) const;
  void add_scores(std::span<const double> scores, double factor);
  void shrink_rounds(std::span<const std::size_t> rounds, double factor);

  const GradientBoosting& learner_;
  const TrainTask& task_;
  const BoostingTable& table_;
  Context context_;
  std::size_t rows_;
  std::vector<double> training_;  // the weights, 0 for the rows held out
  std::vector<double> held_out_;
  std::vector<double> drawn_;       // the weights in a round that sees some of the rows
  std::span<const double> active_;  // the weights in this round
  std::span<const double> times_;   // how often a row counts in this round; empty: once
  RoundLoss loss_;
  RowSampler sampler_;
  std::size_t counted_;                // rows, each as often as it is a copy
  std::vector<std::uint32_t> copies_;  // of each row; empty: one
  GrowOptions options_;
  std::vector<std::size_t> columns_;  // features that may be asked for
  BoostingState state_;
  GradientBoostingModel earlier_;   // what the fit began with; its trees ask for features
  std::vector<double> judged_;      // what the rows of the user weigh
  std::optional<RoundLoss> judge_;  // their loss
  std::vector<double> examined_;    // their scores, output-major
  double step_ = 1;                 // of this round's trees
  std::vector<Lane> lanes_;         // as many trees as grow side by side
};

}  // namespace gradus
