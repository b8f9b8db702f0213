#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/evaluate/cross_validate.hpp"
#include "gradus/evaluate/tune.hpp"
#include "gradus/models/linear/linear_regression/params.hpp"
#include "gradus/models/linear/ridge/params.hpp"
#include "gradus/models/meta/pipeline/explained_share.hpp"
#include "gradus/models/meta/pipeline/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

Dataset of(const std::vector<std::pair<std::string, std::vector<double>>>& columns) {
  std::vector<Column> out;
  for (const auto& [name, numbers] : columns) out.push_back(Column::numeric(name, numbers));
  return Dataset(out);
}

const PipelineModel& inside(const AnyModel& model) {
  return *static_cast<const PipelineModel*>(model.core().address());
}

double answer(const AnyModel& model, const Dataset& row) { return model.predict(row).values[0]; }

TEST(Pipeline, scales_by_mean_and_deviation_of_the_rows_that_teach) {
  const Dataset data = of({{"x", {1, 2, 3, 6}}, {"y", {1, 2, 3, 6}}});
  const AnyModel model = fit(Pipeline{.estimator = LinearRegression{}}, data, "y");
  EXPECT_DOUBLE_EQ(inside(model).shift[0], 3);
  EXPECT_DOUBLE_EQ(inside(model).scale[0], 1 / std::sqrt(3.5));
  EXPECT_NEAR(answer(model, of({{"x", {10}}})), 10, 1e-12);
}

TEST(Pipeline, a_range_goes_from_0_to_1_and_a_constant_column_is_only_shifted) {
  const Dataset data = of({{"x", {2, 4, 6}}, {"c", {5, 5, 5}}, {"y", {1, 2, 3}}});
  const AnyModel model =
      fit(Pipeline{.scale = PipelineScale::range, .estimator = Ridge{}}, data, "y");
  EXPECT_EQ(inside(model).shift, (std::vector<double>{2, 5}));
  EXPECT_EQ(inside(model).scale, (std::vector<double>{0.25, 1}));
}

TEST(Pipeline, missing_cells_become_the_mean_or_the_median) {
  const Dataset data = of({{"x", {1, 2, kGap, 9}}, {"y", {1, 2, 4, 9}}});
  Pipeline learner{.scale = PipelineScale::none, .estimator = LinearRegression{}};
  EXPECT_DOUBLE_EQ(inside(fit(learner, data, "y")).fill[0], 4);
  learner.imputation = PipelineImputation::median;
  const AnyModel model = fit(learner, data, "y");
  EXPECT_DOUBLE_EQ(inside(model).fill[0], 2);
  EXPECT_DOUBLE_EQ(answer(model, of({{"x", {kGap}}})), answer(model, of({{"x", {2}}})));
}

TEST(Pipeline, gaps_are_left_to_an_estimator_that_takes_them) {
  const Dataset data = of({{"x", {1, 2, kGap, 9}}, {"y", {1, 2, 4, 9}}});
  EXPECT_TRUE(std::isnan(inside(fit(Pipeline{}, data, "y")).fill[0]));
  EXPECT_FALSE(std::isnan(inside(fit(Pipeline{.keep = 1}, data, "y")).fill[0]));
}

TEST(Pipeline, a_polynomial_before_a_line_is_polynomial_regression) {
  const Dataset data = of({{"x", {-2, -1, 0, 1, 2}}, {"y", {7, 2, 1, 4, 11}}});  // 2x² + x + 1
  Pipeline learner{.basis = PipelineBasis::polynomial, .estimator = LinearRegression{}};
  learner.terms.degree = 2;
  const AnyModel model = fit(learner, data, "y");
  EXPECT_NEAR(answer(model, of({{"x", {3}}})), 22, 1e-10);
}

TEST(Pipeline, keeps_the_columns_that_explain_most_of_the_target) {
  const Dataset data = of({{"noise", {1, -1, 1, -1}}, {"x", {1, 2, 3, 4}}, {"y", {2, 4, 6, 8}}});
  const AnyModel model = fit(Pipeline{.keep = 1, .estimator = LinearRegression{}}, data, "y");
  EXPECT_EQ(inside(model).kept, (std::vector<std::int32_t>{1}));
  EXPECT_NEAR(inside(model).explained[0], 0.2, 1e-12);
  EXPECT_NEAR(inside(model).explained[1], 1, 1e-12);
  EXPECT_EQ(model.fitted().find("columns")->as_array().size(), 1U);
}

TEST(Pipeline, projects_on_the_coordinates_of_another_learner) {
  const Dataset data = of({{"a", {0, 1, 4, 5}}, {"b", {0, 1, 5, 4}}, {"y", {0, 1, 8, 9}}});
  AnyLearner learner("pipeline");
  learner.set("projection", "kmeans(n_clusters=2)");
  learner.set("estimator", "linear_regression");
  const AnyModel model = fit(learner, data, {.target = {"y"}});
  EXPECT_EQ(inside(model).coordinates, 2);
  EXPECT_TRUE(std::isfinite(answer(model, of({{"a", {1}}, {"b", {1}}}))));
  EXPECT_THROW(learner.set("projection", "ridge"), Error);
  learner.set("projection", "lda");
  EXPECT_THROW(fit(learner, data, {.target = {"y"}}), Error);
}

TEST(Pipeline, is_saved_as_one) {
  const Dataset data = of({{"x", {1, 2, 3, 6}}, {"z", {4, 1, kGap, 2}}, {"y", {1, 2, 3, 6}}});
  AnyLearner learner("pipeline");
  learner.set("basis", "spline");
  learner.set("keep", Value(3));
  learner.set("projection", "kmeans(n_clusters=2)");
  learner.set("estimator", "ridge");
  const AnyModel model = fit(learner, data, {.target = {"y"}});
  const AnyModel same = from_bytes(to_bytes(model), "memory");
  EXPECT_EQ(same.predict(data).values, model.predict(data).values);
  EXPECT_EQ(same.fingerprint(), model.fingerprint());
}

TEST(Pipeline, takes_what_its_stations_and_its_estimator_take) {
  AnyLearner learner("pipeline");
  EXPECT_TRUE(learner.info().accepts.has(Accept::nominal));
  learner.set("encoding", "target");
  EXPECT_FALSE(learner.info().accepts.has(Accept::nominal));
  EXPECT_EQ(learner.info().encode, Encoding::target);
  learner.set("estimator", "linear_svm");
  EXPECT_FALSE(learner.info().gives.has(Give::probabilities));
  EXPECT_TRUE(learner.info().accepts.has(Accept::missing));
  learner.set("imputation", "none");
  EXPECT_FALSE(learner.info().accepts.has(Accept::missing));
}

// Rows of pure noise: whoever selects columns with the examined rows in sight finds some that seem
// to say something. A pipeline that selects inside every fold guesses.
TEST(Pipeline, nothing_of_an_examined_row_leaks_into_the_preparation) {
  constexpr std::size_t kRows = 60;
  constexpr std::size_t kColumns = 2000;
  std::vector<Column> columns;
  for (std::size_t j = 0; j < kColumns; ++j) {
    std::vector<double> numbers(kRows);
    Stream stream(7, j);
    for (double& x : numbers) x = stream.uniform();
    columns.push_back(Column::numeric("x" + std::to_string(j), numbers));
  }
  std::vector<double> target(kRows);
  Stream stream(8, 0);
  for (double& x : target) x = stream.uniform();
  columns.push_back(Column::numeric("y", target));
  const Dataset data(columns);
  const Folds folds = make_folds(data, {.folds = 5});
  const ValidateOptions options{.fit = {.target = {"y"}}, .metric = "r2"};
  const AnyLearner honest(Pipeline{.keep = 8, .estimator = LinearRegression{}});
  EXPECT_LT(*cross_validate(honest, data, folds, options).estimate.mean, 0.1);

  // The same with columns chosen from all rows: what leaking would look like.
  const AnyModel all = fit(honest, data, {.target = {"y"}});
  std::vector<Column> chosen;
  for (const std::int32_t j : inside(all).kept)
    chosen.push_back(columns[static_cast<std::size_t>(j)]);
  chosen.push_back(columns.back());
  const AnyLearner line("linear_regression");
  EXPECT_GT(*cross_validate(line, Dataset(chosen), folds, options).estimate.mean, 0.3);
}

TEST(Pipeline, other_examined_rows_leave_the_model_of_a_fold_as_it_is) {
  std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<double> y = {2, 4, 5, 8, 11, 12, 13, 17};
  const Folds folds = make_folds(of({{"x", x}, {"y", y}}), {.folds = 4});
  const AnyLearner learner(Pipeline{.basis = PipelineBasis::spline, .estimator = Ridge{}});
  const auto model_of = [&] {
    const Dataset data = of({{"x", x}, {"y", y}});
    return to_bytes(fit(learner, data.take(folds.train(0)), {.target = {"y"}}));
  };
  const auto before = model_of();
  for (const std::size_t row : folds.test(0)) x[row] = 1e6;
  EXPECT_EQ(model_of(), before);
}

TEST(Pipeline, a_search_goes_into_the_estimator) {
  const Dataset data = of({{"x", {1, 2, 3, 4, 5, 6}}, {"y", {2, 4, 5, 8, 11, 12}}});
  AnyLearner learner("pipeline");
  learner.set("estimator", "ridge");
  TuneOptions options{.space = {parse_dimension(learner, "estimator.alpha=0.001,1000"),
                                parse_dimension(learner, "scale=none,standard")}};
  options.validate.fit.target = {"y"};
  const Tuning found = tune(learner, data, make_folds(data, {.folds = 3}), options);
  ParamValues values = found.winner.values();
  EXPECT_EQ(values.back().second, Value("ridge(alpha=0.001)"));
  const SearchSpace described = described_space(learner);
  EXPECT_TRUE(std::any_of(described.begin(), described.end(),
                          [](const Dimension& one) { return one.parameter == "estimator.alpha"; }));
}

TEST(Pipeline, tells_every_station) {
  const Dataset data = of({{"x", {1, 2, kGap, 6}}, {"z", {4, 1, 3, 2}}, {"y", {1, 2, 3, 6}}});
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  const AnyLearner learner(
      Pipeline{.basis = PipelineBasis::polynomial, .keep = 2, .estimator = LinearRegression{}});
  fit(learner, data, {.target = {"y"}}, context);
  std::vector<std::string> paths;
  for (const Step& step : recorder.steps()) paths.push_back(step.path);
  for (const char* path : {"columns/x", "columns/z", "basis", "selection"}) {
    EXPECT_NE(std::find(paths.begin(), paths.end(), path), paths.end()) << path;
  }
  EXPECT_TRUE(paths.back().starts_with("estimator"));
}

TEST(ExplainedShares, are_the_variance_between_classes) {
  std::vector<FeatureColumn> columns = {
      {Column::numeric("x", std::vector<double>{1, 2, 5, 6}), {}},
      {Column::numeric("c", std::vector<double>{3, 3, 3, 3}), {}}};
  const Features features(4, columns);
  Signature signature;
  signature.classes = {"a", "b"};
  const std::vector<std::int32_t> classes = {0, 0, 1, 1};
  const std::vector<double> shares =
      explained_shares({features, signature, classes, {}, {}}, Context{});
  EXPECT_NEAR(shares[0], 16.0 / 17, 1e-12);
  EXPECT_EQ(shares[1], 0);
}

TEST(Pipeline, splits_answers_up_by_the_columns_that_come_in) {
  Stream stream(31);
  std::vector<double> x;
  std::vector<double> z;
  std::vector<double> y;
  for (int i = 0; i < 80; ++i) {
    x.push_back(stream.normal());
    z.push_back(stream.normal());
    y.push_back(x.back() * x.back() + z.back());
  }
  const Dataset data = of({{"x", x}, {"z", z}, {"y", y}});
  const PredictOptions ignore{.extra = Extra::ignore};
  const AnyModel plain = fit(parse_learner("decision_tree(max_depth=4)"), data, {.target = {"y"}});
  const AnyModel scaled = fit(Pipeline{.estimator = "decision_tree(max_depth=4)"}, data, "y");
  const Contributions expected = plain.contributions(data, {}, ignore);
  const Contributions parts = scaled.contributions(data, {}, ignore);
  ASSERT_EQ(parts.values.size(), expected.values.size());
  for (std::size_t i = 0; i < parts.values.size(); ++i) {
    EXPECT_NEAR(parts.values[i], expected.values[i], 1e-9);
  }
  // The functions of one column are one player; a product of two belongs to neither.
  const AnyModel splines =
      fit(Pipeline{.basis = PipelineBasis::spline, .estimator = "decision_tree(max_depth=4)"}, data,
          "y");
  const Contributions by_column = splines.contributions(data, {}, ignore);
  ASSERT_EQ(by_column.features.size(), 2U);
  const std::vector<double> answers = splines.predict(data, {}, ignore).values;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const double* mine = by_column.values.data() + 3 * i;
    EXPECT_NEAR(mine[0] + mine[1] + mine[2], answers[i], 1e-9);
  }
  EXPECT_EQ(splines.core().feature_use(splines.signature())->splits.size(), 2U);
  const AnyModel products =
      fit(Pipeline{.basis = PipelineBasis::polynomial, .estimator = "decision_tree"}, data, "y");
  EXPECT_THROW(products.contributions(data, {}, ignore), Error);
  EXPECT_FALSE(products.core().feature_use(products.signature()));
}

}  // namespace
}  // namespace gradus
