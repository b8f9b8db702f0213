// What another threshold would do to the answers of two classes: precision, recall and F1 along it,
// the mean cost where costs are given, and how much better than chance the first rows are (lift).
#pragma once

#include <vector>

#include "gradus/report/document.hpp"

namespace gradus::report {

// From the value of `evaluate` with its curves; empty where it has none. The pictures of thresholds
// are for two classes, the lift for any number.
std::vector<Block> threshold_figures(const Value& evaluation);

// The thresholds that textbooks call best, a line each; no rows unless there are two classes.
Table threshold_table(const Value& evaluation);

}  // namespace gradus::report
