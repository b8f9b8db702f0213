// Trees side by side, each from its own stream of random numbers: tree t is the same whatever
// thread grows it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/blocks/splitter/exact_grow.hpp"
#include "gradus/blocks/tree/class_weight.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/ensemble/random_forest/explain.hpp"
#include "gradus/models/ensemble/random_forest/model.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// What the random streams of one seed are for.
enum Purpose : std::uint32_t { kRows = 1, kColumns = 2 };

constexpr std::size_t kOobBlock = 512;

std::size_t columns_per_node(MaxFeatures choice, Task task, std::size_t columns) {
  const auto d = static_cast<double>(columns);
  switch (choice) {
    case MaxFeatures::automatic:
      return task == Task::classify ? columns_per_node(MaxFeatures::sqrt, task, columns) : columns;
    case MaxFeatures::sqrt: return std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(d)));
    case MaxFeatures::log2: return std::max<std::size_t>(1, static_cast<std::size_t>(std::log2(d)));
    case MaxFeatures::third: return std::max<std::size_t>(1, columns / 3);
    case MaxFeatures::all: break;
  }
  return columns;
}

class Forest {
 public:
  Forest(const RandomForest& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        table_(task.features, task.signature, context),
        weights_(row_weights(task,
                             learner.balance_classes ? ClassWeight::balanced : ClassWeight::none)) {
    for (std::size_t row = 0; row < task.rows(); ++row) {
      if (task.weight(row) > 0) rows_.push_back(static_cast<std::uint32_t>(row));
    }
    order_by_content();
  }

  RandomForestModel run() {
    const auto count = static_cast<std::size_t>(learner_.n_estimators);
    RandomForestModel model;
    model.criterion = resolved_criterion(learner_.criterion, task_.signature.task);
    std::vector<ExactTree> grown = parallel::map_slots<ExactTree>(
        context_, count, [&](std::size_t tree) { return grow(tree, model.criterion); });
    model.importances.assign(task_.features.cols(), 0.0);
    model.trees.width = grown.front().trees.width;
    for (ExactTree& tree : grown) {
      tree.trees.cover = std::move(tree.weight);
      model.trees.append(tree.trees);
      for (std::size_t j = 0; j < model.importances.size(); ++j) {
        model.importances[j] += tree.importances[j] / static_cast<double>(count);
      }
      tree = {};
    }
    if (learner_.bootstrap && learner_.oob_score) measure_out_of_bag(model);
    if (context_.trace != nullptr) tell(model);
    return model;
  }

 private:
  // Rows are drawn from an order that their contents alone decide, each with its weight as its
  // share of the draw. So the order of the table does not matter, and a whole weight is a row
  // written that often.
  void order_by_content() {
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
      for (std::size_t j = 0; j < table_.cols(); ++j) {
        const std::vector<std::uint32_t>& rank = table_.column(j).rank;
        if (rank[a] != rank[b]) return rank[a] < rank[b];
      }
      if (task_.signature.task == Task::classify) return task_.classes[a] < task_.classes[b];
      return task_.numbers[a] < task_.numbers[b];
    };
    if (!learner_.bootstrap) return;
    std::stable_sort(rows_.begin(), rows_.end(), before);
    double total = 0;
    for (const std::uint32_t row : rows_) {
      const double w = task_.weight(row);
      whole_ = whole_ && w == std::floor(w);
      total += w;
      reached_.push_back(total);
    }
    whole_ = whole_ && total < 9e15;
  }

  std::uint32_t draw(Stream& stream) const {
    if (whole_ && reached_.back() == static_cast<double>(rows_.size())) {
      return rows_[stream.below(rows_.size())];
    }
    const double at =
        whole_ ? static_cast<double>(stream.below(static_cast<std::uint64_t>(reached_.back())))
               : stream.uniform() * reached_.back();
    const auto found = std::upper_bound(reached_.begin(), reached_.end(), at);
    const auto place = static_cast<std::size_t>(found - reached_.begin());
    return rows_[std::min(place, rows_.size() - 1)];
  }

  // How often tree `tree` drew each row.
  std::vector<double> draws(std::size_t tree) const {
    std::vector<double> times(weights_.size(), 0.0);
    if (!learner_.bootstrap) {
      for (const std::uint32_t row : rows_) times[row] = 1;
      return times;
    }
    Stream stream(learner_.random_state, tree, kRows);
    const double size = whole_ ? reached_.back() : static_cast<double>(rows_.size());
    const auto count = std::max(1LL, std::llround(learner_.max_samples * size));
    for (long long i = 0; i < count; ++i) times[draw(stream)] += 1;
    return times;
  }

  ExactTree grow(std::size_t tree, TreeCriterion criterion) const {
    context_.stop_if_cancelled();
    ExactOptions options;
    options.criterion = criterion;
    if (learner_.max_depth) options.max_depth = static_cast<std::size_t>(*learner_.max_depth);
    if (learner_.max_leaf_nodes) {
      options.max_leaves = static_cast<std::size_t>(*learner_.max_leaf_nodes);
    }
    options.min_samples_split = static_cast<std::size_t>(learner_.min_samples_split);
    options.min_samples_leaf = static_cast<std::size_t>(learner_.min_samples_leaf);
    options.min_impurity_decrease = learner_.min_impurity_decrease;
    options.max_features =
        columns_per_node(learner_.max_features, task_.signature.task, table_.cols());
    options.stream = Stream(learner_.random_state, tree, kColumns);
    std::vector<double> weights = draws(tree);
    for (const std::uint32_t row : rows_) {
      // The weight of a row has decided its draw; what is left is that of its class.
      weights[row] *= weights_[row] / (learner_.bootstrap ? task_.weight(row) : 1);
    }
    const ExactGrower grower({table_, task_.classes, task_.numbers, task_.signature.classes.size()},
                             context_);
    return grower.grow(weights, options);
  }

  struct OutOfBag {
    double loss = 0;
    double weight = 0;
    std::int64_t rows = 0;
  };

  // Every row is answered by the trees that did not draw it.
  void measure_out_of_bag(RandomForestModel& model) const {
    const std::vector<std::vector<bool>> drawn = parallel::map_slots<std::vector<bool>>(
        context_, model.trees.count(), [&](std::size_t tree) {
          const std::vector<double> times = draws(tree);
          std::vector<bool> out(times.size());
          for (std::size_t row = 0; row < times.size(); ++row) out[row] = times[row] > 0;
          return out;
        });
    const OutOfBag sums = parallel::reduce_ordered<OutOfBag>(
        context_, weights_.size(), kOobBlock,
        [&](parallel::Block block) { return out_of_bag_of(model, drawn, block); },
        [](OutOfBag& total, const OutOfBag& part) {
          total.loss += part.loss;
          total.weight += part.weight;
          total.rows += part.rows;
        });
    model.oob_rows = sums.rows;
    // A forest of a few trees may leave no row out.
    if (sums.weight > 0 && std::isfinite(sums.loss)) model.oob_error = sums.loss / sums.weight;
  }

  OutOfBag out_of_bag_of(const RandomForestModel& model,
                         const std::vector<std::vector<bool>>& drawn, parallel::Block block) const {
    OutOfBag out;
    std::vector<double> scratch;
    const RowBlock rows = task_.features.block(block.begin, block.end, scratch);
    std::vector<double> votes(static_cast<std::size_t>(model.trees.width));
    for (std::size_t row = block.begin; row < block.end; ++row) {
      if (!(weights_[row] > 0)) continue;
      std::fill(votes.begin(), votes.end(), 0.0);
      std::size_t voters = 0;
      for (std::size_t tree = 0; tree < drawn.size(); ++tree) {
        if (drawn[tree][row]) continue;
        ++voters;
        const std::size_t leaf = model.trees.leaf_of(tree, rows.row(row - block.begin));
        const std::span<const double> value = model.trees.value_of(leaf);
        for (std::size_t k = 0; k < votes.size(); ++k) votes[k] += value[k];
      }
      if (voters == 0) continue;
      const double w = task_.weight(row);
      out.weight += w;
      ++out.rows;
      if (task_.signature.task == Task::classify) {
        const auto said = std::max_element(votes.begin(), votes.end()) - votes.begin();
        out.loss += said == task_.classes[row] ? 0 : w;
      } else {
        const double error = votes[0] / static_cast<double>(voters) - task_.numbers[row];
        out.loss += w * error * error;
      }
    }
    return out;
  }

  void tell(const RandomForestModel& model) const {
    const ForestStory story(model, task_.signature, *context_.trace);
    for (std::size_t tree = 0; tree < model.trees.count() && story.wants(tree); ++tree) {
      story.tree(tree, draws(tree));
    }
    story.finish();
  }

  const RandomForest& learner_;
  const TrainTask& task_;
  const Context& context_;
  RankedTable table_;
  std::vector<double> weights_;
  std::vector<std::uint32_t> rows_;  // with weight; for a bootstrap in the order of their contents
  std::vector<double> reached_;      // the sum of the weights up to each of them
  bool whole_ = true;                // all weights are whole numbers
};

}  // namespace

void RandomForest::check(const TrainTask& task) const { check_criterion(criterion, task); }

RandomForestModel RandomForest::fit(const TrainTask& task, const Context& context) const {
  return Forest(*this, task, context).run();
}

}  // namespace gradus
