// A logistic regression made ready for its solvers: the rows and what they weigh, the shape of the
// functions, the penalty and the solver; and what a solver gives back.
//
// Solvers work in comfortable units, on the mean loss: f(c) = sum of losses / W + penalty / W.
// There are two ways to the minimum: `solve_dense` reads blocks of rows of numbers, `solve_sparse`
// only what sparse rows store.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gradus/blocks/linear/class_weight.hpp"
#include "gradus/blocks/linear/leads.hpp"
#include "gradus/blocks/linear/objective.hpp"
#include "gradus/blocks/linear/remembered_loss.hpp"
#include "gradus/blocks/linear/saga.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/blocks/solver/minimum.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/logistic_regression/explain.hpp"
#include "gradus/models/linear/logistic_regression/model.hpp"
#include "gradus/models/linear/logistic_regression/params.hpp"

namespace gradus {

struct LogisticProblem {
  // `model` is the one that goes on with these rows; null: there is none.
  LogisticProblem(const LogisticRegression& of, const TrainTask& rows, const Context& how,
                  const LogisticRegressionModel* model = nullptr);

  const LogisticRegression& learner;
  const TrainTask& task;
  const Context& context;
  const LogisticRegressionModel* before;
  std::vector<double> targets;  // class codes
  WeighedClasses weighed;
  double weight_before = 0;  // of the rows of the model before
  linalg::Design design;
  LinearShape shape;
  std::size_t width = 0;  // coefficients of one function
  double weight = 0;      // W
  double lambda = 0;      // 1 / C; 0 without a penalty
  double l1_share = 0;
  LogisticSolver solver = LogisticSolver::automatic;  // the one that is used
  bool by_stored_numbers = false;                     // on sparse rows as they are

  std::size_t size() const { return shape.outputs * width; }
  std::span<const double> weights() const { return weighed.of(task); }
  // The penalty in units of the data, divided by W.
  double l1_strength() const { return lambda * l1_share / weight; }
  double l2_strength() const { return lambda * (1 - l1_share) / weight; }

  bool goes_on() const { return before != nullptr; }
  // Whether the search begins at coefficients that are known, and which: output by output, the
  // intercept last in each.
  bool begins_warm() const { return goes_on() || learner.warm.given(); }
  std::vector<double> start() const;
  FunctionUnits functions(const Units& units) const {
    return {units, shape.outputs, shape.intercept};
  }

  std::string place_of(std::size_t feature) const;
  // Refuses a column whose spread is not a finite number.
  void require_computable(const Units& units) const;
  // A point that puts every row on the right side proves that there is no best one.
  void require_overlap(const Leads& leads) const;
  [[noreturn]] void refuse_divergence() const;

  SolverOptions options() const;  // nobody watches
  SagaOptions saga_options() const;
  // From features x outputs, then the intercepts, to output by output.
  std::vector<double> by_output(std::span<const double> w) const;
};

[[noreturn]] void refuse_separated();

// What row by row descent on the dual found, in the units of the data.
struct LogisticDual {
  std::vector<double> w;  // features x outputs, then the intercepts
  int sweeps = 0;
  bool converged = false;
};
// `observe` hears every sweep.
LogisticDual solve_dual(const LogisticProblem& problem, LogisticStory& story,
                        const std::function<void(int sweep, std::span<const double> w)>& observe);

// Where the solvers ended, output by output, the intercept last in each.
struct LogisticSolution {
  Minimum minimum;
  LogisticSolver solver = LogisticSolver::automatic;  // the one that ended the work
  Units units;
  double mean_loss = 0;    // without the penalty
  linalg::Matrix hessian;  // of f at the minimum, lower triangle; empty when it was not needed
  double loss_before = 0;  // what the remembered rows add to their loss
  RememberedLoss memory;   // of all rows
};

// Up to here the whole Hessian is remembered, beyond its diagonal.
inline constexpr std::size_t kMemorySize = 100;

LogisticSolution solve_dense(const LogisticProblem& problem, LogisticStory& story);
LogisticSolution solve_sparse(const LogisticProblem& problem, LogisticStory& story);

// Keeps what every iteration of a solver says for nothing: the loss.
void note_loss(const Iteration& iteration, LogisticStory& story);
// Keeps an iteration in the units of the data, if somebody still wants to read it.
void remember(const LogisticProblem& problem, const Units& units, const Iteration& iteration,
              LogisticStory& story);

// The state of a stochastic solver as a minimum: `function` is f without its corners `l1`.
struct StochasticEnd {
  int passes = 0;
  bool converged = false;
  bool finite = true;
};
Minimum minimum_at(const SmoothFunction& function, std::span<const double> l1,
                   std::vector<double> at, const StochasticEnd& end);

}  // namespace gradus
