// The target columns of a table as a learner needs them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gradus/contract/signature.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus {

struct TargetData {
  Task task = Task::cluster;
  std::vector<std::string> classes;
  std::vector<std::string> outputs;
  std::vector<std::int32_t> codes;  // classification
  std::vector<double> numbers;      // regression: rows x outputs

  // One number per row for target encoding: the target itself, or 0/1 for two classes. Else empty.
  std::vector<double> for_encoding() const;
};

// What the user said about the target.
struct TargetChoice {
  std::vector<std::string> columns = {};
  std::vector<std::string> classes = {};  // known beforehand, in this order; empty: what occurs
  std::optional<Task> task = {};          // for learners of several tasks
};

// Decides the task and reads the target. A number-coded column is a class when the learner
// classifies; a continuous one is then refused.
TargetData read_target(const Info& info, const Dataset& data, const TargetChoice& choice);

// The target of new rows for a model that exists: classes must be known ones.
TargetData match_target(const Signature& signature, const Dataset& data);

}  // namespace gradus
