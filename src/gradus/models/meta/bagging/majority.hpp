// What a vote of classifiers that err independently of each other would be worth: the majority of L
// members, each wrong with probability e, is wrong with
//
//   P(more than L/2 are wrong) = Σ_{i > L/2} C(L, i) · e^i · (1 - e)^(L - i)
//
// where a tie is wrong half of the time. 25 members with e = 0.35 give 0.06.
#pragma once

#include <cstddef>

namespace gradus {

// `members` at least 1, `error` from 0 to 1.
double majority_error(std::size_t members, double error);

}  // namespace gradus
