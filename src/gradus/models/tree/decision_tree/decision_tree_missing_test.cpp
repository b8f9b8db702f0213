// Missing values of decision_tree: each way, for classes and numbers.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/blocks/single_tree/tree_model.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/tree/decision_tree/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

// x says what y is but has holes; z has none and says nothing.
Dataset holed(bool classes) {
  std::vector<double> x;
  std::vector<double> z;
  std::vector<double> y;
  std::vector<std::int32_t> codes;
  for (int i = 0; i < 40; ++i) {
    const bool high = i % 4 == 3;
    x.push_back(i % 5 == 0 ? std::numeric_limits<double>::quiet_NaN()
                           : (high ? 10.0 : 1.0) + i * 1e-3);
    z.push_back(i % 7);
    y.push_back(high ? 100.0 : 0.0);
    codes.push_back(high ? 1 : 0);
  }
  std::vector<Column> columns = {Column::numeric("x", x), Column::numeric("z", z)};
  columns.push_back(classes ? Column::nominal("y", codes, {"low", "high"})
                            : Column::numeric("y", y));
  return Dataset(std::move(columns));
}

// The answer to a row whose x is missing, and to one whose x is this.
double answer_at(const AnyModel& model, double x) {
  const Dataset row(
      {Column::numeric("x", std::vector<double>{x}), Column::numeric("z", std::vector<double>{3})});
  return model.predict(row).values.back();
}

TEST(DecisionTree, missing_values_go_the_way_that_is_asked_for) {
  const double hole = std::numeric_limits<double>::quiet_NaN();
  for (const bool classes : {true, false}) {
    const Dataset data = holed(classes);
    const auto grown = [&](TreeMissing missing) {
      return fit(DecisionTree{.missing = missing, .neighbours = 3, .limits = {.max_depth = 1}},
                 data, "y");
    };
    // Known values alone part the targets; three quarters of them are low, and so is the mean.
    for (const TreeMissing missing : {TreeMissing::larger_side, TreeMissing::remove}) {
      const auto model = grown(missing);
      EXPECT_EQ(model.fitted().at("tree").at("missing").as_string(), "yes");
      EXPECT_EQ(answer_at(model, hole), answer_at(model, 1.0));
      EXPECT_NEAR(answer_at(model, 10.0), classes ? 1 : 100, 1e-9);
    }
    EXPECT_EQ(grown(TreeMissing::remove).fitted().at("tree").at("n").as_integer(), 32);
    // A cell is filled from rows with the same target: no row is on the wrong side.
    const auto similar = grown(TreeMissing::similar_target);
    EXPECT_EQ(similar.fitted().at("tree").at("n").as_integer(), 40);
    EXPECT_NEAR(answer_at(similar, 10.0), classes ? 1 : 100, 1e-9);
    EXPECT_NEAR(answer_at(similar, 1.0), 0, 1e-9);
    // By the mean of the column, about 3.25, eight rows come between; those that are high among
    // them answer with the others.
    const auto filled = grown(TreeMissing::mean);
    EXPECT_NEAR(answer_at(filled, 10.0), classes ? 1 : 100, 1e-9);
    EXPECT_EQ(answer_at(filled, hole), answer_at(filled, 3.2));
    EXPECT_GT(answer_at(filled, hole), 0);
  }
}

TEST(DecisionTree, what_cannot_be_is_refused_and_what_was_filled_is_told) {
  const DecisionTree learner{.nominal = NominalSplits::multiway,
                             .missing = TreeMissing::larger_side};
  EXPECT_THROW(fit(learner, holed(true), "y"), Error);
  Recorder trace;
  Context context;
  context.trace = &trace;
  const Dataset data = holed(false);
  fit(DecisionTree{.missing = TreeMissing::nearest, .neighbours = 1}, data, "y", context);
  const Step& step = trace.steps().front();
  EXPECT_EQ(step.path, "missing");
  EXPECT_EQ(step.values.at("filled_cells").as_integer(), 8);
  EXPECT_EQ(step.values.at("cells").as_array()[0].at("column").as_string(), "x");
}

TEST(DecisionTree, a_fill_by_bins_or_with_class_weights_is_still_a_fill) {
  const Dataset data = holed(true);
  const auto model = fit(DecisionTree{.missing = TreeMissing::similar_target,
                                      .limits = {.max_depth = 1, .max_bins = 2},
                                      .class_weight = ClassWeightRule::balanced},
                         data, "y");
  EXPECT_NEAR(model.fitted().at("tree").at("counts").at("low").as_number(), 20, 1e-9);
  EXPECT_NEAR(model.fitted().at("tree").at("counts").at("high").as_number(), 20, 1e-9);
}

}  // namespace
}  // namespace gradus
