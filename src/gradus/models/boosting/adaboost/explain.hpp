// The steps of AdaBoost: each round with its question, error, say, new weights and bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "gradus/models/boosting/adaboost/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// Learners that are not stumps tell their own fits in this many rounds.
inline constexpr std::size_t kToldMemberFits = 3;

// What a round has done.
struct BoostRound {
  std::size_t round = 0;  // from 0
  double error = 0;       // ε
  double used_error = 0;  // the same, but never 0: what α is worked out from
  double learning_rate = 1;
  double step = 0;                       // α
  double normaliser = 0;                 // Z
  double rows = 0;                       // the total weight n of the rows
  std::span<const double> weights = {};  // after the round, by row
  std::span<const double> before = {};   // before it
  std::span<const std::uint8_t> wrong = {};
  double wrong_rows = 0;  // weight that the ensemble so far gets wrong
};

class AdaBoostStory {
 public:
  AdaBoostStory(const AdaBoostModel& model, const Signature& signature, Trace& trace)
      : model_(model), signature_(signature), trace_(trace) {}

  void round(const BoostRound& done) const;
  // A round whose learner is not kept.
  void refused(std::size_t round, double error) const;
  void finish(double rows) const;

 private:
  std::string tell_learner(Step& step) const;

  const AdaBoostModel& model_;
  const Signature& signature_;
  Trace& trace_;
};

}  // namespace gradus
