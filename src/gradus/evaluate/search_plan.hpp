// Which settings a search tries next, given what it has seen. A plan knows nothing of data: it is
// asked for a batch, hears the scores, and is asked again until it has no more.
//
// grid        all combinations of `points` values per range
// random      `trials` places drawn independently (Bergstra and Bengio 2012)
// telescopic  a coarse grid; then, `rounds` times in all, a grid of the same size between the
//             neighbours of the best
// halving     `trials` random places learn from few rows; the best third goes on with three times
//             as many, until the last learn from all (Jamieson and Talwalkar 2016)
// bayes       tree-structured Parzen estimator (Bergstra and others 2011): places are drawn from
//             l(x), the density of the best fifth seen, and the one with the largest l(x) / g(x)
//             is tried, g being the density of the others
//
// Batches do not depend on the number of threads, so neither does the result.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gradus/evaluate/search_space.hpp"

namespace gradus {

enum class SearchMethod { grid, random, telescopic, halving, bayes };
std::string_view method_word(SearchMethod method);
std::vector<std::string> method_words();

struct SearchOptions {
  SearchMethod method = SearchMethod::bayes;
  std::size_t trials = 40;  // random, bayes: settings tried; halving: settings that begin
  std::size_t points = 5;   // grid, telescopic: values per range
  std::size_t rounds = 3;   // telescopic
  Seed seed = 0;
};

// Something to try: learning from `share` of the rows of each fold.
struct Proposal {
  Place place = {};
  double share = 1;
  std::size_t round = 1;
};

// What came of it; `loss` is smaller for better scores, nothing when the settings failed.
struct Trial {
  Proposal proposal = {};
  std::optional<double> loss = {};
};

class SearchPlan {
 public:
  virtual ~SearchPlan() = default;
  // Empty: the search is over. `seen` holds everything tried so far.
  virtual std::vector<Proposal> next(const std::vector<Trial>& seen) = 0;
  // How many settings will be tried at most; halving counts those that learn from few rows too.
  virtual std::size_t planned() const = 0;
};

// `rows` is the smallest number that teach in a fold. Error{usage} when the space is empty or its
// grid has more combinations than can be tried. A space with no more values than `trials` is tried
// completely, whatever the method.
std::unique_ptr<SearchPlan> make_plan(const SearchSpace& space, const SearchOptions& options,
                                      std::size_t rows);

// Inside: the plan of `bayes` (search_tpe.cpp).
std::unique_ptr<SearchPlan> make_tpe_plan(const SearchSpace& space, const SearchOptions& options);

}  // namespace gradus
