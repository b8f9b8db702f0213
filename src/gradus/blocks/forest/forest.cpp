#include "gradus/blocks/forest/forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gradus/blocks/forest/forest_story.hpp"
#include "gradus/blocks/forest/purposes.hpp"
#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/blocks/splitter/drawn_grow.hpp"
#include "gradus/blocks/splitter/leaves_of_rows.hpp"
#include "gradus/blocks/splitter/target_scale.hpp"
#include "gradus/blocks/tree/leaf_classes.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/core/text.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

void reserve_nodes(Trees& trees, std::size_t nodes) {
  trees.feature.reserve(nodes);
  trees.left.reserve(nodes);
  trees.threshold.reserve(nodes);
  trees.missing_left.reserve(nodes);
  trees.set.reserve(nodes);
  trees.cover.reserve(nodes);
}

// Fresh memory is cleared by the system: several threads wait for that where one would.
void take_together(const Context& context, void* memory, std::size_t bytes) {
  constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
  parallel::for_each_block(context, bytes, kBlockBytes, [&](parallel::Block block) {
    take_pages(static_cast<char*>(memory) + block.begin, block.size());
  });
}

}  // namespace

std::size_t columns_per_node(ColumnsTried wanted, Task task, std::size_t columns) {
  const auto d = static_cast<double>(columns);
  const auto at_least_one = [](double count) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(count));
  };
  if (const auto number = wanted.number()) return at_least_one(*number < 1 ? *number * d : *number);
  switch (*wanted.choice()) {
    case MaxFeatures::automatic:
      return task == Task::classify ? at_least_one(std::sqrt(d)) : columns;
    case MaxFeatures::sqrt: return at_least_one(std::sqrt(d));
    case MaxFeatures::log2: return at_least_one(std::log2(d));
    case MaxFeatures::third: return std::max<std::size_t>(1, columns / 3);
    case MaxFeatures::all: break;
  }
  return columns;
}

void check_columns_tried(ColumnsTried wanted, std::size_t columns) {
  const double number = wanted.number().value_or(0);
  if (number < 1) return;
  const auto refuse = [&](std::string_view rule) {
    throw Error(ErrorKind::usage, "--max_features",
                fmt::format("max_features must be {} (got {})", rule, shortest(number)),
                "below 1 it is a share of the columns; all tries every one");
  };
  if (number != std::floor(number)) refuse("a whole number of columns");
  if (number > static_cast<double>(columns)) {
    refuse(fmt::format("at most {}, the number of columns", columns));
  }
}

ForestGrower::ForestGrower(const ForestPlan& plan, const TrainTask& task, const Context& context)
    : ForestGrower(plan, task,
                   RankedTable(task.features, task.signature, context,
                               {.most = plan.params.max_bins, .weights = task.weights}),
                   context) {}

ForestGrower::ForestGrower(const ForestPlan& plan, const TrainTask& task, RankedTable table,
                           const Context& context)
    : plan_(plan),
      task_(task),
      context_(context),
      table_(std::move(table)),
      weights_(row_weights(task, plan.params.class_weight)) {
  for (std::size_t row = 0; row < task.rows(); ++row) {
    if (weights_[row] > 0) rows_.push_back(static_cast<std::uint32_t>(row));
  }
  if (plan_.bootstrap) order_by_content();
  if (plan_.thresholds == Thresholds::random) table_.keep_numbers_by_row(context);
  table_.keep_ranks_by_row(context);
}

// Rows are drawn from an order that their contents alone decide, each with its weight as its share
// of the draw. So the order of the table does not matter, and a whole weight is a row written that
// often.
void ForestGrower::order_by_content() {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t j = 0; j < table_.cols(); ++j) {
      const std::vector<std::uint32_t>& rank = table_.column(j).rank;
      if (rank[a] != rank[b]) return rank[a] < rank[b];
    }
    if (task_.signature.task == Task::classify) return task_.classes[a] < task_.classes[b];
    return task_.numbers[a] < task_.numbers[b];
  };
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

std::uint32_t ForestGrower::draw(Stream& stream) const {
  const double at =
      whole_ ? static_cast<double>(stream.below(static_cast<std::uint64_t>(reached_.back())))
             : stream.uniform() * reached_.back();
  const auto found = std::upper_bound(reached_.begin(), reached_.end(), at);
  const auto place = static_cast<std::size_t>(found - reached_.begin());
  return rows_[std::min(place, rows_.size() - 1)];
}

std::vector<double> ForestGrower::draws(std::size_t tree) const {
  std::vector<double> times(weights_.size(), 0.0);
  if (!plan_.bootstrap) {
    for (const std::uint32_t row : rows_) times[row] = 1;
    return times;
  }
  Stream stream(plan_.params.random_state, tree, forest_purpose::kRows);
  const double size = whole_ ? reached_.back() : static_cast<double>(rows_.size());
  const auto count = std::max(1LL, std::llround(plan_.params.max_samples * size));
  if (whole_ && reached_.back() == static_cast<double>(rows_.size())) {
    for (long long i = 0; i < count; ++i) times[rows_[stream.below(rows_.size())]] += 1;
    return times;
  }
  for (long long i = 0; i < count; ++i) times[draw(stream)] += 1;
  return times;
}

ExactOptions ForestGrower::options(std::size_t tree, TreeCriterion criterion,
                                   std::span<const double> weights) const {
  const ForestParams& params = plan_.params;
  ExactOptions options;
  options.criterion = criterion;
  if (params.max_depth) options.max_depth = static_cast<std::size_t>(*params.max_depth);
  if (params.max_leaf_nodes) {
    options.max_leaves = static_cast<std::size_t>(*params.max_leaf_nodes);
  }
  options.min_samples_split = static_cast<std::size_t>(params.min_samples_split);
  options.min_samples_leaf = static_cast<std::size_t>(params.min_samples_leaf);
  options.min_impurity_decrease = params.min_impurity_decrease;
  options.max_features = columns_per_node(params.max_features, task_.signature.task, table_.cols());
  options.thresholds = plan_.thresholds;
  options.stream = Stream(params.random_state, tree, forest_purpose::kColumns);
  options.min_weight_leaf =
      params.min_weight_fraction_leaf * std::accumulate(weights.begin(), weights.end(), 0.0);
  return options;
}

std::vector<double> ForestGrower::weights_in(std::size_t tree, LeftOut& left) const {
  std::vector<double> weights = draws(tree);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!(weights_[row] > 0)) continue;  // no tree has it
    if (weights[row] == 0) {
      left.rows.push_back(static_cast<std::uint32_t>(row));
      continue;
    }
    // The weight of a row has decided its draw; what is left is that of its class.
    weights[row] *= weights_[row] / (plan_.bootstrap ? task_.weight(row) : 1);
  }
  return weights;
}

ExactTree ForestGrower::watch(std::size_t tree, TreeCriterion criterion,
                              const std::function<void(const NodeEvent&)>& observe) const {
  LeftOut left;
  const std::vector<double> weights = weights_in(tree, left);
  ExactOptions choices = options(tree, criterion, weights);
  choices.observe = observe;
  const ExactData data{table_, task_.classes, task_.numbers, task_.signature.classes.size()};
  return ExactGrower(data, context_).grow(weights, choices);
}

ForestGrower::Grown ForestGrower::grow_tree(std::size_t tree, TreeCriterion criterion) const {
  context_.stop_if_cancelled();
  Grown out;
  const std::vector<double> weights = weights_in(tree, out.left_out);
  const ExactData data{table_, task_.classes, task_.numbers, task_.signature.classes.size()};
  const ExactOptions choices = options(tree, criterion, weights);
  const bool tested = plan_.params.oob_score && plan_.bootstrap;
  const auto require_all_trees = [&](const Trees& one) {
    context_.require_memory(static_cast<std::size_t>(plan_.n_estimators) * one.bytes(),
                            fmt::format("a forest of {} such trees", plan_.n_estimators));
  };
  if (!drawn_tree_pays(data, context_, choices) && suits_class_tree(data, weights, choices)) {
    ClassTree grown = grow_class_tree(data, context_, weights, choices);
    if (tested) route_left_out(grown, out.left_out);
    out.tree = std::move(grown.tree);
    require_all_trees(out.tree.trees);
    return out;
  }
  out.tree = ExactGrower(data, context_).grow(weights, choices);
  if (data.classes > 0) keep_counts(out.tree.trees, out.tree.weight);
  require_all_trees(out.tree.trees);
  if (tested) {
    out.left_out.leaf = leaves_of_rows(out.tree.trees, 0, table_, {.rows = out.left_out.rows});
  }
  return out;
}

// While the tree is near: when all are grown, each of its leaves costs a line of memory.
void ForestGrower::route_left_out(const ClassTree& grown, LeftOut& left) const {
  const Trees& tree = grown.tree.trees;
  left.leaf = grown.last_left.empty() ? leaves_of_rows(tree, 0, table_, {.rows = left.rows})
                                      : leaves_by_rank(tree, grown.last_left, table_, left.rows);
  left.only_class.reserve(left.leaf.size());
  for (const std::int32_t leaf : left.leaf) {
    const auto node = static_cast<std::size_t>(leaf);
    left.only_class.push_back(std::max(-1, tree.leaf_class[node]));
  }
}

ForestModel ForestGrower::grow() {
  ForestModel model;
  model.criterion = resolved_criterion(plan_.params.criterion, task_.signature.task);
  std::vector<Grown> grown = parallel::map_units<Grown>(
      context_, "tree", static_cast<std::size_t>(plan_.n_estimators),
      [&](std::size_t tree) { return grow_tree(tree, model.criterion); });
  const std::size_t count = grown.size();
  model.importances.assign(task_.features.cols(), 0.0);
  for (const Grown& one : grown) {
    for (std::size_t j = 0; j < model.importances.size(); ++j) {
      model.importances[j] += one.tree.importances[j] / static_cast<double>(count);
    }
  }
  join(grown, model.trees);
  left_out_.clear();
  for (std::size_t tree = 0; tree < count; ++tree) {
    LeftOut& left = left_out_.emplace_back(std::move(grown[tree].left_out));
    for (std::int32_t& leaf : left.leaf) leaf += model.trees.roots[tree];
  }
  if (plan_.bootstrap && plan_.params.oob_score) measure_out_of_bag(model);
  return model;
}

// One tree behind the other. Where nodes have values, these are most of a forest: their place is
// taken once, when its size is known, and several threads write there.
void ForestGrower::join(std::vector<Grown>& grown, Trees& trees) const {
  const bool counts = std::all_of(grown.begin(), grown.end(),
                                  [](const Grown& one) { return one.tree.trees.keeps_counts(); });
  std::size_t nodes = 0;
  std::size_t kept_counts = 0;
  for (Grown& one : grown) {
    if (!counts && one.tree.trees.keeps_counts()) write_shares(one.tree.trees, one.tree.weight);
    nodes += one.tree.trees.nodes();
    kept_counts += one.tree.trees.leaf_counts.size();
  }
  trees.width = grown.front().tree.trees.width;
  const auto width = static_cast<std::size_t>(trees.width);
  reserve_nodes(trees, nodes);
  if (counts) {
    trees.leaf_class.reserve(nodes);
    trees.leaf_counts.reserve(kept_counts);
  }
  std::vector<std::vector<double>> values(grown.size());
  for (std::size_t i = 0; i < grown.size(); ++i) {
    ExactTree tree = std::exchange(grown[i].tree, {});
    values[i] = std::exchange(tree.trees.value, {});
    tree.trees.cover = std::move(tree.weight);
    trees.append(tree.trees);
  }
  if (counts) return;
  context_.require_memory(nodes * width * sizeof(double), "the values of all nodes");
  trees.value.reserve(nodes * width);
  take_together(context_, trees.value.data(), nodes * width * sizeof(double));
  trees.value.resize(nodes * width);
  parallel::for_each_index(context_, grown.size(), [&](std::size_t i) {
    std::copy(values[i].begin(), values[i].end(), trees.value.data() + trees.root(i) * width);
    values[i] = {};
  });
}

namespace {

// In the user's units. Out-of-bag errors are squares, whatever the criterion; -1 is no error.
void restore(ForestModel& model, const TargetUnits& units) {
  if (!units.changed()) return;
  for (double& x : model.trees.value) x = units.answer(x);
  for (double& x : model.importances) x = units.of_impurity(x);
  if (model.oob_error) model.oob_error = units.of_square(*model.oob_error);
  for (double& x : model.oob_curve) x = x < 0 ? x : units.of_square(x);
  for (double& x : model.findings.permutation) x = units.of_square(x);
  for (double& x : model.findings.permutation_deviation) x = units.of_square(x);
}

}  // namespace

ForestModel fit_forest(const ForestPlan& plan, const ForestAnalysis& analysis,
                       const TrainTask& task, const Context& context) {
  const ScaledTarget target(task, resolved_criterion(plan.params.criterion, task.signature.task),
                            row_weights(task, plan.params.class_weight));
  const TargetUnits& units = target.units();
  target.check_sum_of(static_cast<std::size_t>(plan.n_estimators), task.signature);
  const TrainTask own_task{task.features, task.signature, task.classes, target.numbers(),
                           task.weights};
  ForestPlan own_plan = plan;
  own_plan.params.min_impurity_decrease = units.own_limit(plan.params.min_impurity_decrease);
  ForestGrower grower(own_plan, own_task, context);
  ForestModel model = grower.grow();
  analyse(grower, analysis, model);
  restore(model, units);
  if (context.trace != nullptr) tell_forest(grower, units, model, *context.trace);
  return model;
}

}  // namespace gradus
