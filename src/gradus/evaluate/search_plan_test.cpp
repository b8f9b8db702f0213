#include "gradus/evaluate/search_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

SearchSpace unit_square() {
  return {{.parameter = "a", .low = 0, .high = 1}, {.parameter = "b", .low = 0, .high = 1}};
}

// A valley with its floor at (0.3, 0.7).
double valley(const Place& place) {
  return std::pow(place[0] - 0.3, 2) + std::pow(place[1] - 0.7, 2);
}

struct Outcome {
  std::vector<Trial> seen;
  double best = 1e9;
};

template <class Loss>
Outcome searched(SearchPlan& plan, const Loss& loss) {
  Outcome out;
  while (true) {
    const std::vector<Proposal> batch = plan.next(out.seen);
    if (batch.empty()) return out;
    for (const Proposal& one : batch) {
      const double value = loss(one);
      out.seen.push_back({one, value});
      if (one.share == 1) out.best = std::min(out.best, value);
    }
  }
}

Outcome search_valley(const SearchOptions& options) {
  const auto plan = make_plan(unit_square(), options, 1000);
  Outcome out = searched(*plan, [](const Proposal& one) { return valley(one.place); });
  EXPECT_LE(out.seen.size(), plan->planned());
  return out;
}

TEST(SearchPlan, a_grid_has_every_combination_once) {
  const Outcome out = search_valley({.method = SearchMethod::grid, .points = 4});
  ASSERT_EQ(out.seen.size(), 16U);
  EXPECT_EQ(out.seen[1].proposal.place, (Place{0, 1.0 / 3}));
  EXPECT_EQ(out.seen[15].proposal.place, (Place{1, 1}));
}

TEST(SearchPlan, telescopic_looks_between_the_neighbours_of_the_best) {
  const auto plan = make_plan({{.parameter = "a", .low = 0, .high = 1}},
                              {.method = SearchMethod::telescopic, .points = 5, .rounds = 2}, 100);
  const Outcome out =
      searched(*plan, [](const Proposal& one) { return std::abs(one.place[0] - 0.3); });
  ASSERT_EQ(out.seen.size(), 10U);
  // Round 1: 0, 0.25, 0.5, 0.75, 1; the best is 0.25, so round 2 goes from 0 to 0.5.
  EXPECT_EQ(out.seen[5].proposal.place[0], 0);
  EXPECT_EQ(out.seen[6].proposal.place[0], 0.125);
  EXPECT_EQ(out.seen[9].proposal.place[0], 0.5);
  EXPECT_EQ(out.seen[9].proposal.round, 2U);
}

TEST(SearchPlan, telescopic_knows_its_place_again_after_rounding) {
  const auto plan = make_plan({{.parameter = "a", .low = 0, .high = 1}},
                              {.method = SearchMethod::telescopic, .points = 5, .rounds = 2}, 100);
  std::vector<Trial> seen = {{{.place = {0.5 - 1e-13}, .round = 0}, 0.0}};
  for (const Proposal& one : plan->next(seen)) seen.push_back({one, 1.0});
  const std::vector<Proposal> fine = plan->next(seen);
  EXPECT_EQ(fine.front().place[0], 0.25);
  EXPECT_EQ(fine.back().place[0], 0.75);
}

TEST(SearchPlan, telescopic_reaches_what_a_grid_of_its_size_cannot) {
  const Outcome fine =
      search_valley({.method = SearchMethod::telescopic, .points = 5, .rounds = 4});
  const Outcome grid = search_valley({.method = SearchMethod::grid, .points = 10});
  EXPECT_LT(fine.best, grid.best);
  EXPECT_LT(fine.best, 1e-3);
}

TEST(SearchPlan, halving_gives_more_rows_to_fewer) {
  const auto plan = make_plan(unit_square(), {.method = SearchMethod::halving, .trials = 27}, 900);
  const Outcome out = searched(*plan, [](const Proposal& one) { return valley(one.place); });
  std::vector<std::size_t> rounds(5, 0);
  for (const Trial& trial : out.seen) {
    ++rounds[trial.proposal.round];
    EXPECT_NEAR(trial.proposal.share, std::pow(3.0, static_cast<double>(trial.proposal.round) - 3),
                1e-12);
  }
  EXPECT_EQ(rounds, (std::vector<std::size_t>{0, 27, 9, 3, 0}));
  EXPECT_EQ(plan->planned(), 39U);
  double best_of_all = 1e9;
  for (const Trial& trial : out.seen) best_of_all = std::min(best_of_all, *trial.loss);
  EXPECT_EQ(out.best, best_of_all);
}

TEST(SearchPlan, halving_with_few_rows_is_a_random_search) {
  const auto plan = make_plan(unit_square(), {.method = SearchMethod::halving, .trials = 9}, 40);
  const Outcome out = searched(*plan, [](const Proposal& one) { return valley(one.place); });
  ASSERT_EQ(out.seen.size(), 9U);
  for (const Trial& trial : out.seen) EXPECT_EQ(trial.proposal.share, 1);
}

// Over many seeds the model must beat the dice by a wide margin.
TEST(SearchPlan, bayes_comes_nearer_than_random) {
  double bayes = 0;
  double random = 0;
  for (Seed seed = 0; seed < 20; ++seed) {
    bayes += search_valley({.method = SearchMethod::bayes, .trials = 50, .seed = seed}).best;
    random += search_valley({.method = SearchMethod::random, .trials = 50, .seed = seed}).best;
  }
  EXPECT_LT(bayes, random / 2);
}

TEST(SearchPlan, bayes_learns_which_word_is_good_and_tries_nothing_twice) {
  SearchSpace space = {{.parameter = "word", .choices = {Value("a"), Value("b"), Value("c")}},
                       {.parameter = "n", .low = 1, .high = 100000, .whole = true}};
  const auto plan = make_plan(space, {.method = SearchMethod::bayes, .trials = 60}, 100);
  const Outcome out = searched(*plan, [](const Proposal& one) {
    return (one.place[0] == 1 ? 0.0 : 5.0) + std::abs(one.place[1] - 0.5);
  });
  std::size_t good = 0;
  for (std::size_t i = 30; i < 60; ++i) good += out.seen[i].proposal.place[0] == 1 ? 1 : 0;
  EXPECT_GE(good, 24U);
  for (std::size_t i = 10; i < out.seen.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(settings_at(space, out.seen[i].proposal.place),
                settings_at(space, out.seen[j].proposal.place));
    }
  }
}

TEST(SearchPlan, failures_do_not_stop_a_search) {
  const auto plan = make_plan(unit_square(), {.method = SearchMethod::bayes, .trials = 30}, 100);
  std::vector<Trial> seen;
  while (true) {
    const std::vector<Proposal> batch = plan->next(seen);
    if (batch.empty()) break;
    for (const Proposal& one : batch) seen.push_back({one, std::nullopt});
  }
  EXPECT_EQ(seen.size(), 30U);
}

TEST(SearchPlan, a_small_space_is_tried_completely) {
  const SearchSpace space = {{.parameter = "word", .choices = {Value("a"), Value("b")}}};
  for (const SearchMethod method :
       {SearchMethod::random, SearchMethod::bayes, SearchMethod::halving}) {
    const auto plan = make_plan(space, {.method = method, .trials = 9}, 100);
    EXPECT_EQ(searched(*plan, [](const Proposal&) { return 0.0; }).seen.size(), 2U);
  }
}

TEST(SearchPlan, an_empty_space_and_a_monstrous_grid_are_refused) {
  EXPECT_THROW(make_plan({}, {}, 100), Error);
  SearchSpace many(8, {.parameter = "a", .low = 0, .high = 1});
  EXPECT_THROW(make_plan(many, {.method = SearchMethod::grid, .points = 10}, 100), Error);
}

}  // namespace
}  // namespace gradus
