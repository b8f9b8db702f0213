#include "gradus/models/boosting/gradient_boosting/ensembles.hpp"

#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/models/boosting/gradient_boosting/purpose.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {

BoostedEnsembles::BoostedEnsembles(const BoostingInput& input, std::vector<double> weights,
                                   const std::vector<double>& held_out, const Context& context)
    : context_(context),
      // A function of Python must not be asked by two threads at once.
      side_by_side_(!input.learner.custom_loss) {
  const auto count = static_cast<std::size_t>(*input.learner.n_ensembles);
  for (std::size_t member = 0; member < count; ++member) {
    GradientBoosting& learner = learners_.emplace_back(input.learner);
    if (member > 0) {
      learner.random_state = Stream(input.learner.random_state, member, kEnsemblePurpose).next();
    }
    const bool last = member + 1 == count;
    members_.emplace_back(BoostingInput{learner, input.task, input.table},
                          last ? std::exchange(weights, {}) : weights, held_out, context);
  }
}

void BoostedEnsembles::round(BoostingStory& story) {
  if (story.listens() || !side_by_side_ || size() == 1) {
    for (std::size_t member = 0; member < size(); ++member) {
      story.begin_member(member, size());
      members_[member].round(story);
    }
    return;
  }
  parallel::for_each_index(context_, size(),
                           [&](std::size_t member) { members_[member].round(story); });
}

std::span<const double> BoostedEnsembles::mean_of(Scores scores_of) {
  const std::vector<double>& first = (members_.front().*scores_of)();
  if (size() == 1) return first;
  std::vector<double>& out = mean_ = first;
  for (std::size_t member = 1; member < size(); ++member) {
    const std::vector<double>& scores = (members_[member].*scores_of)();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += scores[i];
  }
  for (double& score : out) score /= static_cast<double>(size());
  return out;
}

void BoostedEnsembles::note_training_loss() {
  if (members_.front().wants_training_loss())
    members_.front().note_training_loss(mean_of(&Booster::scores));
}

EnsembleStates BoostedEnsembles::states() const {
  EnsembleStates out;
  for (const Booster& member : members_) out.members.push_back(member.state());
  return out;
}

void BoostedEnsembles::resume(EnsembleStates states) {
  const auto refuse = [](const char* why) {
    throw Error(ErrorKind::bad_data, "checkpoint", std::string("the checkpoint is damaged: ") + why,
                "start again without --resume");
  };
  if (states.members.size() != size()) refuse("its ensembles do not fit");
  // The losses of all are kept by the first.
  for (std::size_t member = 0; member < size(); ++member) {
    members_[member].resume(std::move(states.members[member]), member == 0);
  }
  for (const Booster& member : members_) {
    if (member.rounds() != rounds()) refuse("its ensembles differ in their rounds");
  }
}

void BoostedEnsembles::begin_with(const GradientBoostingModel& earlier) {
  // The model has the ensembles behind each other, every tree divided by their number.
  const std::size_t each = earlier.trees.count() / size();
  for (std::size_t member = 0; member < size(); ++member) {
    GradientBoostingModel own = earlier;
    own.trees = earlier.trees.part(member * each, (member + 1) * each);
    if (size() > 1) {
      for (double& value : own.trees.value) value *= static_cast<double>(size());
    }
    // What all of them used is counted once.
    if (member > 0) own.gains.assign(own.gains.size(), 0.0);
    if (member > 0) own.splits.assign(own.splits.size(), 0.0);
    members_[member].begin_with(own);
  }
}

GradientBoostingModel BoostedEnsembles::finish(std::size_t rounds) {
  if (members_.front().lacks_last_loss())
    members_.front().note_training_loss(mean_of(&Booster::scores));
  GradientBoostingModel model = members_.front().finish(rounds);
  if (size() == 1) return model;
  for (std::size_t member = 1; member < size(); ++member) {
    const GradientBoostingModel other = members_[member].finish(rounds);
    model.trees.append(other.trees);
    for (std::size_t j = 0; j < model.gains.size(); ++j) {
      model.gains[j] += other.gains[j];
      model.splits[j] += other.splits[j];
    }
  }
  for (double& value : model.trees.value) value /= static_cast<double>(size());
  model.ensembles = static_cast<std::int32_t>(size());
  return model;
}

}  // namespace gradus
