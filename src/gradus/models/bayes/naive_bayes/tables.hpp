// From sums to probabilities.
#pragma once

#include "gradus/models/bayes/naive_bayes/model.hpp"

namespace gradus {

// Memory for the table of events. The system clears fresh memory when it is first touched, which
// takes as long as the counting: done beside it, it costs nothing.
void make_room(NaiveBayesModel& model);

// Fills `model.tables`, `model.epsilon` and `model.pseudo` from `model.seen`. Error{numerical} when
// a variance is beyond the range of numbers.
void build_tables(const NaiveBayes& learner, const Signature& signature, NaiveBayesModel& model,
                  const Context& context);

// A smoothed frequency: (count + pseudo)/(total + pseudo·cells). With nothing to go by, 1/cells.
struct Frequency {
  double count = 0;
  double total = 0;
  double pseudo = 0;
  double cells = 1;
  double value() const;
};

// P(level|class) of a tabled feature, whose table begins at row `table`.
struct LevelFrequencies {
  const NaiveBayesModel& model;
  std::size_t feature;
  std::size_t table;
  Frequency at(std::size_t level, std::size_t label) const;
};

// P(event|class) in the multinomial model; empty in the others.
class EventFrequencies {
 public:
  explicit EventFrequencies(const NaiveBayesModel& model, const Context& context = {});
  Frequency at(std::size_t feature, std::size_t label) const;

 private:
  const NaiveBayesModel& model_;
  double cells_ = 0;           // kinds of events
  std::vector<double> total_;  // events per class
};

// The names of the rows of a feature's table.
std::vector<std::string> level_names(const NaiveBayesModel& model, const Signature& signature,
                                     std::size_t feature);

}  // namespace gradus
