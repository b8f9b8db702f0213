// The description of a struct that only a program can fill in, such as one with functions.
//
// Commands, configuration files and saved models know texts and numbers; a function they cannot
// write down. Such a struct is a group without parameters: it is a member of the learner like every
// other, copied with it, and in no table.
//
//   struct CustomLoss {
//     SharedFunction<...> derivatives = {};
//     static constexpr auto describe() { return CodeOnly<1>{}; }     // the number of members
//   };
//   ... Members{param(...), group(&L::custom_loss)}
#pragma once

#include <cstddef>

namespace gradus {

template <std::size_t N>
struct CodeOnly {
  static constexpr std::size_t count = N;

  template <class Visit>
  constexpr void each(Visit&& /*visit*/) const {}
};

}  // namespace gradus
