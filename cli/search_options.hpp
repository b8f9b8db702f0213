// How parameters are searched, as the user says it: `tune`, and `cv` with a search in every fold.
#pragma once

#include <string>
#include <vector>

#include "gradus/evaluate/tune.hpp"
#include "learner_options.hpp"

namespace gradus::cli {

struct SearchChoice {
  std::vector<std::string> searched = {};  // `--search`, as written
  SearchOptions search = {};
  std::size_t patience = 0;
  std::string first_option = {};  // the first of these options that was given
};

// Short names (`--method`, `--trials`, …) where the whole verb is about the search; elsewhere they
// would take the names of parameters, and `--search-method` stands for `--method`.
enum class SearchNames { both, prefixed };
std::vector<Option> search_options(SearchChoice& choice, SearchNames names);

// The space that was named, or all described ranges of parameters that are not given. Error{usage}
// when nothing is left to search.
SearchSpace space_of(const SearchChoice& choice, const AnyLearner& learner,
                     const LearnerSettings& settings);

}  // namespace gradus::cli
