// The names behind the numbers: what the prepared features, classes and outputs of a model are
// called. A learner sees numbers; everything it says to people takes its words from here.
#pragma once

#include <string>
#include <vector>

#include "gradus/contract/info.hpp"
#include "gradus/data/column.hpp"

namespace gradus {

struct FeatureName {
  std::string name = {};  // "petal_width", or "color=red" for an encoded level
  bool nominal = false;   // the numbers are codes into `levels`
  std::vector<std::string> levels = {};
};

struct Signature {
  Task task = Task::classify;
  std::vector<FeatureName> features;
  std::vector<std::string> classes;  // classification: in code order
  std::vector<std::string> outputs;  // the target's name; several for many outputs

  // Numbers per row that a model writes: one per class, one per output, or the cluster index.
  std::size_t width() const {
    if (task == Task::classify) return classes.size();
    return task == Task::regress ? outputs.size() : 1;
  }
};

}  // namespace gradus
