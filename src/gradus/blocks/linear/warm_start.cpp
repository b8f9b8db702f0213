#include "gradus/blocks/linear/warm_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

void WarmStart::check(std::size_t functions, std::size_t features) const {
  if (!given()) return;
  const std::size_t wanted = functions * (features + 1);
  const bool finite = std::all_of(initial_coefficients.begin(), initial_coefficients.end(),
                                  [](double x) { return std::isfinite(x); });
  if (finite && initial_coefficients.size() == wanted) return;
  throw Error(ErrorKind::usage, "--initial_coefficients",
              fmt::format("{} with {} each and an intercept need {} finite numbers, got {}",
                          counted(functions, "function"), counted(features, "feature"), wanted,
                          initial_coefficients.size()),
              "begin with a model of the same columns and classes, or leave it empty");
}

}  // namespace gradus
