#include "gradus/blocks/linear/sparse_objective.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/blocks/linear/objective.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

// Rows that are mostly zero, with weights; the same as a dense table.
struct SparseTable {
  CsrMatrix matrix;
  std::vector<double> dense;
  std::vector<double> y;
  std::vector<double> w;

  SparseTable(std::size_t n, std::size_t d, std::size_t classes) {
    CsrArrays arrays;
    arrays.cols = d;
    for (std::size_t i = 0; i < n; ++i) {
      Stream stream(17, i);
      for (std::size_t j = 0; j < d; ++j) {
        const double x = stream.below(3) == 0 ? stream.normal() + static_cast<double>(j) : 0;
        dense.push_back(x);
        if (x == 0) continue;
        arrays.add(static_cast<std::uint32_t>(j), x);
      }
      arrays.end_row();
      y.push_back(static_cast<double>(stream.below(classes)));
      w.push_back(static_cast<double>(stream.below(3)));
    }
    matrix = std::move(arrays);
  }

  linalg::Design design() const {
    linalg::Design out;
    out.rows = y.size();
    out.features = matrix.cols;
    out.outputs = 1;
    out.block = [this](std::size_t begin, std::size_t, std::vector<double>&) {
      return dense.data() + begin * matrix.cols;
    };
    out.targets = y;
    out.weights = w;
    return out;
  }

  SparseProblem problem(std::size_t outputs) const {
    return {.matrix = matrix,
            .targets = y,
            .weights = w,
            .loss = {LossKind::logistic, 1},
            .outputs = outputs,
            .l2 = 0.01};
  }
};

std::vector<double> wave(std::size_t size, double phase) {
  std::vector<double> out(size);
  for (std::size_t j = 0; j < size; ++j) out[j] = std::sin(static_cast<double>(j) + phase);
  return out;
}

void expect_derivatives(SparseObjective& objective) {
  const std::size_t size = objective.size();
  const std::vector<double> c = wave(size, 1);
  const std::vector<double> v = wave(size, 2);
  std::vector<double> gradient(size), above(size), below(size), product(size);
  objective(c, gradient);
  objective.product(v, product);
  constexpr double kStep = 1e-5;
  std::vector<double> forward = c, backward = c;
  for (std::size_t j = 0; j < size; ++j) {
    forward[j] += kStep * v[j];
    backward[j] -= kStep * v[j];
  }
  const double up = objective(forward, above);
  const double down = objective(backward, below);
  double slope = 0;
  for (std::size_t j = 0; j < size; ++j) {
    slope += gradient[j] * v[j];
    EXPECT_NEAR(product[j], (above[j] - below[j]) / (2 * kStep), 1e-7) << j;
  }
  EXPECT_NEAR(slope, (up - down) / (2 * kStep), 1e-8);
}

TEST(SparseObjective, gradient_and_products_are_the_numeric_derivatives) {
  const Context context;
  for (const std::size_t outputs : {1U, 3U, 9U}) {
    const SparseTable table(500, 7, std::max<std::size_t>(2, outputs));
    SparseProblem problem = table.problem(outputs);
    SparseObjective joint(problem, context);
    expect_derivatives(joint);
    problem.kind = Outputs::one_vs_rest;
    problem.intercept_l2 = 0.2;
    SparseObjective separate(problem, context);
    expect_derivatives(separate);
    problem.intercept = false;
    SparseObjective without(problem, context);
    expect_derivatives(without);
  }
}

TEST(SparseObjective, is_the_dense_objective_of_the_same_coefficients) {
  const Context context;
  for (const std::size_t outputs : {1U, 4U}) {
    const SparseTable table(300, 5, std::max<std::size_t>(2, outputs));
    SparseObjective sparse(table.problem(outputs), context);
    const linalg::Design design = table.design();
    const Units units{std::vector<double>(5, 0.0), std::vector<double>(5, 1.0)};
    Penalty penalty = Penalty::uniform(outputs * 6, {.l2 = 0.01});
    for (std::size_t k = 0; k < outputs; ++k) penalty.l2[k * 6 + 5] = 0;
    LinearObjective dense(design, units, {.loss = {LossKind::logistic, 1}, .outputs = outputs},
                          penalty, context);
    const std::vector<double> c = wave(sparse.size(), 0.3);
    linalg::Matrix w;
    std::vector<double> intercept, gradient(c.size());
    sparse.to_data(c, w, intercept);
    std::vector<double> plain;
    for (std::size_t k = 0; k < outputs; ++k) {
      plain.insert(plain.end(), w.row(k).begin(), w.row(k).end());
      plain.push_back(intercept[k]);
    }
    EXPECT_NEAR(sparse(c, gradient), dense(plain, gradient), 1e-12);
    EXPECT_NEAR(sparse.leads().least, dense.leads().least, 1e-10);
    EXPECT_NEAR(sparse.penalty(c), penalty.value(plain), 1e-12);
  }
}

TEST(SparseObjective, gives_the_same_bytes_for_any_number_of_threads) {
  const SparseTable table(3000, 40, 3);
  std::vector<std::vector<double>> seen;
  for (const int threads : {1, 2, 5}) {
    Context context;
    context.threads = threads;
    SparseObjective objective(table.problem(3), context);
    std::vector<double> gradient(objective.size()), product(objective.size());
    objective(wave(objective.size(), 1), gradient);
    objective.product(wave(objective.size(), 2), product);
    gradient.insert(gradient.end(), product.begin(), product.end());
    seen.push_back(gradient);
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

TEST(SparseObjective, a_column_without_spread_takes_no_part) {
  SparseTable table(50, 2, 2);
  table.matrix.cols = 3;  // the third column is nowhere stored
  const Context context;
  SparseObjective objective(table.problem(1), context);
  EXPECT_EQ(objective.units().scale[2], 0);
  std::vector<double> c = {0, 0, 5, 0}, gradient(4);
  objective(c, gradient);
  EXPECT_EQ(gradient[2], 5);  // held at 0 by a penalty of its own
}

TEST(SparseObjective, writes_coefficients_output_by_output) {
  const SparseTable table(20, 2, 2);
  const Context context;
  SparseProblem problem = table.problem(2);
  SparseObjective objective(problem, context);
  EXPECT_EQ(objective.by_output(std::vector<double>{1, 2, 3, 4, 5, 6}),
            (std::vector<double>{1, 3, 5, 2, 4, 6}));
}

}  // namespace
}  // namespace gradus
