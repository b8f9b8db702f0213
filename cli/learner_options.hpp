// The parameters of a learner as options of the command, from its own description.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gradus/models/any_learner.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace gradus::cli {

// What the user said about parameters, before it is checked against the learner.
struct LearnerSettings {
  std::vector<std::pair<std::string, std::string>> flags;  // canonical name, text
  std::string config_file;
};

// Adds `--name` (with its aliases, also with hyphens) for each parameter, and `--config`. Where a
// parameter is called like an option for reading or preparing data, the parameter keeps the name
// and the option becomes `--data-name`; against the other options of the command (`--weights`,
// `--memory` ...) the parameter becomes `--learner-name`.
void add_learner_options(Syntax& syntax, const Entry& entry, LearnerSettings& settings);

// The learner with the configuration file applied first and the flags second; warns of settings
// that have no effect.
AnyLearner make_learner(const Entry& entry, const LearnerSettings& settings, const Speech& speech);

}  // namespace gradus::cli
