// A search for terminals and as a page: the winner beside the settings given, what was tried in
// which order, and how the score depends on each parameter.
#pragma once

#include <string>
#include <vector>

#include "gradus/evaluate/tune.hpp"
#include "gradus/report/document.hpp"
#include "gradus/report/pages.hpp"

namespace gradus::report {

struct TuningStory {
  const Tuning& tuning;
  const NestedTuning* nested = nullptr;
  const Dataset& data;
  std::string folds_text = {};
  std::vector<std::string> target = {};
  Origin origin = {};
};

Document tuning_page(const TuningStory& story);

// For a terminal: the winner, the best candidates, the history.
Document tuning_summary(const TuningStory& story);

// Candidates by their score, the best first, at most `most`.
Table candidate_table(const Tuning& tuning, std::size_t most);

// What a search inside each outer fold chose, and its score on rows that no search had seen.
Table nested_table(const NestedTuning& nested);

// The score of each candidate in the order of trying, and the best so far.
Figure tuning_history(const Tuning& tuning);

}  // namespace gradus::report
