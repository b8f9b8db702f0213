// Folds in a few words, for titles: "10 stratified folds", "5 times two halves".
#pragma once

#include <string>

#include "gradus/evaluate/folds.hpp"

namespace gradus::report {

std::string folds_text(const Folds& folds);

}  // namespace gradus::report
