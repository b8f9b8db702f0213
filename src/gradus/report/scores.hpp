// How good a model is, for people: the headline beside its baseline, the confusion matrix, and the
// scores per class. The input is the value that `evaluate` gives.
#pragma once

#include <vector>

#include "gradus/report/document.hpp"

namespace gradus::report {

std::vector<Block> score_blocks(const Value& evaluation);

// The one line that says it all: "accuracy 0.96, always guessing versicolor gives 0.3333".
std::string headline(const Value& evaluation);

}  // namespace gradus::report
