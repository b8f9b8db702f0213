// A selection of columns and a comparison over data sets: for a terminal and as pages.
#pragma once

#include <string>
#include <vector>

#include "gradus/evaluate/compare_datasets.hpp"
#include "gradus/evaluate/select_features.hpp"
#include "gradus/report/document.hpp"
#include "gradus/report/pages.hpp"

namespace gradus::report {

struct SelectionStory {
  const Selection& selection;
  const NestedSelection* nested = nullptr;
  const AnyLearner& learner;
  const Dataset& data;
  std::string folds_text = {};
  std::vector<std::string> target = {};
  Origin origin = {};
};

Document selection_page(const SelectionStory& story);
Document selection_summary(const SelectionStory& story);

// Scores by data set and learner, and what they say; the same blocks for both.
Document dataset_comparison_page(const DatasetComparison& comparison, const Origin& origin);
std::vector<Block> dataset_comparison_blocks(const DatasetComparison& comparison);

}  // namespace gradus::report
