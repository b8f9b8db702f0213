#include "gradus/models/meta/bagging/majority.hpp"

#include "gradus/core/distributions.hpp"

namespace gradus {
namespace {

// P(at least `wrong` of `members` are wrong) is a regularised incomplete beta function.
double at_least(std::size_t wrong, std::size_t members, double error) {
  if (error == 0) return 0;
  if (error == 1) return 1;
  return beta_below(error, static_cast<double>(wrong), static_cast<double>(members - wrong + 1));
}

}  // namespace

double majority_error(std::size_t members, double error) {
  const std::size_t more_than_half = members / 2 + 1;
  if (members % 2 == 1) return at_least(more_than_half, members, error);
  return (at_least(members / 2, members, error) + at_least(more_than_half, members, error)) / 2;
}

}  // namespace gradus
