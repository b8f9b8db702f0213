// A tree as nested values (AnyModel::tree, or `tree` of what a model learned): drawn, and as lines
// of text.
#pragma once

#include <string>

#include "gradus/core/value.hpp"
#include "gradus/report/figure.hpp"

namespace gradus::report {

// Whether there is more than a leaf.
bool asks_something(const Value& tree);

// The first levels of the tree; its description says how many nodes are deeper.
Figure tree_figure(const Value& tree, std::string title);

// A line for each node, deeper ones further to the right:
//
//   petal_width <= 0.8 (n 150: setosa 50, versicolor 50, virginica 50)
//     yes: setosa (n 50: setosa 50)
//     no: …
std::string tree_text(const Value& tree);

}  // namespace gradus::report
