// The degenerate matrix: data that breaks learners elsewhere. Each set either gives finite answers
// or an error that a user can act on; never a crash, an internal error or a number that is not one.
#include <cmath>

#include "conformance/learner_case.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"

namespace gradus::conformance {
namespace {

class Degenerate : public EveryLearner {
 protected:
  // A table of numbers (turned into categories for learners of nominal columns) with a target.
  Dataset table(const std::vector<std::vector<double>>& columns, std::vector<double> y) const {
    std::vector<Column> out;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      Column column = Column::numeric("x" + std::to_string(j + 1), columns[j]);
      out.push_back(info().accepts.has(Accept::numeric) ? column : as_nominal(column));
    }
    if (GetParam().task == Task::classify) {
      std::vector<std::int32_t> codes;
      for (const double value : y) codes.push_back(value > 0 ? 1 : 0);
      out.push_back(Column::nominal("target", codes, {"no", "yes"}));
    } else if (GetParam().task == Task::regress) {
      out.push_back(Column::numeric("target", std::move(y)));
    }
    return Dataset(std::move(out));
  }

  Outcome run(const std::vector<std::vector<double>>& columns, const std::vector<double>& y) const {
    FitOptions options;
    if (GetParam().task != Task::cluster) options.target = {"target"};
    AnyLearner small_learner = learner();
    // The default number of clusters, neighbours or folds may exceed these tiny tables.
    for (const ParamInfo& param : small_learner.params()) {
      if (param.text.name == "n_clusters") small_learner.set("n_clusters", Value(2));
    }
    return fit_and_predict(small_learner, table(columns, y), options);
  }

  std::vector<double> normal(std::size_t n, std::uint64_t item, double scale = 1,
                             double shift = 0) const {
    Stream stream(11, item);
    std::vector<double> values(n);
    for (double& x : values) x = stream.normal() * scale + shift;
    return values;
  }
};
GRADUS_FOR_EVERY_LEARNER(Degenerate);

TEST_P(Degenerate, constant_columns_work) {
  const std::vector<double> constant(60, 14.62);
  EXPECT_EQ(run({normal(60, 1), constant}, normal(60, 2)), Outcome::works);
  EXPECT_EQ(run({constant, constant}, normal(60, 2)), Outcome::works);
}

TEST_P(Degenerate, collinear_and_duplicated_columns_work) {
  const std::vector<double> a = normal(60, 1);
  std::vector<double> b = a;
  for (double& x : b) x = 2 * x + 1;
  EXPECT_EQ(run({a, a, b}, normal(60, 2)), Outcome::works);
}

TEST_P(Degenerate, one_class_or_a_constant_target_works_or_is_refused) {
  run({normal(40, 1)}, std::vector<double>(40, 1.0));
}

TEST_P(Degenerate, one_two_and_three_rows_work_or_are_refused) {
  for (const std::size_t n : {1U, 2U, 3U}) run({normal(n, 1), normal(n, 2)}, normal(n, 3));
}

TEST_P(Degenerate, more_columns_than_rows_work) {
  std::vector<std::vector<double>> columns;
  for (std::uint64_t j = 0; j < 40; ++j) columns.push_back(normal(8, j));
  EXPECT_EQ(run(columns, normal(8, 99)), Outcome::works);
}

TEST_P(Degenerate, two_distinct_points_and_identical_rows_work) {
  std::vector<double> alternating(60);
  for (std::size_t i = 0; i < 60; ++i) alternating[i] = static_cast<double>(i % 2);
  EXPECT_EQ(run({alternating, alternating}, alternating), Outcome::works);
  EXPECT_EQ(run({std::vector<double>(30, 2.0)}, normal(30, 1)), Outcome::works);
}

TEST_P(Degenerate, extreme_scales_stay_finite_or_are_refused) {
  run({normal(60, 1, 1e150), normal(60, 2, 1e150)}, normal(60, 3));
  run({normal(60, 1, 1e-200), normal(60, 2, 1e-200)}, normal(60, 3));
  run({normal(60, 1, 1e-200), normal(60, 2, 1e200)}, normal(60, 3));
  std::vector<double> spiked = normal(100, 1);
  spiked[7] = 1.7e308;
  spiked[50] = -1.7e308;
  run({spiked, normal(100, 2)}, normal(100, 3));
}

TEST_P(Degenerate, a_large_offset_works) {
  EXPECT_EQ(run({normal(60, 1, 1, 1e9), normal(60, 2, 1, 1e9)}, normal(60, 3)), Outcome::works);
}

TEST_P(Degenerate, extreme_targets_stay_finite_or_are_refused) {
  if (GetParam().task != Task::regress) return;
  run({normal(60, 1)}, normal(60, 2, 1e200));
  EXPECT_EQ(run({normal(60, 1)}, normal(60, 2, 1e-200)), Outcome::works);
}

TEST_P(Degenerate, perfect_separation_and_a_single_positive_work) {
  std::vector<double> x(60);
  std::vector<double> one(60, -1.0);
  for (std::size_t i = 0; i < 60; ++i) x[i] = i < 30 ? -1.0 : 1.0;
  one[17] = 1.0;
  EXPECT_EQ(run({x}, x), Outcome::works);
  EXPECT_EQ(run({normal(60, 1)}, one), Outcome::works);
}

TEST_P(Degenerate, denormals_and_negative_zero_work) {
  EXPECT_EQ(run({{5e-324, 0.0, -0.0, 1e-310}, {1, 2, 3, 4}}, {1, -1, 1, -1}), Outcome::works);
}

TEST_P(Degenerate, no_rows_and_no_columns_are_named) {
  FitOptions options;
  if (GetParam().task != Task::cluster) options.target = {"target"};
  EXPECT_THROW(fit(learner(), table({{}}, {}), options), Error);
  const Dataset no_columns = table({}, {1, -1, 1});
  if (info().accepts.has(Accept::no_features)) return;
  EXPECT_THROW(fit(learner(), no_columns, options), Error);
}

}  // namespace
}  // namespace gradus::conformance
