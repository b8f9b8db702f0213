// The learner of each round of AdaBoost: the decision stump, found by one scan of columns that are
// sorted once, or any classifier that takes weights.
//
//   std::unique_ptr<WeakLearner> weak = make_weak_learner(learner, task, context);
//   weak->learn(round, weights, said);     // weights by position, sum 1
//   weak->keep(step, model);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "gradus/models/boosting/adaboost/model.hpp"

namespace gradus {

class WeakLearner {
 public:
  virtual ~WeakLearner() = default;

  // The rows that weigh anything: position 0, 1, 2, ... of everything below.
  virtual std::span<const std::uint32_t> rows() const = 0;
  // Learns with these weights, and writes the class that it gives each position.
  virtual void learn(std::size_t round, std::span<const double> weights,
                     std::span<std::int32_t> said) = 0;
  // Puts what was learned last into the model, with its say.
  virtual void keep(double step, AdaBoostModel& model) = 0;
};

// Whether the weak learner is the stump as AdaBoost itself finds it: with nothing set.
bool boosts_stumps(const AdaBoost& learner);

std::unique_ptr<WeakLearner> make_weak_learner(const AdaBoost& learner, const TrainTask& task,
                                               const Context& context);

}  // namespace gradus
