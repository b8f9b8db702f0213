// One pass over the rows: everything that naive Bayes learns is a sum.
#pragma once

#include "gradus/models/bayes/naive_bayes/model.hpp"

namespace gradus {

// The sums of all rows. `shape` says which feature is counted how; only its classes, levels and
// event model are read. Error{bad_data} for a negative event count.
NaiveBayesCounts count_rows(const NaiveBayesModel& shape, const TrainTask& task,
                            const Context& context);

// The sums of two sets of rows together.
void add_counts(NaiveBayesCounts& total, const NaiveBayesCounts& part);

// Zero counts in the size that the shape needs.
NaiveBayesCounts no_counts(const NaiveBayesModel& shape);

// Mean and squared deviations of a group of numbers, to be merged with another group.
struct Moments {
  double weight = 0;
  double mean = 0;
  double squares = 0;
};

// Exact for groups of any size and position (Chan, Golub, LeVeque: "Updating formulae and a
// pairwise algorithm for computing sample variances", 1979): no large sums are subtracted.
Moments merged(const Moments& a, const Moments& b);

// The sums of one pass with an origin inside the data: Σw, Σw(x − origin) and Σw(x − origin)².
// With an origin that is one of n values, (mean − origin)² ≤ n·variance, so that subtracting costs
// no more than a factor n in the rounding error, wherever the data lie.
Moments from_shifted(double weight, double origin, double sum, double square);

namespace bayes_detail {
NaiveBayesCounts count_sparse(const NaiveBayesModel& shape, const TrainTask& task,
                              const Context& context);
[[noreturn]] void refuse_negative(const TrainTask& task, std::size_t row, std::size_t feature,
                                  double x);
}  // namespace bayes_detail

}  // namespace gradus
