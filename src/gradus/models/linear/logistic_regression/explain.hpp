// The steps of a logistic fit: every iteration with its loss, gradient and step, and for small
// tables of two classes the tables of iteratively reweighted least squares.
#pragma once

#include <vector>

#include "gradus/blocks/linear/softmax_dual.hpp"
#include "gradus/models/linear/logistic_regression/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// One iteration in the units of the data: functions x (features, then the intercept).
struct LogisticIteration {
  int number = 0;
  double objective = 0;  // sum of the losses plus penalty
  double step = 0;
  double steepness = 0;          // the largest part of the gradient
  std::vector<double> at;        // empty, as the gradient, when there are too many numbers to show
  std::vector<double> gradient;  // of the objective
};

struct LogisticStory {
  std::vector<LogisticIteration> iterations;
  std::vector<double> losses;            // f at the start and after every iteration
  std::size_t sample_stride = 1;         // above 1: the start came from every so many rows
  double row_step = 0;                   // of saga, in comfortable units; 0: another solver
  std::vector<SoftmaxDualVisit> visits;  // of dual, for small tables
  double gap = 0;                        // that dual ended with, in units of C
  double weight_before = 0;              // of the rows that taught the model before these
  std::vector<double> weights;           // of the rows, class weights included; empty: all 1
};

void explain_fit(const LogisticRegression& learner, const LogisticRegressionModel& model,
                 const TrainTask& task, const LogisticStory& story, Trace& trace);

}  // namespace gradus
