#include "gradus/blocks/linear/saga.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/blocks/loss/loss.hpp"

namespace gradus {
namespace {

double one_by_one(double w, double gradient, int steps, const LaggedStep& how) {
  for (int i = 0; i < steps; ++i) {
    w = soft_threshold(w - how.step * gradient, how.step * how.l1) / (1 + how.step * how.l2);
  }
  return w;
}

TEST(Saga, the_debt_of_a_column_is_paid_as_if_it_had_been_paid_at_once) {
  for (const double l2 : {0.0, 0.2}) {
    for (const double l1 : {0.0, 0.3}) {
      for (const double gradient : {-0.9, -0.3, 0.0, 0.1, 0.3, 2.0}) {
        for (const double w : {-1.7, 0.0, 0.02, 1.0}) {
          for (const int steps : {1, 2, 3, 17, 400}) {
            const LaggedStep how{0.05, l1, l2};
            EXPECT_NEAR(lagged(w, gradient, static_cast<std::uint64_t>(steps), how),
                        one_by_one(w, gradient, steps, how), 1e-12)
                << l2 << " " << l1 << " " << gradient << " " << w << " " << steps;
          }
        }
      }
    }
  }
}

// 40 rows of 5 columns, two thirds of them 0.
struct Rows {
  std::vector<std::vector<double>> value;
  std::vector<std::vector<std::uint32_t>> index;
  std::vector<double> dense;
  std::vector<double> targets;
  std::vector<double> weights;

  explicit Rows(std::size_t classes) {
    for (std::size_t i = 0; i < 40; ++i) {
      Stream stream(5, i);
      value.emplace_back();
      index.emplace_back();
      for (std::uint32_t j = 0; j < 5; ++j) {
        const double x = stream.below(3) == 0 ? stream.normal() : 0;
        dense.push_back(x);
        if (x == 0) continue;
        value.back().push_back(x);
        index.back().push_back(j);
      }
      targets.push_back(static_cast<double>(stream.below(classes)));
      weights.push_back(static_cast<double>(stream.below(3)));
    }
  }

  SagaProblem problem(std::size_t classes, PenaltyStrength strength, bool sparse) const {
    SagaProblem out{.rows = 40, .features = 5, .outputs = classes == 2 ? 1 : classes};
    out.targets = targets;
    out.weights = weights;
    out.penalty = Penalty::uniform(5, strength);
    out.row = [this, sparse](std::size_t i, std::vector<double>&) -> SagaRow {
      if (!sparse) return {nullptr, dense.data() + i * 5, 5};
      return {index[i].data(), value[i].data(), value[i].size()};
    };
    return out;
  }

  // The gradient of the mean loss.
  std::vector<double> gradient(std::span<const double> w, std::size_t outputs) const {
    std::vector<double> out(w.size(), 0.0);
    double total = 0;
    for (const double v : weights) total += v;
    for (std::size_t i = 0; i < 40; ++i) {
      std::vector<double> z(w.end() - static_cast<std::ptrdiff_t>(outputs), w.end());
      for (std::size_t at = 0; at < 5 * outputs; ++at) {
        z[at % outputs] += w[at] * dense[i * 5 + at / outputs];
      }
      if (outputs == 1) {
        z[0] = loss_at({LossKind::logistic, 1}, z[0], targets[i]).slope;
      } else {
        softmax_rows(z.data(), 1, outputs);
        z[static_cast<std::size_t>(targets[i])] -= 1;
      }
      for (std::size_t at = 0; at < w.size(); ++at) {
        const double x = at / outputs < 5 ? dense[i * 5 + at / outputs] : 1;
        out[at] += weights[i] * z[at % outputs] * x / total;
      }
    }
    return out;
  }
};

TEST(Saga, satisfies_the_conditions_of_a_minimum_dense_and_sparse) {
  for (const std::size_t classes : {2U, 3U}) {
    const Rows rows(classes);
    const std::size_t outputs = classes == 2 ? 1 : classes;
    for (const PenaltyStrength strength :
         {PenaltyStrength{0, 0.1}, PenaltyStrength{0.02, 0}, PenaltyStrength{0.02, 0.05}}) {
      for (const bool sparse : {false, true}) {
        const SagaSolution found =
            minimise_saga(rows.problem(classes, strength, sparse),
                          std::vector<double>(6 * outputs, 0.0), {.max_iter = 5000, .tol = 1e-10});
        ASSERT_TRUE(found.converged);
        const std::vector<double> g = rows.gradient(found.w, outputs);
        for (std::size_t at = 0; at < found.w.size(); ++at) {
          const bool penalised = at < 5 * outputs;
          const double w = found.w[at];
          const double slope = g[at] + (penalised ? strength.l2 * w : 0);
          const double edge = penalised ? strength.l1 : 0;
          if (w == 0) {
            EXPECT_LE(std::abs(slope), edge + 1e-8);
          } else {
            EXPECT_NEAR(slope, -std::copysign(edge, w), 1e-8) << at;
          }
        }
      }
    }
  }
}

TEST(Saga, tells_every_pass_and_stops_at_the_limit) {
  const Rows rows(2);
  int seen = 0;
  SagaOptions options{.max_iter = 3, .tol = 0};
  options.observe = [&](int pass, std::span<const double> w) {
    EXPECT_EQ(pass, ++seen);
    EXPECT_EQ(w.size(), 6U);
  };
  const SagaSolution found =
      minimise_saga(rows.problem(2, {0.1, 0}, true), std::vector<double>(6, 0.0), options);
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(found.passes, 3);
  EXPECT_FALSE(found.converged);
}

}  // namespace
}  // namespace gradus
