#include "gradus/models/boosting/gradient_boosting/booster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "gradus/blocks/class_weight/class_weight.hpp"
#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/models/boosting/gradient_boosting/constraints.hpp"
#include "gradus/models/boosting/gradient_boosting/purpose.hpp"

namespace gradus {
namespace {

constexpr std::size_t kBlock = 4096;
// Rows whose scores stay near the processor while all leaves add to them.
constexpr std::size_t kScoreBlock = std::size_t{1} << 14U;
constexpr std::size_t kAnsweredTogether = 1024;
// What grows beside a tree takes so much memory at most.
constexpr std::size_t kMostBeside = std::size_t{64} << 20U;

GrowOrder order_of(GrowPolicy policy) {
  switch (policy) {
    case GrowPolicy::symmetric: return GrowOrder::symmetric;
    case GrowPolicy::level_wise: return GrowOrder::by_level;
    default: return GrowOrder::best_first;
  }
}

// Whether the loss is taken after a round.
bool is_told(double after) {
  constexpr std::size_t kEach = 16;  // the first rounds, all of them
  const auto round = static_cast<std::size_t>(after);
  return round < kEach || round % (std::bit_floor(round) / (kEach / 2)) == 0;
}

}  // namespace

Booster::Booster(const BoostingInput& input, std::vector<double> weights,
                 std::vector<double> held_out, const Context& context)
    : learner_(input.learner),
      task_(input.task),
      table_(input.table),
      context_(context),
      rows_(input.task.rows()),
      training_(std::move(weights)),
      held_out_(std::move(held_out)),
      loss_(learner_, task_, training_, context),
      sampler_(learner_, task_, context),
      counted_(rows_) {
  count_copies();
  const std::size_t numbers = rows_ * outputs() * sizeof(double);
  context.require_memory(numbers, "the scores");
  state_.start = loss_.start();
  reserve_large_pages(state_.scores, rows_ * outputs());
  for (const double score : state_.start) {
    state_.scores.insert(state_.scores.end(), rows_, score);
  }
  if (!held_out_.empty()) loss_.hold_out(held_out_);
  if (task_.validation != nullptr) {
    judged_ = row_weights(*task_.validation, learner_.class_weight);
    judge_.emplace(learner_, *task_.validation, judged_, context);
    examine_anew();
  }
  set_options();
  make_lanes();
}

bool Booster::watches() const {
  // A loss of one's own need not have values.
  const bool told = loss_.kind() != BoostingLoss::custom || learner_.custom_loss.values;
  return told && (judge_ || !held_out_.empty());
}

double Booster::held_out_loss(std::span<const double> scores) {
  if (!judge_) return loss_.held_out_loss(scores);
  judge_->judge_as(loss_);
  return judge_->mean_loss(scores);
}

// The scores of the rows of the user after the trees so far.
void Booster::examine_anew() {
  examined_.clear();
  for (const double score : state_.start) {
    examined_.insert(examined_.end(), task_.validation->rows(), score);
  }
  examine(0);
}

void Booster::examine(std::size_t first_tree) {
  if (!judge_) return;
  const Features& features = task_.validation->features;
  const std::size_t rows = features.rows();
  parallel::for_each_block(context_, rows, kAnsweredTogether, [&](parallel::Block block) {
    std::vector<double> scratch;
    std::vector<double> more;
    const RowBlock asked =
        table_.asked_outside(features.block(block.begin, block.end, scratch), more);
    for (std::size_t tree = first_tree; tree < state_.trees.count(); ++tree) {
      double* scores = examined_.data() + tree % outputs() * rows + block.begin;
      for (std::size_t i = 0; i < block.size(); ++i) {
        scores[i] += state_.trees.value[state_.trees.leaf_of(tree, asked.row(i))];
      }
    }
  });
}

void Booster::begin_with(const GradientBoostingModel& earlier) {
  earlier_ = earlier;
  state_.start = earlier.start;
  state_.training_rounds = earlier.training_rounds;
  state_.training_loss = earlier.training_loss;
  // That after its last round was taken because it was the last.
  while (!state_.training_rounds.empty() && !is_told(state_.training_rounds.back())) {
    state_.training_rounds.pop_back();
    state_.training_loss.pop_back();
  }
  for (std::size_t k = 0; k < outputs(); ++k) {
    std::fill_n(state_.scores.data() + k * rows_, rows_, earlier.start[k]);
  }
  // Tree by tree, as the scores grew when the trees did.
  parallel::for_each_block(context_, rows_, kAnsweredTogether, [&](parallel::Block block) {
    std::vector<double> scratch;
    const RowBlock rows = task_.features.block(block.begin, block.end, scratch);
    for (std::size_t tree = 0; tree < earlier_.trees.count(); ++tree) {
      double* scores = state_.scores.data() + tree % outputs() * rows_ + block.begin;
      for (std::size_t i = 0; i < block.size(); ++i) {
        scores[i] += earlier_.trees.value[earlier_.trees.leaf_of(tree, rows.row(i))];
      }
    }
  });
}

// In the limits on leaves a row of weight 2 counts as two, as if it were written twice.
void Booster::count_copies() {
  if (task_.weights.empty() || !weights_are_copies(task_)) return;
  double total = 0;
  for (const double w : task_.weights) {
    copies_.push_back(static_cast<std::uint32_t>(w));
    total += w;
  }
  // More than the words have room for: each row counts once.
  if (total >= static_cast<double>(kMostFixedRows)) return copies_.clear();
  counted_ = std::max<std::size_t>(1, static_cast<std::size_t>(total));
}

void Booster::set_options() {
  const BoostingTree& tree = learner_.tree;
  options_.rules = {.reg_lambda = *tree.l2_regularization,
                    .reg_alpha = tree.reg_alpha,
                    .min_gain = tree.min_split_gain,
                    .min_child_weight = tree.min_child_weight,
                    .min_samples_leaf = static_cast<std::size_t>(tree.min_samples_leaf)};
  const BoostingCategories& nominal = learner_.nominal;
  options_.rules.categories.smoothing = nominal.category_smoothing;
  options_.rules.categories.extra_lambda = nominal.category_l2;
  options_.rules.categories.min_rows = static_cast<std::size_t>(nominal.min_samples_category);
  if (nominal.max_category_set) {
    options_.rules.categories.max_set = static_cast<std::size_t>(*nominal.max_category_set);
  }
  options_.max_leaves = static_cast<std::size_t>(*tree.max_leaf_nodes);
  // As many levels as the leaves have room for when all of them are parted.
  if (tree.grow_policy == GrowPolicy::symmetric) {
    options_.max_depth = static_cast<std::size_t>(std::bit_width(options_.max_leaves)) - 1;
  }
  if (tree.max_depth) options_.max_depth = static_cast<std::size_t>(*tree.max_depth);
  options_.order = order_of(tree.grow_policy);
  columns_.resize(table_.features());
  std::iota(columns_.begin(), columns_.end(), std::size_t{0});
  if (loss_.kind() == BoostingLoss::lambdarank) {
    const auto query = query_column(learner_, task_.signature.features);
    if (query) std::erase(columns_, *query);
  }
  set_constraints();
}

// Statistics are bound as the columns that they stand for.
void Booster::set_constraints() {
  options_.directions = directions_of(learner_.constraints, task_.signature.features);
  if (!options_.directions.empty()) {
    options_.directions.resize(table_.bins().cols(), Direction::any);
  }
  options_.groups = groups_of(learner_.constraints, task_.signature.features);
  for (std::vector<std::size_t>& group : options_.groups) {
    const std::vector<std::size_t> named = group;
    for (std::size_t column = table_.features(); column < table_.bins().cols(); ++column) {
      const std::size_t source = table_.source_of(column);
      if (std::find(named.begin(), named.end(), source) != named.end()) group.push_back(column);
    }
  }
}

void Booster::resume(BoostingState state, bool keeps_losses) {
  const auto refuse = [](const char* why) {
    throw Error(ErrorKind::bad_data, "checkpoint",
                fmt::format("the checkpoint is damaged: {}", why), "start again without --resume");
  };
  if (state.start != state_.start) refuse("its start is another one");
  if (state.scores.size() != state_.scores.size()) refuse("its rows do not fit");
  if (state.trees.width != 1 || state.trees.count() % outputs() != 0)
    refuse("its trees do not fit");
  if (state.gains.size() != state.trees.nodes()) refuse("its gains do not fit");
  state.trees.check(table_.bins().cols());
  const std::size_t done = state.trees.count() / outputs();
  const bool watched = watches() && keeps_losses;
  if (watched && state.validation_loss.size() != done) refuse("its losses do not fit");
  if (state.training_loss.size() != state.training_rounds.size()) refuse("its losses do not fit");
  state_ = std::move(state);
  if (judge_) examine_anew();
}

void Booster::round(BoostingStory& story) {
  const std::size_t round = rounds();
  const std::vector<std::size_t> dropped = dropped_rounds(round);
  std::vector<double> without;
  if (!dropped.empty()) {
    without = scores_of_rounds(dropped);
    add_scores(without, -1);
  }
  const auto count = static_cast<double>(dropped.size());
  step_ = *learner_.learning_rate / (1 + count);
  loss_.begin_round(state_.scores);
  choose_rows(round);
  add_trees(story);
  if (dropped.empty()) return examine(state_.trees.count() - outputs());
  add_scores(without, count / (1 + count));
  shrink_rounds(dropped, count / (1 + count));
  if (judge_) examine_anew();
}

// The rows that the trees of a round see; what they weigh otherwise stays in `training_`.
void Booster::choose_rows(std::size_t round) {
  std::vector<double> sizes;
  times_ = {};
  if (sampler_.needs_gradients(round)) sizes = sizes_of_rows();
  times_ = sampler_.choose(round, sizes);
  active_ = training_;
  if (times_.empty()) return;
  drawn_ = training_;
  for (std::size_t row = 0; row < times_.size(); ++row) drawn_[row] *= times_[row];
  active_ = drawn_;
}

// How far a row is from being predicted, over all outputs.
std::vector<double> Booster::sizes_of_rows() const {
  std::vector<double> sizes(rows_, 0.0);
  for (std::size_t k = 0; k < outputs(); ++k) {
    const std::vector<double> all = round_rows().gradients(k);
    for (std::size_t row = 0; row < rows_; ++row) sizes[row] += std::abs(all[row]);
  }
  return sizes;
}

// That the tree of an output may ask for in this round.
std::vector<std::size_t> Booster::columns_of_tree(std::size_t output) const {
  const std::size_t tree = rounds() * outputs() + output;
  const double share = learner_.sample.colsample_bytree * static_cast<double>(columns_.size());
  // Up, so that trees on two or three columns still see how these act together; a hair less, so
  // that 0.7 of ten are seven.
  const auto count = static_cast<std::size_t>(std::ceil(share - 1e-9));
  std::vector<std::size_t> chosen = columns_;
  if (count < chosen.size()) {
    Stream stream(learner_.random_state, tree, kColumnsPurpose);
    stream.shuffle(std::span<std::size_t>(chosen));
    chosen.resize(count);
  }
  return table_.columns_for(chosen, output, rounds());
}

RoundRows Booster::round_rows() const {
  return {loss_, rows_, counted_, active_, times_, copies_, table_.bins().layout().narrow()};
}

// Trees of several outputs may grow side by side, each by one thread: where a table is small, that
// is less waiting for each other than sharing every tree.
std::size_t Booster::trees_side_by_side() const {
  const auto threads = static_cast<std::size_t>(resolve_threads(context_));
  const std::size_t count = std::min(threads, outputs());
  // At the end nobody should have long to wait for the others.
  constexpr std::size_t kTurns = 4;
  if (count < 2 || (outputs() % count != 0 && outputs() < kTurns * count)) return 1;
  const std::size_t pairs = table_.bins().tiles() * table_.bins().layout().tile_pairs();
  const std::size_t bytes =
      2 * rows_ * sizeof(GradientPair) + options_.max_leaves * pairs * sizeof(GradientPair);
  return (count - 1) * bytes <= kMostBeside ? count : 1;
}

void Booster::make_lanes() {
  const std::size_t count = trees_side_by_side();
  Context context = context_;
  if (count > 1) context.threads = 1;
  for (std::size_t i = 0; i < count; ++i) {
    lanes_.push_back({context, {table_.bins(), context}, {}});
  }
}

// A tree for each output. What they learn from is settled: none sees what another one answers.
void Booster::add_trees(BoostingStory& story) {
  if (story.listens() || lanes_.size() == 1) {
    for (std::size_t k = 0; k < outputs(); ++k) add_told_tree(k, story);
    return;
  }
  std::vector<GrownTree> grown(outputs());
  parallel::for_each_index(context_, lanes_.size(), [&](std::size_t lane) {
    for (std::size_t k = lane; k < grown.size(); k += lanes_.size()) {
      grown[k] = add_tree(lanes_[lane], k, {});
    }
  });
  for (const GrownTree& tree : grown) keep(tree);
}

void Booster::add_told_tree(std::size_t output, BoostingStory& story) {
  Lane& lane = lanes_.front();
  if (story.listens()) story.begin_tree(rounds(), output, round_rows().gradients(output));
  const GrownTree grown = add_tree(lane, output, story.observer());
  keep(grown);
  if (!story.listens()) return;
  const std::span<double> scores(state_.scores.data() + output * rows_, rows_);
  story.end_tree(grown, {lane.scale, step_}, scores, loss_.mean_loss(state_.scores));
}

GrownTree Booster::add_tree(Lane& lane, std::size_t output,
                            std::function<void(const LeafSearch&)> observe) {
  const Gradients gradients = lane.packer.pack(round_rows(), output, lane.context);
  lane.scale = gradients.scale;
  GrowOptions options = options_;
  options.columns = columns_of_tree(output);
  options.observe = std::move(observe);
  GrownTree grown = lane.grower.grow(gradients, options);
  set_leaves(grown, lane.context);
  add_steps(grown, std::span(state_.scores).subspan(output * rows_, rows_), lane.context);
  return grown;
}

// Block by block: two threads that wrote to neighbouring rows would wait for each other.
void Booster::add_steps(const GrownTree& grown, std::span<double> scores,
                        const Context& context) const {
  parallel::for_each_block(context, rows_, kScoreBlock, [&](const parallel::Block& block) {
    for (const GrownLeaf& leaf : grown.leaves) {
      const double step = grown.tree.value[leaf.node];
      auto row = std::lower_bound(leaf.rows.begin(), leaf.rows.end(), block.begin);
      for (; row != leaf.rows.end() && *row < block.end; ++row) scores[*row] += step;
    }
  });
}

void Booster::keep(const GrownTree& grown) {
  const std::size_t first = state_.trees.nodes();
  state_.trees.append(grown.tree);
  state_.gains.resize(state_.trees.nodes(), 0.0);
  for (const GrownSplit& split : grown.splits) state_.gains[first + split.node] = split.gain;
}

// Shrinks the steps, and sets those that the loss finds from the residuals.
void Booster::set_leaves(GrownTree& grown, const Context& context) const {
  if (loss_.renews_leaves()) {
    parallel::for_each_index(context, grown.leaves.size(), [&](std::size_t i) {
      const GrownLeaf& leaf = grown.leaves[i];
      grown.tree.value[leaf.node] = leaf.bounds.keep(loss_.leaf_value(leaf.rows, active_));
    });
  }
  for (double& value : grown.tree.value) {
    value *= step_;
    if (!std::isfinite(value)) {
      throw Error(ErrorKind::numerical, "", "the value of a leaf is not finite",
                  "raise --l2_regularization or --min_child_weight");
    }
  }
}

std::vector<std::size_t> Booster::dropped_rounds(std::size_t round) const {
  const BoostingDropout& dropout = learner_.dropout;
  std::vector<std::size_t> out;
  if (dropout.drop_rate == 0 || round == 0) return out;
  Stream stream(learner_.random_state, round, kDropPurpose);
  if (stream.uniform() < dropout.skip_drop) return out;
  for (std::size_t r = 0; r < round; ++r) {
    if (stream.uniform() < dropout.drop_rate) out.push_back(r);
  }
  // A round that draws none leaves one out all the same (Vinayak, Gilad-Bachrach 2015).
  if (out.empty()) out.push_back(stream.below(round));
  return out;
}

std::vector<double> Booster::scores_of_rounds(std::span<const std::size_t> chosen) const {
  std::vector<double> out(state_.scores.size(), 0.0);
  parallel::for_each_block(context_, rows_, kBlock, [&](parallel::Block block) {
    std::vector<double> scratch;
    std::vector<double> more;
    const RowBlock rows =
        table_.asked(task_.features.block(block.begin, block.end, scratch), block.begin, more);
    for (const std::size_t r : chosen) {
      for (std::size_t k = 0; k < outputs(); ++k) {
        const std::size_t tree = r * outputs() + k;
        for (std::size_t i = 0; i < block.size(); ++i) {
          out[k * rows_ + block.begin + i] +=
              state_.trees.value[state_.trees.leaf_of(tree, rows.row(i))];
        }
      }
    }
  });
  return out;
}

void Booster::add_scores(std::span<const double> scores, double factor) {
  for (std::size_t i = 0; i < scores.size(); ++i) state_.scores[i] += factor * scores[i];
}

void Booster::shrink_rounds(std::span<const std::size_t> chosen, double factor) {
  for (const std::size_t r : chosen) {
    const std::size_t end = state_.trees.tree_end((r + 1) * outputs() - 1);
    for (std::size_t node = state_.trees.root(r * outputs()); node < end; ++node) {
      state_.trees.value[node] *= factor;
    }
  }
}

bool Booster::wants_training_loss() const { return is_told(static_cast<double>(rounds())); }

bool Booster::lacks_last_loss() const {
  const std::vector<double>& taken = state_.training_rounds;
  return !taken.empty() && taken.back() != static_cast<double>(rounds());
}

void Booster::note_training_loss(std::span<const double> scores) {
  const double loss = loss_.mean_loss(scores);
  // A loss of one's own need not have values.
  if (!std::isfinite(loss)) return;
  state_.training_rounds.push_back(static_cast<double>(rounds()));
  state_.training_loss.push_back(loss);
}

GradientBoostingModel Booster::begun() const {
  GradientBoostingModel model;
  model.loss = loss_.kind();
  model.start = state_.start;
  model.classes = static_cast<std::int32_t>(task_.signature.classes.size());
  return model;
}

GradientBoostingModel Booster::finish(std::size_t rounds) {
  GradientBoostingModel model = begun();
  model.training_rounds = state_.training_rounds;
  model.training_loss = state_.training_loss;
  model.trees = std::move(state_.trees);
  model.trees.cut(rounds * outputs() - earlier_.trees.count());
  model.trees = table_.in_categories(std::move(model.trees));
  model.validation_loss = std::move(state_.validation_loss);
  // Onto those of the earlier trees, node by node: sums in another order are other numbers.
  model.gains = earlier_.gains;
  model.splits = earlier_.splits;
  model.gains.resize(table_.features(), 0.0);
  model.splits.resize(table_.features(), 0.0);
  for (std::size_t node = 0; node < model.trees.nodes(); ++node) {
    if (model.trees.is_leaf(node)) continue;
    const auto column = static_cast<std::size_t>(model.trees.feature[node]);
    model.gains[column] += state_.gains[node];
    model.splits[column] += 1;
  }
  if (earlier_.trees.count() == 0) return model;
  Trees all = std::move(earlier_.trees);
  all.append(model.trees);
  model.trees = std::move(all);
  return model;
}

}  // namespace gradus
