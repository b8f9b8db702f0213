// Samples first, then trees: the rows of all samples are copied in one pass over the table, and
// every tree is grown on its own small block from its own stream of random numbers.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/quantile/quantile.hpp"
#include "gradus/blocks/tree/between.hpp"
#include "gradus/models/ensemble/isolation_forest/explain.hpp"
#include "gradus/models/ensemble/isolation_forest/model.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// What the random streams of one seed are for.
enum Purpose : std::uint32_t { kRows = 1, kCuts = 2 };

constexpr std::size_t kRowBlock = 1024;

// `count` of the numbers below `size`, each at most once, ascending (Floyd 1987).
std::vector<std::uint32_t> distinct_draw(std::size_t count, std::size_t size, Stream& stream) {
  std::vector<bool> taken(size, false);
  for (std::size_t last = size - count; last < size; ++last) {
    const std::size_t at = stream.below(last + 1);
    taken[taken[at] ? last : at] = true;
  }
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < size; ++i) {
    if (taken[i]) out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

// One tree on a block of rows.
class Isolation {
 public:
  Isolation(std::vector<double> numbers, std::size_t cols, Stream stream)
      : numbers_(std::move(numbers)), cols_(cols), stream_(stream) {
    rows_.resize(numbers_.size() / cols_);
    std::iota(rows_.begin(), rows_.end(), 0U);
  }

  Trees grow(std::size_t columns) {
    columns_ = distinct_draw(columns, cols_, stream_);
    // No row needs more cuts than a balanced tree has levels: what is deeper is ordinary.
    const auto size = static_cast<double>(std::max<std::size_t>(2, rows_.size()));
    const auto deepest = static_cast<std::size_t>(std::ceil(std::log2(size)));
    const double expected = expected_cuts(static_cast<std::int64_t>(rows_.size()));
    Trees tree;
    std::vector<Part> waiting = {{tree.begin_tree(), 0, rows_.size(), 0}};
    while (!waiting.empty()) {
      const Part part = waiting.back();
      waiting.pop_back();
      const double depth = static_cast<double>(part.depth);
      tree.value[part.node] =
          depth + expected_cuts(static_cast<std::int64_t>(part.size())) - expected;
      if (part.depth >= deepest || part.size() < 2) continue;
      const std::optional<Question> question = draw_question(part);
      if (!question) continue;
      const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(part.begin);
      const auto last = rows_.begin() + static_cast<std::ptrdiff_t>(part.end);
      const auto middle = std::stable_partition(first, last, [&](std::uint32_t row) {
        return number(row, question->feature) <= question->threshold;
      });
      const auto cut = static_cast<std::size_t>(middle - rows_.begin());
      const std::size_t yes = tree.split(part.node, *question);
      waiting.push_back({yes + 1, cut, part.end, part.depth + 1});
      waiting.push_back({yes, part.begin, cut, part.depth + 1});
    }
    return tree;
  }

 private:
  struct Part {
    std::size_t node = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t depth = 0;
    std::size_t size() const { return end - begin; }
  };

  double number(std::size_t row, std::size_t column) const {
    return numbers_[row * cols_ + column];
  }

  // Columns in random order, the first that is not constant; none when all are.
  std::optional<Question> draw_question(const Part& part) {
    for (std::size_t drawn = 0; drawn < columns_.size(); ++drawn) {
      std::swap(columns_[drawn], columns_[drawn + stream_.below(columns_.size() - drawn)]);
      const std::size_t column = columns_[drawn];
      double low = number(rows_[part.begin], column);
      double high = low;
      for (std::size_t i = part.begin; i < part.end; ++i) {
        low = std::min(low, number(rows_[i], column));
        high = std::max(high, number(rows_[i], column));
      }
      if (low == high) continue;
      return Question{.feature = column, .threshold = between_at(low, high, stream_.uniform())};
    }
    return {};
  }

  std::vector<double> numbers_;
  std::size_t cols_;
  Stream stream_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> columns_;
};

using Samples = std::vector<std::vector<std::uint32_t>>;  // tree: its rows, ascending

Samples draw_samples(const IsolationForest& learner, const TrainTask& task,
                     const Context& context) {
  const std::size_t rows = task.rows();
  const std::size_t count = std::min(static_cast<std::size_t>(learner.max_samples), rows);
  const auto trees = static_cast<std::size_t>(learner.n_estimators);
  return parallel::map_slots<std::vector<std::uint32_t>>(context, trees, [&](std::size_t tree) {
    Stream stream(learner.random_state, tree, kRows);
    if (!learner.bootstrap) return distinct_draw(count, rows, stream);
    std::vector<std::uint32_t> out(count);
    for (std::uint32_t& row : out) row = static_cast<std::uint32_t>(stream.below(rows));
    std::sort(out.begin(), out.end());
    return out;
  });
}

// The rows of every sample, row-major.
std::vector<std::vector<double>> copy_samples(const Samples& samples, const TrainTask& task,
                                              const Context& context) {
  const std::size_t cols = task.features.cols();
  std::vector<std::vector<double>> out(samples.size());
  context.require_memory(samples.size() * samples.front().size() * cols * sizeof(double),
                         "the samples of all trees");
  for (std::size_t tree = 0; tree < samples.size(); ++tree) {
    out[tree].resize(samples[tree].size() * cols);
  }
  parallel::for_each_block(context, task.rows(), kRowBlock, [&](parallel::Block block) {
    std::vector<double> scratch;
    const RowBlock rows = task.features.block(block.begin, block.end, scratch);
    for (std::size_t tree = 0; tree < samples.size(); ++tree) {
      const std::vector<std::uint32_t>& sample = samples[tree];
      auto at = std::lower_bound(sample.begin(), sample.end(), block.begin);
      for (; at != sample.end() && *at < block.end; ++at) {
        const std::span<const double> row = rows.row(*at - block.begin);
        const auto place = static_cast<std::size_t>(at - sample.begin());
        std::copy(row.begin(), row.end(),
                  out[tree].begin() + static_cast<std::ptrdiff_t>(place * cols));
      }
    }
  });
  return out;
}

std::vector<double> training_scores(const IsolationForestModel& model, const TrainTask& task,
                                    const Context& context) {
  std::vector<double> scores(task.rows());
  const CompiledIsolation compiled = model.compiled();
  parallel::for_each_block(context, task.rows(), kRowBlock, [&](parallel::Block block) {
    std::vector<double> scratch;
    std::vector<double> both(2 * block.size());
    compiled.transform(task.features.block(block.begin, block.end, scratch), both.data());
    for (std::size_t i = 0; i < block.size(); ++i) scores[block.begin + i] = both[2 * i];
  });
  return scores;
}

}  // namespace

IsolationForestModel IsolationForest::fit(const TrainTask& task, const Context& context) const {
  const Samples samples = draw_samples(*this, task, context);
  std::vector<std::vector<double>> numbers = copy_samples(samples, task, context);
  const std::size_t cols = task.features.cols();
  const auto columns = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::llround(max_features * static_cast<double>(cols))));
  const std::vector<Trees> grown =
      parallel::map_slots<Trees>(context, samples.size(), [&](std::size_t tree) {
        return Isolation(std::move(numbers[tree]), cols, Stream(random_state, tree, kCuts))
            .grow(columns);
      });
  IsolationForestModel model;
  for (const Trees& tree : grown) model.trees.append(tree);
  model.rows = static_cast<std::int64_t>(samples.front().size());
  if (contamination) {
    std::vector<double> scores = training_scores(model, task, context);
    model.threshold = quantile(scores, 1 - *contamination);
  }
  if (context.trace != nullptr) tell_isolation(model, samples, task.signature, *context.trace);
  return model;
}

}  // namespace gradus
