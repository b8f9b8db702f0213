// The words by which an exact tree is told how to choose its questions. They stand apart from the
// search itself, so that a learner's parameters cost little to include.
#pragma once

#include <array>
#include <string_view>

namespace gradus {

// What a split is judged by; the formulas are in node_sample.hpp.
enum class TreeCriterion {
  automatic,
  gini,
  entropy,
  log_loss,
  misclassification,
  squared_error,
  absolute_error,
  poisson,
  gain_ratio
};
constexpr std::array<std::string_view, 9> enum_names(TreeCriterion) {
  return {"auto",          "gini",           "entropy", "log_loss",  "misclassification",
          "squared_error", "absolute_error", "poisson", "gain_ratio"};
}

// How the categories of a column are parted: in two, or each by itself (multiway).
enum class NominalSplits { subset, one_vs_rest, ordered, multiway };
constexpr std::array<std::string_view, 4> enum_names(NominalSplits) {
  return {"subset", "one_vs_rest", "ordered", "multiway"};
}

// Which node is split first when a limit on the leaves will stop the growth.
enum class TreeOrder { leaf_wise, depth_wise };
constexpr std::array<std::string_view, 2> enum_names(TreeOrder) {
  return {"leaf_wise", "depth_wise"};
}

}  // namespace gradus
