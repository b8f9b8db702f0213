// A learner as the parameter of another one: `decision_tree(max_depth=1, criterion=gini)`.
//
// Written as a name with its parameters in brackets, as in Python; what is not named has its
// default, and a parameter that is a learner is written the same way inside. Texts may stand in
// quotes, lists in square brackets. The canonical form, which describe(), saved models and messages
// show, names only what differs from the defaults, in the order of the learner's own table. A
// configuration file may also say {"learner": "decision_tree", "parameters": {"max_depth": 1}}, and
// a C++ program the learner itself:
//
//   struct Bagging { LearnerChoice estimator = "decision_tree"; ... };
//   Bagging{.estimator = DecisionTree{.limits = {.max_depth = 3}}};
//   AnyLearner base = bagging.estimator.learner();
//
// The type of the member says which learners may be chosen: LearnerChoice (any with a target),
// ClassifierChoice, RegressorChoice and so on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gradus/core/params.hpp"
#include "gradus/models/any_learner.hpp"

namespace gradus {

// The learner that a text or a value of a configuration file names; Error{usage} names the inner
// parameter, what is allowed and what was found.
AnyLearner parse_learner(std::string_view text);
AnyLearner learner_from(const Value& value);

// The canonical text: parse_learner gives the same learner back.
std::string learner_text(const AnyLearner& learner);

// Which learners a parameter takes: one of the tasks, and all of the abilities.
struct LearnerNeeds {
  Flags<Task> tasks;
  Flags<Accept> accepts;
};

// The value of such a parameter in its canonical form; Error{usage} names the parameter.
Value checked_choice(const ParamInfo& info, const Value& value, const LearnerNeeds& needs);

// The learners of the catalogue that fit.
std::vector<std::string> learners_for(const LearnerNeeds& needs);

class ChosenLearner {
 public:
  // A text is read when it is asked for: the default of a learner is made before the catalogue is.
  ChosenLearner(const char* text) : text_(text) {}
  explicit ChosenLearner(std::string text) : text_(std::move(text)) {}
  ChosenLearner(AnyLearner learner) : learner_(std::move(learner)) {}
  template <NamedLearner L>
  ChosenLearner(const L& learner) : learner_(AnyLearner(learner)) {}

  AnyLearner learner() const { return learner_ ? *learner_ : parse_learner(text_); }

  // The canonical text, or what was written where that names no learner: checking will refuse it.
  Value to_value() const;
  Value written() const { return learner_ ? to_value() : Value(text_); }

 private:
  std::string text_;
  std::optional<AnyLearner> learner_;
};

// `Kind` has `needs` and, in words, `allowed`.
template <class Kind>
class ChoiceOf : public ChosenLearner {
 public:
  using ChosenLearner::ChosenLearner;

  static ChoiceOf from_value(const Value& value) { return ChoiceOf(value.as_string()); }

  static constexpr ParamHooks hooks{Kind::allowed,
                                    [](const ParamInfo& info, const Value& value) {
                                      return checked_choice(info, value, Kind::needs);
                                    },
                                    [] { return learners_for(Kind::needs); }};
};

struct SupervisedKind {
  static constexpr LearnerNeeds needs{Task::classify | Task::regress, {}};
  static constexpr std::string_view allowed =
      "a learner with a target, such as decision_tree(max_depth=3)";
};
struct ClassifierKind {
  static constexpr LearnerNeeds needs{Task::classify, {}};
  static constexpr std::string_view allowed = "a classifier, such as decision_tree(max_depth=3)";
};
struct RegressorKind {
  static constexpr LearnerNeeds needs{Task::regress, {}};
  static constexpr std::string_view allowed =
      "a learner of numbers, such as decision_tree(max_depth=3)";
};
struct WeightedKind {
  static constexpr LearnerNeeds needs{Task::classify | Task::regress, Accept::weights};
  static constexpr std::string_view allowed =
      "a learner with a target that takes row weights, such as decision_tree(max_depth=3)";
};
struct WeightedClassifierKind {
  static constexpr LearnerNeeds needs{Task::classify, Accept::weights};
  static constexpr std::string_view allowed =
      "a classifier that takes row weights, such as decision_tree(max_depth=3)";
};

using LearnerChoice = ChoiceOf<SupervisedKind>;
using ClassifierChoice = ChoiceOf<ClassifierKind>;
using RegressorChoice = ChoiceOf<RegressorKind>;
using WeightedChoice = ChoiceOf<WeightedKind>;
using WeightedClassifierChoice = ChoiceOf<WeightedClassifierKind>;

}  // namespace gradus
