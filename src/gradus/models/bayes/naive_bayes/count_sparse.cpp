// Counting sparse rows: one task per class, which owns its sums.
//
// A table of classes x words is too large to have one per thread; sorted by class, every row adds
// to one row of the table only, so classes are counted in parallel without sharing and without
// partial results.
#include <numeric>

#include "gradus/models/bayes/naive_bayes/count.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::bayes_detail {
namespace {

// The rows of each class, in their order.
struct RowsByClass {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> begin;  // classes + 1

  std::span<const std::size_t> of(std::size_t label) const {
    return std::span(rows).subspan(begin[label], begin[label + 1] - begin[label]);
  }
};

RowsByClass sort_rows(const TrainTask& task, std::size_t classes) {
  RowsByClass out;
  std::vector<std::size_t> next(classes + 1, 0);
  for (const std::int32_t label : task.classes) ++next[static_cast<std::size_t>(label) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  out.begin = next;
  out.rows.resize(task.rows());
  for (std::size_t row = 0; row < task.rows(); ++row) {
    out.rows[next[static_cast<std::size_t>(task.classes[row])]++] = row;
  }
  return out;
}

class ClassCounter {
 public:
  ClassCounter(const NaiveBayesModel& shape, const TrainTask& task, std::size_t label,
               NaiveBayesCounts& total)
      : shape_(shape),
        task_(task),
        matrix_(*task.features.sparse()),
        features_(shape.feature_count()),
        label_(label),
        total_(total) {}

  void count(std::span<const std::size_t> rows) {
    double weight = 0;
    for (const std::size_t row : rows) weight += task_.weight(row);
    total_.classes[label_] = weight;
    switch (shape_.numeric) {
      case NumericEvent::multinomial: return count_events(rows);
      case NumericEvent::bernoulli: return count_presences(rows);
      case NumericEvent::gaussian: return add_moments(rows);
    }
  }

 private:
  // Runs `body(row, feature, value, weight)` over the stored numbers of rows that weigh something.
  template <class Body>
  void for_each_stored(std::span<const std::size_t> rows, Body&& body) const {
    for (const std::size_t row : rows) {
      const double weight = task_.weight(row);
      if (weight == 0) continue;
      const auto index = matrix_.row_index(row);
      const auto value = matrix_.row_value(row);
      for (std::size_t k = 0; k < index.size(); ++k) body(row, index[k], value[k], weight);
    }
  }

  void count_events(std::span<const std::size_t> rows) {
    double* events = total_.events.data() + label_ * features_;
    for_each_stored(rows, [&](std::size_t row, std::size_t feature, double x, double weight) {
      if (x < 0) refuse_negative(task_, row, feature, x);
      if (x > 0) events[feature] += weight * x;
    });
  }

  void count_presences(std::span<const std::size_t> rows) {
    std::vector<double> stored(features_, 0.0);
    const auto cell = [&](std::size_t feature, std::size_t level) -> double& {
      return total_.levels[(2 * feature + level) * shape_.class_count() + label_];
    };
    for_each_stored(rows, [&](std::size_t, std::size_t feature, double x, double weight) {
      stored[feature] += weight;
      std::size_t level = 0;
      if (shape_.find_level(feature, x, level)) cell(feature, level) += weight;
    });
    const std::size_t zero = 0 > shape_.binarize ? 1 : 0;
    for (std::size_t feature = 0; feature < features_; ++feature) {
      cell(feature, zero) += total_.classes[label_] - stored[feature];
    }
  }

  // The stored numbers and the zeros between them are two groups of each column.
  void add_moments(std::span<const std::size_t> rows) {
    const std::size_t at = label_ * features_;
    std::vector<double> stored(features_, 0.0);
    std::vector<double> origin(features_, 0.0);
    double* weights = total_.weight.data() + at;
    double* sum = total_.mean.data() + at;
    double* square = total_.squares.data() + at;
    for_each_stored(rows, [&](std::size_t, std::size_t feature, double x, double weight) {
      stored[feature] += weight;
      if (x != x) return;
      if (weights[feature] == 0) origin[feature] = x;
      const double d = x - origin[feature];
      weights[feature] += weight;
      sum[feature] += weight * d;
      square[feature] += weight * d * d;
    });
    for (std::size_t feature = 0; feature < features_; ++feature) {
      const Moments zeros{total_.classes[label_] - stored[feature], 0, 0};
      const Moments both = merged(
          zeros, from_shifted(weights[feature], origin[feature], sum[feature], square[feature]));
      weights[feature] = both.weight;
      sum[feature] = both.mean;
      square[feature] = both.squares;
    }
  }

  const NaiveBayesModel& shape_;
  const TrainTask& task_;
  const CsrMatrix& matrix_;
  std::size_t features_;
  std::size_t label_;
  NaiveBayesCounts& total_;
};

}  // namespace

NaiveBayesCounts count_sparse(const NaiveBayesModel& shape, const TrainTask& task,
                              const Context& context) {
  NaiveBayesCounts total = no_counts(shape);
  const RowsByClass sorted = sort_rows(task, shape.class_count());
  parallel::for_each_index(context, shape.class_count(), [&](std::size_t label) {
    ClassCounter(shape, task, label, total).count(sorted.of(label));
  });
  return total;
}

}  // namespace gradus::bayes_detail
