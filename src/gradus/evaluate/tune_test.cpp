#include "gradus/evaluate/tune.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

// A step with noise: a tree of some depth is right, a deep one learns the noise.
Dataset steps(std::size_t rows) {
  Stream stream(4);
  std::vector<double> x(rows);
  std::vector<double> z(rows);
  std::vector<std::int32_t> kind(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = stream.uniform() * 4;
    z[i] = stream.normal();
    const bool odd = static_cast<int>(x[i]) % 2 == 1;
    kind[i] = (odd != (stream.uniform() < 0.15)) ? 1 : 0;
  }
  return Dataset({Column::numeric("x", x), Column::numeric("z", z),
                  Column::nominal("kind", kind, {"a", "b"})});
}

struct Case {
  Dataset data = steps(240);
  AnyLearner learner = AnyLearner("decision_tree");
  Folds folds = make_folds(data, {.scheme = FoldScheme::stratified, .folds = 5, .column = "kind"});
  TuneOptions options = {};

  Case() {
    options.validate.fit.target = {"kind"};
    options.space = {parse_dimension(learner, "max_depth=1..12")};
    options.search = {.method = SearchMethod::grid, .points = 12};
  }
  Tuning run(const Context& context = {}) const {
    return tune(learner, data, folds, options, context);
  }
};

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> out;
  for (std::string line; std::getline(file, line);) out.push_back(line);
  return out;
}

TEST(Tune, the_best_depth_is_found_and_the_settings_given_are_beaten) {
  const Case one;
  const Tuning out = one.run();
  EXPECT_EQ(out.candidates.size(), 13U);  // the settings given, and twelve depths
  EXPECT_EQ(out.candidates[0].proposal.round, 0U);
  const double best = *out.candidates[out.best].estimate.mean;
  for (const Candidate& candidate : out.candidates) {
    EXPECT_LE(*candidate.estimate.mean, best);
    EXPECT_EQ(candidate.scores.size(), 5U);
  }
  EXPECT_GT(best, *out.candidates[0].estimate.mean);
  EXPECT_EQ(out.winner.values(),
            with_settings({one.learner}, out.candidates[out.best].settings).learner.values());
  EXPECT_NE(out.conclusion.find("The best of 13 candidates"), std::string::npos);
}

TEST(Tune, a_candidate_scores_what_cross_validation_says) {
  const Case one;
  const Tuning out = one.run();
  const CrossValidation cv = cross_validate(out.winner, one.data, one.folds, one.options.validate);
  EXPECT_EQ(*out.candidates[out.best].estimate.mean, *cv.estimate.mean);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(out.candidates[out.best].scores[i], cv.folds[i].metric);
  }
}

TEST(Tune, the_number_of_threads_changes_nothing) {
  Case one;
  one.options.space = described_space(one.learner);
  for (const SearchMethod method : {SearchMethod::random, SearchMethod::bayes,
                                    SearchMethod::halving, SearchMethod::telescopic}) {
    one.options.search = {.method = method, .trials = 18, .points = 3, .rounds = 2, .seed = 5};
    if (method == SearchMethod::telescopic) {
      one.options.space = {parse_dimension(one.learner, "max_depth=1..30")};
    }
    Context single;
    single.threads = 1;
    Context many;
    many.threads = 4;
    EXPECT_EQ(to_json(to_value(one.run(single))), to_json(to_value(one.run(many))));
  }
}

TEST(Tune, halving_ends_with_candidates_that_learned_from_all_rows) {
  Case one;
  one.options.search = {.method = SearchMethod::halving, .trials = 9};
  const Tuning out = one.run();
  EXPECT_EQ(out.candidates[out.best].proposal.share, 1);
  EXPECT_TRUE(std::any_of(out.candidates.begin(), out.candidates.end(),
                          [](const Candidate& c) { return c.proposal.share < 1; }));
}

TEST(Tune, patience_ends_a_search) {
  Case one;
  one.options.search = {.method = SearchMethod::bayes, .trials = 60};
  one.options.space = {parse_dimension(one.learner, "min_samples_split=2..200")};
  one.options.patience = 12;
  const Tuning out = one.run();
  EXPECT_FALSE(out.stopped.empty());
  EXPECT_LT(out.candidates.size(), 61U);
  EXPECT_GE(out.candidates.size() - 1 - out.best, 12U);
}

TEST(Tune, a_setting_that_cannot_be_fitted_loses_and_is_named) {
  std::vector<double> x(24);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 10.0 * static_cast<double>(i % 3 + i / 3 % 2);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.1 * static_cast<double>(i);
  const Dataset data({Column::numeric("x", x)});
  const AnyLearner learner("kmeans");
  const Folds folds = make_folds(data, {.folds = 2});
  TuneOptions options;
  options.space = {parse_dimension(learner, "n_clusters=2,3,40")};
  options.search.method = SearchMethod::grid;
  AnyLearner two = learner;
  two.set("n_clusters", 2);
  const Tuning out = tune(two, data, folds, options);
  EXPECT_FALSE(out.candidates.back().failure.empty());
  EXPECT_FALSE(out.candidates.back().estimate.mean);
  EXPECT_NE(out.winner.values(),
            with_settings({learner}, out.candidates.back().settings).learner.values());
}

TEST(Tune, a_search_in_which_everything_fails_says_why) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4})});
  AnyLearner learner("kmeans");
  learner.set("n_clusters", 50);
  const Folds folds = make_folds(data, {.folds = 2});
  TuneOptions options;
  options.space = {parse_dimension(learner, "n_clusters=40,50")};
  EXPECT_THROW(tune(learner, data, folds, options), Error);
}

// The examined rows of an outer fold must not reach its search: spoiling them changes nothing of
// what is chosen.
TEST(Tune, a_nested_search_does_not_see_the_outer_rows) {
  Case one;
  one.options.search = {.method = SearchMethod::random, .trials = 6};
  one.options.inner = {.scheme = FoldScheme::stratified, .folds = 3, .column = "kind"};
  const Folds outer = make_folds(one.data, {.scheme = FoldScheme::holdout, .column = "kind"});
  const NestedTuning honest = tune_nested(one.learner, one.data, outer, one.options);
  std::vector<double> x(one.data.rows());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = one.data.column("x").number(i);
  for (const std::size_t row : outer.test(0)) x[row] = 1e9;
  const Dataset spoilt = one.data.with_column(Column::numeric("x", x));
  const NestedTuning other = tune_nested(one.learner, spoilt, outer, one.options);
  EXPECT_EQ(honest.chosen, other.chosen);
  EXPECT_EQ(honest.folds.size(), 1U);
  EXPECT_NE(honest.folds[0].metric, other.folds[0].metric);
}

// One column in thousandths, another in thousands: ridge with a heavy penalty needs equal scales.
TEST(Tune, the_preparation_is_searched_with_the_parameters_and_saved_with_the_winner) {
  Stream stream(8);
  std::vector<double> fine(90);
  std::vector<double> coarse(90);
  std::vector<double> y(90);
  for (std::size_t i = 0; i < y.size(); ++i) {
    fine[i] = stream.normal() / 1000;
    coarse[i] = stream.normal() * 1000;
    y[i] = 2000 * fine[i] + coarse[i] / 1000 + 0.1 * stream.normal();
  }
  const Dataset data(
      {Column::numeric("fine", fine), Column::numeric("coarse", coarse), Column::numeric("y", y)});
  const AnyLearner ridge("ridge");
  TuneOptions options;
  options.validate.fit.target = {"y"};
  options.space = {*preparation_dimension(ridge, "standardize"),
                   parse_dimension(ridge, "alpha=0.01,1")};
  options.search = {.method = SearchMethod::grid};
  const Tuning out = tune(ridge, data, make_folds(data, {.folds = 5}), options);
  EXPECT_EQ(out.candidates[0].settings[0].second, Value(false));
  EXPECT_EQ(out.candidates[out.best].settings[0].second, Value(true));
  EXPECT_TRUE(out.prepare.standardize);
  const AnyModel model = fit(out.winner, data, winning_fit(out, options));
  EXPECT_NEAR(model.preparation().features[0].scale, 1 / 0.001, 200);
}

TEST(Tune, a_nested_search_examines_with_the_preparation_that_it_chose) {
  const Dataset data = steps(120);
  const AnyLearner learner("logistic_regression");
  TuneOptions options;
  options.validate.fit.target = {"kind"};
  options.space = {*preparation_dimension(learner, "standardize=true")};
  options.search = {.method = SearchMethod::grid};
  options.inner = {.scheme = FoldScheme::stratified, .folds = 3, .column = "kind"};
  const Folds outer =
      make_folds(data, {.scheme = FoldScheme::stratified, .folds = 3, .column = "kind"});
  const NestedTuning out = tune_nested(learner, data, outer, options);
  for (std::size_t i = 0; i < outer.size(); ++i) {
    ValidateOptions same = options.validate;
    same.fit.prepare.standardize = out.chosen[i][0].second.as_bool();
    const CrossValidation by_hand = cross_validate(learner, data, outer, same);
    EXPECT_EQ(out.folds[i].metric, by_hand.folds[i].metric);
  }
}

TEST(TuneJournal, a_search_goes_on_where_it_was_cut_off_without_repeating_a_fold) {
  const TemporaryDirectory place;
  Case one;
  one.options.search = {.method = SearchMethod::bayes, .trials = 20};
  const std::string whole = to_json(to_value(one.run()));
  const Value identity = journal_identity(one.learner, one.folds, one.options.validate);
  const std::string path = place.path("tune.journal");
  {
    TuneJournal journal(path, identity);
    one.options.journal = &journal;
    EXPECT_EQ(to_json(to_value(one.run())), whole);
  }
  const std::vector<std::string> complete = lines_of(path);
  // Cut after every so many lines, in the middle of a line: what a kill leaves.
  for (const std::size_t kept : {std::size_t{1}, std::size_t{7}, complete.size() - 1}) {
    std::string text;
    for (std::size_t i = 0; i < kept; ++i) text += complete[i] + "\n";
    text += complete.back().substr(0, 9);
    place.file("tune.journal", text);
    TuneJournal journal(path, identity);
    EXPECT_EQ(journal.found(), kept - 1);
    one.options.journal = &journal;
    EXPECT_EQ(to_json(to_value(one.run())), whole);
    // Every fold stands there once: nothing that was finished was computed again.
    std::vector<std::string> lines = lines_of(path);
    std::vector<std::string> keys;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      keys.push_back(parse_json(lines[i]).at("key").as_string());
    }
    EXPECT_EQ(lines.size(), complete.size());
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
  }
}

TEST(TuneJournal, results_are_taken_from_the_journal_and_not_computed) {
  const TemporaryDirectory place;
  Case one;
  const Value identity = journal_identity(one.learner, one.folds, one.options.validate);
  {
    TuneJournal journal(place.path("j"), identity);
    one.options.journal = &journal;
    one.run();
  }
  // A forged score comes back: so the fold was not fitted again.
  std::string text;
  for (const std::string& line : lines_of(place.path("j"))) {
    Value value = parse_json(line);
    if (value.find("score") != nullptr) value["score"] = 0.25;
    text += to_json(value) + "\n";
  }
  place.file("j", text);
  TuneJournal journal(place.path("j"), identity);
  one.options.journal = &journal;
  for (const Candidate& candidate : one.run().candidates) EXPECT_EQ(*candidate.estimate.mean, 0.25);
}

TEST(TuneJournal, the_journal_of_another_search_is_refused) {
  const TemporaryDirectory place;
  const Case one;
  const Value identity = journal_identity(one.learner, one.folds, one.options.validate);
  { TuneJournal journal(place.path("j"), identity); }
  ValidateOptions other = one.options.validate;
  other.metric = "log_loss";
  EXPECT_THROW(TuneJournal(place.path("j"), journal_identity(one.learner, one.folds, other)),
               Error);
  place.file("notes.txt", "{\"mine\": 1}\n");
  EXPECT_THROW(TuneJournal(place.path("notes.txt"), identity), Error);
  place.file("damaged", to_json(object({{"gradus_journal", 1}})) + "\nno json\n");
  EXPECT_THROW(TuneJournal(place.path("damaged"), Value::Object()), Error);
}

TEST(TuneJournal, two_searches_cannot_share_a_journal_at_the_same_time) {
  const TemporaryDirectory place;
  const TuneJournal first(place.path("j"), Value::Object());
  EXPECT_THROW(TuneJournal(place.path("j"), Value::Object()), Error);
}

TEST(TuneJournal, a_nested_search_is_kept_too) {
  const TemporaryDirectory place;
  Case one;
  one.options.search = {.method = SearchMethod::random, .trials = 4};
  one.options.inner = {.scheme = FoldScheme::stratified, .folds = 3, .column = "kind"};
  const Folds outer =
      make_folds(one.data, {.scheme = FoldScheme::stratified, .folds = 2, .column = "kind"});
  const Value identity = journal_identity(one.learner, one.folds, one.options.validate);
  std::vector<std::string> texts;
  for (int time = 0; time < 2; ++time) {
    TuneJournal journal(place.path("j"), identity);
    one.options.journal = &journal;
    texts.push_back(to_json(to_value(tune_nested(one.learner, one.data, outer, one.options))));
    EXPECT_EQ(journal.found() > 0, time == 1);
  }
  EXPECT_EQ(texts[0], texts[1]);
}

}  // namespace
}  // namespace gradus
