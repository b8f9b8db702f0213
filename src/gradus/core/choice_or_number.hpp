// A parameter that is a word or a number: max_features is sqrt, or 3 columns, or 0.5 of them.
//
//   ChoiceOrNumber<MaxFeatures> max_features = MaxFeatures::automatic;
//   RandomForest{.forest = {.max_features = 3}}
//
// A whole number may mean something else than a share: 1 is one column, 1.0 is all of them. What is
// written to a file cannot tell the two apart, so an enum whose numbers are shares says which of
// its words is the whole, and 1.0 becomes that word:
//
//   constexpr MaxFeatures share_of_one(MaxFeatures) { return MaxFeatures::all; }
#pragma once

#include <optional>

namespace gradus {

template <class Choice>
class ChoiceOrNumber {
 public:
  // A word or a number stands where such a parameter is set: no need to name the type.
  constexpr ChoiceOrNumber(Choice choice) : choice_(choice) {}
  constexpr ChoiceOrNumber(int count) : number_(count) {}
  constexpr ChoiceOrNumber(double number) {
    if constexpr (requires { share_of_one(Choice{}); }) {
      if (number == 1) {
        choice_ = share_of_one(Choice{});
        return;
      }
    }
    number_ = number;
  }

  // What was written, the other one being empty.
  constexpr std::optional<double> number() const { return number_; }
  constexpr std::optional<Choice> choice() const {
    return number_ ? std::nullopt : std::optional<Choice>(choice_);
  }

  friend constexpr bool operator==(const ChoiceOrNumber&, const ChoiceOrNumber&) = default;

 private:
  Choice choice_ = {};
  std::optional<double> number_ = {};
};

}  // namespace gradus
