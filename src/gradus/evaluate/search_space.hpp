// What a search may choose: for each parameter a range or a list of values.
//
// Learners describe the range worth searching with each parameter (`.tune(low, high, log_scale)`),
// so that a search needs no more than the learner's name; a user may say it instead:
//
//   SearchSpace space = described_space(AnyLearner("ridge"));        // alpha=1e-4..1e4:log
//   space = {parse_dimension(learner, "alpha=1e-3..10:log"),
//            parse_dimension(learner, "criterion=gini,entropy")};
//
// A place in the space has one number per dimension: from 0 to 1 along a range (on its own scale),
// the position in the list otherwise. Numbers are rounded to four significant digits, so that what
// is printed is what was tried.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/models/any_learner.hpp"

namespace gradus {

struct Dimension {
  std::string parameter = {};
  std::vector<Value> choices = {};  // empty: a range
  double low = 0;
  double high = 0;
  Scale scale = Scale::linear;
  bool whole = false;  // whole numbers only

  bool is_range() const { return choices.empty(); }
  Value at(double place) const;
  // Where a value stands; NaN when it is not in the dimension.
  double place_of(const Value& value) const;
  // A place at random: every value of a list and every whole number is equally likely.
  double draw(Stream& stream) const;
  // All values of a list or of a short range, else `points` of them from end to end.
  std::vector<double> grid(std::size_t points) const;
  // How many values there are; 0: a continuum.
  std::size_t count() const;
};

using SearchSpace = std::vector<Dimension>;
using Place = std::vector<double>;

// Every parameter with a range in its description that means something under the learner's other
// settings, but for those named in `fixed`.
SearchSpace described_space(const AnyLearner& learner, const std::vector<std::string>& fixed = {});

// `alpha=1e-4..10:log`, `max_depth=1..20`, `criterion=gini,entropy`, `max_depth=none,3,9`, or a
// parameter alone: its described range, or all its choices. Error{usage} names the parameter.
Dimension parse_dimension(const AnyLearner& learner, std::string_view text);

// The parameters at a place, in the order of the space.
ParamValues settings_at(const SearchSpace& space, const Place& place);

// `alpha=0.01, criterion=gini`
std::string settings_text(const ParamValues& settings);

Value to_value(const SearchSpace& space);

}  // namespace gradus
