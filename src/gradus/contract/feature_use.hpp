// How the trees of a model use each feature.
#pragma once

#include <vector>

namespace gradus {

struct FeatureUse {
  std::vector<double> gains;   // what its splits gained, summed; empty: the trees do not know
  std::vector<double> splits;  // how often it is asked for
};

}  // namespace gradus
