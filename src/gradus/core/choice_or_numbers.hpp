// A parameter that is a word, or a number for each of some names: class_weight is balanced, or
// 2 for yes and 1 for no.
//
//   ChoiceOrNumbers<ClassWeightRule> class_weight = ClassWeightRule::none;
//   DecisionTree{.class_weight = {{{"yes", 2}, {"no", 1}}}}
//
// The command writes `yes=2,no=1`, a file {"yes": 2, "no": 1}.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gradus {

using NumbersByName = std::vector<std::pair<std::string, double>>;

template <class Choice>
class ChoiceOrNumbers {
 public:
  // A word or numbers stand where such a parameter is set: no need to name the type.
  ChoiceOrNumbers(Choice choice) : choice_(choice) {}
  ChoiceOrNumbers(NumbersByName numbers) : by_name_(true), numbers_(std::move(numbers)) {}

  bool is(Choice choice) const { return !by_name_ && choice_ == choice; }
  bool is_by_name() const { return by_name_; }
  Choice choice() const { return choice_; }
  const NumbersByName& numbers() const { return numbers_; }  // empty for a word

  friend bool operator==(const ChoiceOrNumbers&, const ChoiceOrNumbers&) = default;

 private:
  Choice choice_ = {};
  bool by_name_ = false;
  NumbersByName numbers_ = {};
};

}  // namespace gradus
