#include "gradus/evaluate/search_space.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

TEST(SearchSpace, descriptions_give_the_ranges) {
  const SearchSpace space = described_space(AnyLearner("ridge"));
  ASSERT_EQ(space.size(), 1U);
  EXPECT_EQ(space[0].parameter, "alpha");
  EXPECT_EQ(space[0].low, 1e-4);
  EXPECT_EQ(space[0].high, 1e4);
  EXPECT_EQ(space[0].scale, Scale::logarithmic);
}

TEST(SearchSpace, what_is_fixed_or_has_no_meaning_is_left_out) {
  EXPECT_TRUE(described_space(AnyLearner("ridge"), {"alpha"}).empty());
  AnyLearner bayes("naive_bayes");
  const std::size_t all = described_space(bayes).size();
  bayes.set("estimate", "m_estimate");  // alpha belongs to laplace
  const SearchSpace space = described_space(bayes);
  EXPECT_EQ(space.size(), all - 1);
  for (const Dimension& one : space) EXPECT_NE(one.parameter, "alpha");
}

TEST(SearchSpace, ranges_and_lists_are_read) {
  const AnyLearner tree("decision_tree");
  const Dimension depth = parse_dimension(tree, "max_depth=1..20");
  EXPECT_TRUE(depth.whole);
  EXPECT_EQ(depth.count(), 20U);
  EXPECT_EQ(depth.at(0), Value(1));
  EXPECT_EQ(depth.at(1), Value(20));
  const Dimension list = parse_dimension(tree, "max_depth=none,3,9");
  ASSERT_EQ(list.choices.size(), 3U);
  EXPECT_TRUE(list.at(0).is_null());
  EXPECT_EQ(list.place_of(Value(9)), 2);
  const Dimension words = parse_dimension(tree, "criterion=gini,entropy");
  EXPECT_EQ(words.at(1), Value("entropy"));
  const Dimension log = parse_dimension(AnyLearner("ridge"), "alpha=0.01..100:log");
  EXPECT_NEAR(log.at(0.5).as_number(), 1, 1e-12);
  EXPECT_NEAR(log.place_of(Value(10.0)), 0.75, 1e-12);
  EXPECT_TRUE(std::isnan(log.place_of(Value(1000.0))));
}

TEST(SearchSpace, a_name_alone_means_its_description) {
  const Dimension words = parse_dimension(AnyLearner("decision_tree"), "criterion");
  EXPECT_GE(words.choices.size(), 2U);
  EXPECT_EQ(parse_dimension(AnyLearner("ridge"), "alpha").high, 1e4);
}

TEST(SearchSpace, mistakes_are_named) {
  const AnyLearner tree("decision_tree");
  for (const char* text : {"max_dept=1..3", "max_depth=9..3", "max_depth=1.5..3", "max_depth=",
                           "max_depth=0..3:log", "max_depth=1..3:cubic", "criterion=gini..entropy",
                           "criterion=gini,gini", "max_depth=a,b", "max_depth=-4..3"}) {
    EXPECT_THROW(parse_dimension(tree, text), Error) << text;
  }
}

TEST(SearchSpace, numbers_have_four_digits_so_that_what_is_shown_was_tried) {
  const Dimension log = parse_dimension(AnyLearner("ridge"), "alpha=0.001..7:log");
  for (const double place : {0.1, 0.37, 0.9}) {
    const double value = log.at(place).as_number();
    EXPECT_EQ(value, std::round(value / std::pow(10, std::floor(std::log10(value)) - 3)) *
                         std::pow(10, std::floor(std::log10(value)) - 3));
    EXPECT_NEAR(log.place_of(Value(value)), place, 1e-3);
  }
}

TEST(SearchSpace, every_whole_number_is_equally_likely) {
  const Dimension depth = parse_dimension(AnyLearner("decision_tree"), "max_depth=1..4");
  std::vector<int> counts(5, 0);
  Stream stream(3);
  for (int i = 0; i < 8000; ++i)
    ++counts[static_cast<std::size_t>(depth.at(depth.draw(stream)).as_integer())];
  for (std::size_t value = 1; value <= 4; ++value) EXPECT_NEAR(counts[value], 2000, 150);
}

TEST(SearchSpace, grids_reach_from_end_to_end) {
  const Dimension log = parse_dimension(AnyLearner("ridge"), "alpha=0.01..100:log");
  const std::vector<double> places = log.grid(5);
  ASSERT_EQ(places.size(), 5U);
  EXPECT_NEAR(log.at(places[1]).as_number(), 0.1, 1e-12);
  // A short whole range is taken completely.
  EXPECT_EQ(parse_dimension(AnyLearner("decision_tree"), "max_depth=2..4").grid(5).size(), 3U);
}

TEST(SearchSpace, settings_read_well) {
  const AnyLearner tree("decision_tree");
  const SearchSpace space = {parse_dimension(tree, "max_depth=none,3"),
                             parse_dimension(tree, "criterion=gini,entropy")};
  const ParamValues settings = settings_at(space, {1, 0});
  EXPECT_EQ(settings_text(settings), "max_depth=3, criterion=gini");
  EXPECT_EQ(to_json(to_value(space)), R"([{"parameter":"max_depth","values":[null,3]},)"
                                      R"({"parameter":"criterion","values":["gini","entropy"]}])");
}

}  // namespace
}  // namespace gradus
