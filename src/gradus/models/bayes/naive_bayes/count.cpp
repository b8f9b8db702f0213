// Counting dense rows: fixed blocks in parallel, each in strips that fit the cache.
#include "gradus/models/bayes/naive_bayes/count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/core/text.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {

Moments merged(const Moments& a, const Moments& b) {
  if (a.weight == 0) return b;
  if (b.weight == 0) return a;
  const double weight = a.weight + b.weight;
  const double delta = b.mean - a.mean;
  const double share = b.weight / weight;
  return {weight, a.mean + delta * share,
          a.squares + b.squares + delta * delta * (a.weight * share)};
}

Moments from_shifted(double weight, double origin, double sum, double square) {
  if (weight == 0) return {};
  const double step = sum / weight;
  const double squares = square - sum * step;
  return {weight, origin + step, squares < 0 ? 0 : squares};  // NaN, from an overflow, stays NaN
}

NaiveBayesCounts no_counts(const NaiveBayesModel& shape) {
  const std::size_t cells = shape.class_count() * shape.feature_count();
  NaiveBayesCounts out;
  out.classes.resize(shape.class_count(), 0.0);
  out.levels.resize(shape.table_rows() * shape.class_count(), 0.0);
  if (shape.numeric == NumericEvent::gaussian) {
    out.weight.resize(cells, 0.0);
    out.mean.resize(cells, 0.0);
    out.squares.resize(cells, 0.0);
  }
  if (shape.numeric == NumericEvent::multinomial) {
    reserve_large_pages(out.events, cells);
    out.events.resize(cells, 0.0);
  }
  return out;
}

namespace {

void add_all(std::vector<double>& total, const std::vector<double>& part) {
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
}

void add_moments(NaiveBayesCounts& total, std::size_t cell, const Moments& part) {
  const Moments sum = merged({total.weight[cell], total.mean[cell], total.squares[cell]}, part);
  total.weight[cell] = sum.weight;
  total.mean[cell] = sum.mean;
  total.squares[cell] = sum.squares;
}

// Neighbouring numeric features, so that the inner loop runs over contiguous numbers.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Run> numeric_runs(const NaiveBayesModel& shape) {
  std::vector<Run> runs;
  for (std::size_t feature = 0; feature < shape.feature_count(); ++feature) {
    if (shape.tabled(feature)) continue;
    if (runs.empty() || runs.back().end != feature) runs.push_back({feature, feature});
    ++runs.back().end;
  }
  return runs;
}

// A strip of rows of one block.
struct Strip {
  RowBlock rows;
  std::size_t first = 0;  // the row of the table that row 0 of the strip is
};

class BlockCounter {
 public:
  BlockCounter(const NaiveBayesModel& shape, const TrainTask& task, const std::vector<Run>& runs)
      : shape_(shape),
        task_(task),
        runs_(runs),
        features_(shape.feature_count()),
        total_(no_counts(shape)) {
    if (gaussian()) {
      const std::size_t cells = shape.class_count() * features_;
      for (auto* cellwise : {&weight_, &origin_, &sum_, &square_}) cellwise->resize(cells);
    }
    strip_classes_.resize(shape.class_count());
  }

  NaiveBayesCounts count(const parallel::Block& block) {
    // About a megabyte of numbers, and enough rows to pay for merging a table of moments.
    const std::size_t fitting = (std::size_t{1} << 17) / std::max<std::size_t>(1, features_);
    const std::size_t length =
        std::max(std::clamp<std::size_t>(fitting, 64, 4096), 4 * shape_.class_count());
    std::vector<double> scratch;
    for (std::size_t begin = block.begin; begin < block.end; begin += length) {
      const std::size_t end = std::min(block.end, begin + length);
      count_strip({task_.features.block(begin, end, scratch), begin});
    }
    return std::move(total_);
  }

 private:
  bool gaussian() const { return !runs_.empty() && shape_.numeric == NumericEvent::gaussian; }
  std::size_t class_of(const Strip& strip, std::size_t i) const {
    return static_cast<std::size_t>(task_.classes[strip.first + i]);
  }

  void count_strip(const Strip& strip) {
    std::fill(strip_classes_.begin(), strip_classes_.end(), 0.0);
    for (std::size_t i = 0; i < strip.rows.rows; ++i) {
      strip_classes_[class_of(strip, i)] += task_.weight(strip.first + i);
    }
    add_all(total_.classes, strip_classes_);
    if (!total_.levels.empty()) count_levels(strip);
    if (gaussian()) {
      add_strip_moments(strip);
    } else if (!runs_.empty()) {
      add_events(strip);
    }
  }

  void count_levels(const Strip& strip) {
    const std::size_t classes = shape_.class_count();
    for (std::size_t i = 0; i < strip.rows.rows; ++i) {
      const double weight = task_.weight(strip.first + i);
      const double* row = strip.rows.data + i * features_;
      double* table = total_.levels.data() + class_of(strip, i);
      for (std::size_t feature = 0; feature < features_; ++feature) {
        if (!shape_.tabled(feature)) continue;
        std::size_t level = 0;
        if (shape_.find_level(feature, row[feature], level)) table[level * classes] += weight;
        table += shape_.level_count(feature) * classes;
      }
    }
  }

  // Fast and hopeful: every class takes its first row as origin, and nobody looks for NaN. A
  // missing value shows in the sums, and then the strip is counted again with care.
  void add_strip_moments(const Strip& strip) {
    std::fill(sum_.begin(), sum_.end(), 0.0);
    std::fill(square_.begin(), square_.end(), 0.0);
    place_origins(strip);
    for (const Run& run : runs_) {
      const simd::GroupedRows rows{{strip.rows.data + run.begin, strip.rows.rows, features_},
                                   run.end - run.begin,
                                   task_.classes.data() + strip.first,
                                   task_.weights.empty() ? nullptr : &task_.weights[strip.first]};
      simd::add_moments(rows,
                        {&origin_[run.begin], &sum_[run.begin], &square_[run.begin], features_});
    }
    if (std::any_of(sum_.begin(), sum_.end(), [](double x) { return x != x; })) {
      sum_with_care(strip);
    }
    for (std::size_t label = 0; label < shape_.class_count(); ++label) {
      if (strip_classes_[label] > 0) merge_class(label);
    }
  }

  void place_origins(const Strip& strip) {
    std::fill(weight_.begin(), weight_.end(), 0.0);
    std::size_t wanted = shape_.class_count();
    for (const double weight : strip_classes_) wanted -= weight == 0 ? 1 : 0;
    for (std::size_t i = 0; wanted > 0; ++i) {
      const std::size_t label = class_of(strip, i);
      const auto at = static_cast<std::ptrdiff_t>(label * features_);
      if (task_.weight(strip.first + i) == 0 || weight_[label * features_] > 0) continue;
      const double* row = strip.rows.data + i * features_;
      std::copy(row, row + features_, origin_.begin() + at);
      std::fill_n(weight_.begin() + at, features_, strip_classes_[label]);
      --wanted;
    }
  }

  void merge_class(std::size_t label) {
    for (const Run& run : runs_) {
      for (std::size_t feature = run.begin; feature < run.end; ++feature) {
        const std::size_t cell = label * features_ + feature;
        add_moments(total_, cell,
                    from_shifted(weight_[cell], origin_[cell], sum_[cell], square_[cell]));
      }
    }
  }

  void sum_with_care(const Strip& strip) {
    for (auto* cellwise : {&weight_, &sum_, &square_}) {
      std::fill(cellwise->begin(), cellwise->end(), 0.0);
    }
    for (std::size_t i = 0; i < strip.rows.rows; ++i) {
      const double weight = task_.weight(strip.first + i);
      if (weight == 0) continue;
      const double* row = strip.rows.data + i * features_;
      for (std::size_t feature = 0; feature < features_; ++feature) {
        const double x = row[feature];
        if (x != x) continue;
        const std::size_t cell = class_of(strip, i) * features_ + feature;
        if (weight_[cell] == 0) origin_[cell] = x;
        const double d = x - origin_[cell];
        weight_[cell] += weight;
        sum_[cell] += weight * d;
        square_[cell] += weight * d * d;
      }
    }
  }

  void add_events(const Strip& strip) {
    for (std::size_t i = 0; i < strip.rows.rows; ++i) {
      const double weight = task_.weight(strip.first + i);
      const double* row = strip.rows.data + i * features_;
      double* events = total_.events.data() + class_of(strip, i) * features_;
      for (const Run& run : runs_) {
        for (std::size_t feature = run.begin; feature < run.end; ++feature) {
          const double x = row[feature];
          if (x < 0) bayes_detail::refuse_negative(task_, strip.first + i, feature, x);
          if (x > 0) events[feature] += weight * x;
        }
      }
    }
  }

  const NaiveBayesModel& shape_;
  const TrainTask& task_;
  const std::vector<Run>& runs_;
  std::size_t features_;
  NaiveBayesCounts total_;
  std::vector<double> strip_classes_;
  // Of the strip, classes x features.
  std::vector<double> weight_;
  std::vector<double> origin_;
  std::vector<double> sum_;
  std::vector<double> square_;
};

}  // namespace

namespace bayes_detail {

void refuse_negative(const TrainTask& task, std::size_t row, std::size_t feature, double x) {
  throw Error(
      ErrorKind::bad_data, "column " + in_quotes(task.signature.features[feature].name),
      fmt::format("row {}: an event count must be at least 0 (got {})", row + 1, readable(x)),
      "use --numeric_model gaussian for quantities that may be negative");
}

}  // namespace bayes_detail

void add_counts(NaiveBayesCounts& total, const NaiveBayesCounts& part) {
  add_all(total.classes, part.classes);
  add_all(total.levels, part.levels);
  add_all(total.events, part.events);
  for (std::size_t cell = 0; cell < total.weight.size(); ++cell) {
    add_moments(total, cell, {part.weight[cell], part.mean[cell], part.squares[cell]});
  }
}

NaiveBayesCounts count_rows(const NaiveBayesModel& shape, const TrainTask& task,
                            const Context& context) {
  if (task.features.sparse() != nullptr) return bayes_detail::count_sparse(shape, task, context);
  const std::vector<Run> runs = numeric_runs(shape);
  // A block has several rows per class, so that the partial results are smaller than the data.
  const std::size_t smallest = std::max<std::size_t>(4096, 8 * shape.class_count());
  NaiveBayesCounts total = parallel::reduce_ordered<NaiveBayesCounts>(
      context, task.rows(), smallest,
      [&](parallel::Block block) { return BlockCounter(shape, task, runs).count(block); },
      [](NaiveBayesCounts& sum, NaiveBayesCounts&& part) { add_counts(sum, part); });
  return task.rows() == 0 ? no_counts(shape) : total;
}

}  // namespace gradus
