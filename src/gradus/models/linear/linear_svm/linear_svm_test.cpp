#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/linear_svm/explain.hpp"
#include "gradus/models/linear/linear_svm/model.hpp"

namespace gradus {
namespace {

Dataset clouds(std::size_t n, std::size_t classes, std::size_t columns = 4) {
  std::vector<std::vector<double>> x(columns);
  std::vector<std::int32_t> y;
  std::vector<double> number;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(3, i);
    y.push_back(static_cast<std::int32_t>(stream.below(classes)));
    number.push_back(stream.normal());
    for (std::size_t j = 0; j < columns; ++j) {
      const bool own = j % classes == static_cast<std::size_t>(y.back());
      x[j].push_back(stream.below(3) == 0 ? 0 : stream.normal() + (own ? 1.5 : 0));
      number.back() += x[j].back();
    }
  }
  std::vector<Column> out;
  for (std::size_t j = 0; j < columns; ++j) {
    out.push_back(Column::numeric("f" + std::to_string(j + 1), x[j]));
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < classes; ++k) names.push_back("c" + std::to_string(k));
  out.push_back(Column::nominal("y", y, names));
  out.push_back(Column::numeric("t", number));
  return Dataset(std::move(out));
}

Dataset for_target(const Dataset& data, const std::string& target) {
  return data.without(target == "y" ? "t" : "y");
}

Dataset as_csr(const Dataset& data, const std::string& target) {
  CsrArrays matrix;
  std::vector<const Column*> columns;
  for (const Column& column : data.columns()) {
    if (column.name() != target) columns.push_back(&column);
  }
  matrix.cols = columns.size();
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (columns[j]->number(i) == 0) continue;
      matrix.add(static_cast<std::uint32_t>(j), columns[j]->number(i));
    }
    matrix.end_row();
  }
  return Dataset({data.column(target)}).with_sparse({std::make_shared<CsrMatrix>(matrix), "f", 1});
}

void expect_same(const LinearSvmModel& a, const LinearSvmModel& b, double tolerance) {
  ASSERT_EQ(a.objective.size(), b.objective.size());
  for (std::size_t k = 0; k < a.objective.size(); ++k) {
    EXPECT_NEAR(a.objective[k], b.objective[k], tolerance * a.objective[k]);
    EXPECT_NEAR(a.functions.intercept[k], b.functions.intercept[k], 1e-3);
  }
  const auto& u = a.functions.coefficients.values;
  const auto& v = b.functions.coefficients.values;
  for (std::size_t j = 0; j < u.size(); ++j) EXPECT_NEAR(u[j], v[j], 1e-3) << j;
}

TEST(LinearSvm, dual_and_primal_find_the_same_functions) {
  for (const std::size_t classes : {2U, 3U}) {
    const Dataset data = clouds(300, classes);
    for (const bool penalize : {true, false}) {
      for (const std::string target : {"y", "t"}) {
        LinearSvm learner{.penalize_intercept = penalize, .max_iter = 100000, .tol = 1e-8};
        if (target == "t") learner.loss = SvmLoss::squared_epsilon_insensitive;
        if (target == "t") learner.epsilon = 0.3;
        const Dataset dense = for_target(data, target);
        learner.solver = SvmSolver::dual;
        const auto dual = fit(learner, dense, target);
        EXPECT_TRUE(dual.model().converged);
        EXPECT_LT(dual.model().gap[0], 1e-5 * dual.model().objective[0]);
        learner.solver = SvmSolver::primal;
        const auto primal = fit(learner, dense, target);
        expect_same(dual.model(), primal.model(), 1e-6);
        expect_same(fit(learner, as_csr(dense, target), target).model(), primal.model(), 1e-6);
      }
    }
  }
}

TEST(LinearSvm, sparse_rows_give_the_functions_of_the_dense_rows) {
  const Dataset data = clouds(200, 3, 12);
  for (const std::string target : {"y", "t"}) {
    const LinearSvm learner{.solver = SvmSolver::dual, .max_iter = 20000, .tol = 1e-7};
    const Dataset dense = for_target(data, target);
    const Dataset sparse = as_csr(dense, target);
    const auto a = fit(learner, dense, target);
    const auto b = fit(learner, sparse, target);
    expect_same(a.model(), b.model(), 1e-7);
    const auto p = a.predict(dense).values;
    const auto q = b.predict(sparse).values;
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], q[i], 1e-4);
  }
}

TEST(LinearSvm, wide_tables_are_solved_without_a_hessian) {
  const Dataset dense = for_target(clouds(120, 3, 320), "y");
  LinearSvm learner{.C = 0.01, .solver = SvmSolver::primal, .max_iter = 100000, .tol = 1e-8};
  const auto primal = fit(learner, dense, "y");
  expect_same(fit(learner, as_csr(dense, "y"), "y").model(), primal.model(), 1e-7);
  learner.solver = SvmSolver::dual;
  expect_same(fit(learner, dense, "y").model(), primal.model(), 1e-6);
  EXPECT_EQ(fit(LinearSvm{}, dense, "y").model().solver, SvmSolver::dual);
}

TEST(LinearSvm, a_dual_that_creeps_is_finished_by_newton) {
  const Dataset data = for_target(clouds(400, 2, 310), "t");
  LinearSvm learner{.C = 1000, .loss = SvmLoss::squared_epsilon_insensitive};
  const auto left_to_us = fit(learner, data, "t");
  EXPECT_EQ(left_to_us.model().solver, SvmSolver::primal);
  EXPECT_TRUE(left_to_us.model().converged);
  EXPECT_GT(left_to_us.model().n_iter[0], 60) << "its sweeps count";
  learner.solver = SvmSolver::primal;
  const double least = fit(learner, data, "t").model().objective[0];
  EXPECT_NEAR(left_to_us.model().objective[0], least, 1e-4 * least);
}

TEST(LinearSvm, the_objective_falls_step_by_step_and_its_bound_rises_to_it) {
  for (const std::size_t columns : {4U, 320U}) {
    const Dataset data = for_target(clouds(150, 3, columns), "y");
    LinearSvm learner{.C = 0.1, .solver = SvmSolver::primal, .max_iter = 10000, .tol = 1e-6};
    const LinearSvmModel primal = fit(learner, data, "y").model();
    const double least = std::accumulate(primal.objective.begin(), primal.objective.end(), 0.0);
    ASSERT_GT(primal.curve.size(), 1U);
    EXPECT_NEAR(primal.curve.front(), 3 * 150 * 0.1, 1e-9) << "every row loses 1 three times";
    EXPECT_TRUE(std::is_sorted(primal.curve.rbegin(), primal.curve.rend()));
    EXPECT_NEAR(primal.curve.back(), least, 1e-6 * least);
    learner.solver = SvmSolver::dual;
    const auto dual = fit(learner, data, "y");
    EXPECT_EQ(dual.model().curve.front(), 0);
    EXPECT_TRUE(std::is_sorted(dual.model().curve.begin(), dual.model().curve.end()));
    EXPECT_NEAR(dual.model().curve.back(), least, 1e-4 * least);
    EXPECT_EQ(dual.fitted().find("loss_curve"), nullptr);
    EXPECT_EQ(dual.fitted().at("bound_curve").size(), dual.model().curve.size());
  }
}

TEST(LinearSvm, the_hard_margin_of_three_points_has_two_support_vectors) {
  const Dataset data({Column::numeric("x1", std::vector<double>{2, 4, 7}),
                      Column::numeric("x2", std::vector<double>{2, 5, 4}),
                      Column::nominal("c", {0, 1, 1}, {"-1", "1"})});
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  const LinearSvm learner{.C = 1e6,
                          .loss = SvmLoss::hinge,
                          .penalize_intercept = false,
                          .max_iter = 100000,
                          .tol = 1e-12};
  const auto model = fit(learner, data, "c", context);
  const LinearSvmModel& m = model.model();
  EXPECT_NEAR(m.functions.coefficients(0, 0), 4.0 / 13, 1e-8);
  EXPECT_NEAR(m.functions.coefficients(0, 1), 6.0 / 13, 1e-8);
  EXPECT_NEAR(m.functions.intercept[0], -33.0 / 13, 1e-8);
  EXPECT_EQ(m.support_vectors[0], 2);
  const Step* rows = nullptr;
  for (const Step& step : recorder.steps()) {
    if (step.path == "rows") rows = &step;
  }
  ASSERT_NE(rows, nullptr);
  const Value& second = rows->values.at("rows").as_array()[1];
  EXPECT_NEAR(second.at("multiplier").as_number(), 2.0 / 13, 1e-8);
  EXPECT_NEAR(second.at("slack").as_number(), 0, 1e-8);
}

TEST(LinearSvm, a_large_offset_and_a_scale_of_the_columns_do_not_stop_primal) {
  const Dataset data = for_target(clouds(200, 2), "y");
  std::vector<double> shifted;
  for (std::size_t i = 0; i < 200; ++i) {
    shifted.push_back(1e6 + 1e3 * data.columns()[0].number(i));
  }
  const Dataset moved = data.with_column(Column::numeric("f1", shifted));
  const LinearSvm learner{.C = 1e3, .penalize_intercept = false, .tol = 1e-7};
  const auto model = fit(learner, moved, "y");
  EXPECT_TRUE(model.model().converged);
  EXPECT_EQ(model.model().solver, SvmSolver::primal);
}

TEST(LinearSvm, balanced_classes_weigh_the_same) {
  const Dataset data = for_target(clouds(200, 2), "y");
  std::vector<double> weights;
  double totals[2] = {0, 0};
  for (std::size_t i = 0; i < 200; ++i) ++totals[data.column("y").code(i)];
  for (std::size_t i = 0; i < 200; ++i) weights.push_back(100 / totals[data.column("y").code(i)]);
  const auto a = fit(LinearSvm{.class_weight = ClassWeightRule::balanced, .tol = 1e-8}, data, "y");
  const auto b = fit(LinearSvm{.tol = 1e-8}, data.with_weights(weights), "y");
  expect_same(a.model(), b.model(), 1e-9);
}

TEST(LinearSvm, wrong_settings_one_class_and_numbers_too_large_are_refused) {
  const Dataset data = clouds(30, 2);
  const Dataset classes = for_target(data, "y");
  const Dataset numbers = for_target(data, "t");
  EXPECT_THROW(fit(LinearSvm{.loss = SvmLoss::epsilon_insensitive}, classes, "y"), Error);
  EXPECT_THROW(fit(LinearSvm{.loss = SvmLoss::hinge}, numbers, "t"), Error);
  EXPECT_THROW(fit(LinearSvm{.loss = SvmLoss::hinge, .solver = SvmSolver::primal}, classes, "y"),
               Error);
  const Dataset one(
      {Column::numeric("x", std::vector<double>{1, 2}), Column::nominal("y", {0, 0}, {"a"})});
  EXPECT_THROW(fit(LinearSvm{}, one, "y"), Error);
  std::vector<double> huge(30, 1.0);
  huge[4] = 1e300;
  try {
    fit(LinearSvm{}, classes.with_column(Column::numeric("f2", huge)), "y");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.where().find("f2"), std::string::npos);
  }
}

TEST(LinearSvm, says_when_it_did_not_converge) {
  const Dataset data = for_target(clouds(300, 2), "y");
  const auto model =
      fit(LinearSvm{.C = 1e4, .loss = SvmLoss::hinge, .max_iter = 2, .tol = 1e-9}, data, "y");
  EXPECT_FALSE(model.model().converged);
  EXPECT_NE(model.fitted().find("note"), nullptr);
  EXPECT_GT(model.model().gap[0], 0);
}

}  // namespace
}  // namespace gradus
