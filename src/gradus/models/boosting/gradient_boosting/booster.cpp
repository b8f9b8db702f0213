#include "gradus/models/boosting/gradient_boosting/booster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "gradus/blocks/class_weight/class_weight.hpp"
#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/models/boosting/gradient_boosting/constraints.hpp"
#include "gradus/models/boosting/gradient_boosting/purpose.hpp"

namespace gradus {
namespace {

constexpr std::size_t kBlock = 4096;
// Rows whose gradients are on their way to the pairs at a time.
constexpr std::size_t kTakenTogether = 1024;

GrowOrder order_of(GrowPolicy policy) {
  switch (policy) {
    case GrowPolicy::symmetric: return GrowOrder::symmetric;
    case GrowPolicy::level_wise: return GrowOrder::by_level;
    default: return GrowOrder::best_first;
  }
}

// Until the largest gradient is known, which decides the units of whole numbers, a pair holds the
// numbers themselves: no second copy is kept.
GradientPair unpacked(double gradient, double hessian) {
  return {std::bit_cast<std::int64_t>(gradient), std::bit_cast<std::int64_t>(hessian)};
}
// Whether the loss is taken after a round.
bool is_told(double after) {
  constexpr std::size_t kEach = 16;  // the first rounds, all of them
  const auto round = static_cast<std::size_t>(after);
  return round < kEach || round % (std::bit_floor(round) / (kEach / 2)) == 0;
}

double gradient_of(const GradientPair& pair) { return std::bit_cast<double>(pair.gradient); }
double hessian_of(const GradientPair& pair) { return std::bit_cast<double>(pair.weight); }

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
      counted_(rows_),
      grower_(table_.bins(), context) {
  count_copies();
  const std::size_t numbers = rows_ * outputs() * sizeof(double);
  context.require_memory(numbers + rows_ * sizeof(GradientPair), "the gradients");
  reserve_large_pages(pairs_, rows_);
  pairs_.resize(rows_);
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
  parallel::for_each_block(context_, rows, kTakenTogether, [&](parallel::Block block) {
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
  parallel::for_each_block(context_, rows_, kTakenTogether, [&](parallel::Block block) {
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

// The copies of a row that a round sees.
std::uint32_t Booster::count(std::size_t row) const {
  if (copies_.empty()) return 1;
  const double share = times_.empty() ? 1 : std::min(1.0, times_[row]);
  return static_cast<std::uint32_t>(std::lround(share * copies_[row]));
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
  for (std::size_t k = 0; k < outputs(); ++k) add_tree(k, story);
  if (dropped.empty()) return examine(state_.trees.count() - outputs());
  add_scores(without, count / (1 + count));
  shrink_rounds(dropped, count / (1 + count));
  if (judge_) examine_anew();
}

// The rows that the trees of a round see; what they weigh otherwise stays in `training_`.
void Booster::choose_rows(std::size_t round) {
  std::vector<double> sizes;
  if (sampler_.needs_gradients(round)) sizes = gradient_sizes();
  times_ = sampler_.choose(round, sizes);
  active_ = training_;
  if (times_.empty()) return;
  drawn_ = training_;
  for (std::size_t row = 0; row < times_.size(); ++row) drawn_[row] *= times_[row];
  active_ = drawn_;
}

std::vector<double> Booster::gradient_sizes() {
  std::vector<double> sizes(rows_, 0.0);
  times_ = {};
  for (std::size_t k = 0; k < outputs(); ++k) {
    take_gradients(k);
    for (std::size_t row = 0; row < rows_; ++row) sizes[row] += std::abs(gradient_of(pairs_[row]));
  }
  return sizes;
}

void Booster::choose_columns(std::size_t tree) {
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
  options_.columns = table_.columns_for(chosen, tree % outputs(), tree / outputs());
}

void Booster::take_largest(Largest& total, const Largest& part) {
  // Written so that a number that is none stays in sight.
  if (!(part.gradient <= total.gradient)) total.gradient = part.gradient;
  if (!(part.hessian <= total.hessian)) total.hessian = part.hessian;
}

Booster::Largest Booster::take_gradients(std::size_t output, const parallel::Block& block) {
  std::array<double, kTakenTogether> g;
  std::array<double, kTakenTogether> h;
  loss_.gradients(output, block, g.data(), h.data());
  for (std::size_t i = 0; !times_.empty() && i < block.size(); ++i) {
    g[i] *= times_[block.begin + i];
    h[i] *= times_[block.begin + i];
  }
  Largest largest;
  for (std::size_t i = 0; i < block.size(); ++i) {
    pairs_[block.begin + i] = unpacked(g[i], h[i]);
    take_largest(largest, {std::abs(g[i]), h[i]});
  }
  return largest;
}

Booster::Largest Booster::take_gradients(std::size_t output) {
  return parallel::reduce_ordered<Largest>(
      context_, rows_, kBlock,
      [&](parallel::Block block) {
        Largest largest;
        for (std::size_t at = block.begin; at < block.end; at += kTakenTogether) {
          take_largest(largest,
                       take_gradients(output, {at, std::min(at + kTakenTogether, block.end), 0}));
        }
        return largest;
      },
      take_largest);
}

Gradients Booster::pack(std::size_t output, BoostingStory& story) {
  const Largest largest = take_gradients(output);
  if (!std::isfinite(largest.gradient) || !std::isfinite(largest.hessian)) {
    throw Error(ErrorKind::numerical, "", "the gradients of the loss are no longer finite",
                "lower --learning_rate, or scale the target");
  }
  if (story.listens()) {
    std::vector<double> gradients(rows_);
    for (std::size_t i = 0; i < rows_; ++i) gradients[i] = gradient_of(pairs_[i]);
    story.begin_tree(rounds(), output, gradients);
  }
  const FixedPoint scale(largest.gradient, largest.hessian, counted_);
  const bool all_alike = loss_.unit_weights() && times_.empty() && copies_.empty();
  parallel::for_each_block(context_, rows_, kBlock, [&](parallel::Block block) {
    if (all_alike) {
      for (std::size_t i = block.begin; i < block.end; ++i) {
        pairs_[i] = scale.pack(gradient_of(pairs_[i]), hessian_of(pairs_[i]));
      }
      return;
    }
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const GradientPair& pair = pairs_[i];
      pairs_[i] = active_[i] > 0 ? scale.pack(gradient_of(pair), hessian_of(pair), count(i))
                                 : GradientPair{};
    }
  });
  return {pairs_, scale};
}

void Booster::add_tree(std::size_t output, BoostingStory& story) {
  choose_columns(trees());
  const Gradients gradients = pack(output, story);
  options_.observe = story.observer();
  GrownTree grown = grower_.grow(gradients, options_);
  set_leaves(grown);
  const std::span<double> scores(state_.scores.data() + output * rows_, rows_);
  parallel::for_each_index(context_, grown.leaves.size(), [&](std::size_t i) {
    const double step = grown.tree.value[grown.leaves[i].node];
    for (const std::uint32_t row : grown.leaves[i].rows) scores[row] += step;
  });
  keep(grown);
  if (story.listens()) {
    const double loss = loss_.mean_loss(state_.scores);
    story.end_tree(grown, {gradients.scale, step_}, scores, loss);
  }
}

void Booster::keep(const GrownTree& grown) {
  const std::size_t first = state_.trees.nodes();
  state_.trees.append(grown.tree);
  state_.gains.resize(state_.trees.nodes(), 0.0);
  for (const GrownSplit& split : grown.splits) state_.gains[first + split.node] = split.gain;
}

// Shrinks the steps, and sets those that the loss finds from the residuals.
void Booster::set_leaves(GrownTree& grown) const {
  if (loss_.renews_leaves()) {
    parallel::for_each_index(context_, grown.leaves.size(), [&](std::size_t i) {
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
