// Parameters that were set and mean nothing under the other settings: `top_rate` without
// `sampling=goss`. Nothing goes wrong, but whoever set them should hear of it.
//
//   for (const std::string& sentence : idle_params(learner.params(), learner.values())) ...
#pragma once

#include <string>
#include <vector>

#include "gradus/core/params.hpp"

namespace gradus {

// A sentence for each parameter that differs from its default though its condition (`when`) does
// not hold. A condition on what is still to be chosen (auto) may hold in the end.
std::vector<std::string> idle_params(const ParamTable& table, const ParamValues& values);

}  // namespace gradus
