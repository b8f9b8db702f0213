// The steps of a perceptron: the rule, each correction with its row, each pass, the margin with the
// bound on the mistakes, and why no plane separates the classes when none does.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/models/linear/perceptron/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// One row that moved w, or the end of a batch or a pass.
struct PerceptronEvent {
  enum class Kind : std::uint8_t { row, batch, pass };
  Kind kind = Kind::row;
  int pass = 0;
  std::size_t row = 0;
  double score = 0;           // z before the correction
  double factor = 0;          // what the row was multiplied with
  std::int64_t mistakes = 0;  // of the pass so far
  double error = 0;           // pass: mean |y - o|, or for delta the mean squared error
  std::vector<double> w;      // after it: the intercept first, if there is one
};

struct PerceptronStory {
  std::vector<std::vector<PerceptronEvent>> events;  // per function
  std::vector<std::vector<double>> signs;            // per function; 0: the row does not count
};

void explain_fit(const Perceptron& learner, const PerceptronModel& model, const TrainTask& task,
                 const PerceptronStory& story, const Context& context);

}  // namespace gradus
