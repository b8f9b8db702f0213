#include "gradus/models/boosting/gradient_boosting/booster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
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
// Rows whose scores stay near the processor while all leaves add to them.
constexpr std::size_t kScoreBlock = std::size_t{1} << 14U;
// Rows whose gradients are on their way to the pairs at a time.
constexpr std::size_t kTakenTogether = 1024;

// Tables of fewer rows keep all digits of their gradients.
constexpr std::size_t kLeastRowsOfWords = std::size_t{1} << 13U;
// What the gradients and hessians of rows have of the largest on average, at least: 8 and 16 units.
constexpr double kLeastUsualGradient = 1.0 / 1024;
constexpr double kLeastUsualHessian = 1.0 / 128;

void take_sizes(simd::GradientSizes& total, const simd::GradientSizes& part) {
  // Written so that a number that is none stays in sight.
  if (!(part.gradient <= total.gradient)) total.gradient = part.gradient;
  if (!(part.hessian <= total.hessian)) total.hessian = part.hessian;
  total.all_gradient += part.all_gradient;
  total.all_hessian += part.all_hessian;
  total.gradients += part.gradients;
  total.hessians += part.hessians;
}

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
      counted_(rows_),
      grower_(table_.bins(), context) {
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
std::vector<double> Booster::sizes_of_rows() {
  std::vector<double> sizes(rows_, 0.0);
  for (std::size_t k = 0; k < outputs(); ++k) {
    const std::vector<double> all = gradients(k);
    for (std::size_t row = 0; row < rows_; ++row) sizes[row] += std::abs(all[row]);
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

// Gradients and hessians of some rows. They are computed where they are needed, twice for a tree:
// once to know how large they are, once to be packed. Keeping them would take longer, but for the
// probabilities that they follow from.
struct Booster::SomeGradients {
  std::array<double, kTakenTogether> gradient;
  std::array<double, kTakenTogether> hessian;
};

template <class Body>
void Booster::for_gradients(std::size_t output, const parallel::Block& rows, Probabilities source,
                            const Body& body) {
  SomeGradients some;
  double* g = some.gradient.data();
  for (std::size_t begin = rows.begin; begin < rows.end; begin += kTakenTogether) {
    const parallel::Block block{begin, std::min(begin + kTakenTogether, rows.end), 0};
    const std::size_t bytes = block.size() * sizeof(double);
    if (source == Probabilities::computed) {
      loss_.gradients(output, block, g, some.hessian.data());
    } else if (source == Probabilities::to_be_kept) {
      loss_.probabilities(block, g);
      std::memcpy(words_.data() + begin, g, bytes);
      loss_.gradients_of(block, g, g, some.hessian.data());
    } else {
      std::memcpy(g, words_.data() + begin, bytes);
      loss_.gradients_of(block, g, g, some.hessian.data());
    }
    for (std::size_t i = 0; !times_.empty() && i < block.size(); ++i) {
      some.gradient[i] *= times_[begin + i];
      some.hessian[i] *= times_[begin + i];
    }
    body(block, some);
  }
}

std::vector<double> Booster::gradients(std::size_t output) {
  std::vector<double> out(rows_);
  for_gradients(output, {0, rows_, 0}, Probabilities::computed,
                [&](const parallel::Block& block, const SomeGradients& some) {
                  std::copy_n(some.gradient.data(), block.size(), out.data() + block.begin);
                });
  return out;
}

simd::GradientSizes Booster::gradient_sizes(std::size_t output, Probabilities source) {
  return parallel::reduce_ordered<simd::GradientSizes>(
      context_, rows_, kBlock,
      [&](const parallel::Block& rows) {
        simd::GradientSizes sizes;
        for_gradients(
            output, rows, source, [&](const parallel::Block& block, const SomeGradients& some) {
              take_sizes(sizes, simd::gradient_sizes({some.gradient.data(), some.hessian.data(),
                                                      nullptr, block.size()}));
            });
        return sizes;
      },
      take_sizes);
}

bool Booster::may_be_words() const {
  return rows_ >= kLeastRowsOfWords && counted_ <= FixedPoint::kMostWords && copies_.empty() &&
         table_.bins().layout().narrow();
}

// Whether words keep enough of the gradients: the rounding of a row, by half a unit, must be small
// beside what rows usually have. A few rows far from all others make the unit too large.
bool Booster::fit_words(const simd::GradientSizes& sizes) const {
  return sizes.all_gradient >= kLeastUsualGradient * sizes.gradient * sizes.gradients &&
         sizes.all_hessian >= kLeastUsualHessian * sizes.hessian * sizes.hessians;
}

Gradients Booster::pack(std::size_t output, BoostingStory& story) {
  const bool words = may_be_words();
  if (words) make_room(words_);
  const bool keeps = words && loss_.has_probabilities();
  const simd::GradientSizes sizes =
      gradient_sizes(output, keeps ? Probabilities::to_be_kept : Probabilities::computed);
  if (!std::isfinite(sizes.gradient) || !std::isfinite(sizes.hessian)) {
    throw Error(ErrorKind::numerical, "", "the gradients of the loss are no longer finite",
                "lower --learning_rate, or scale the target");
  }
  if (story.listens()) story.begin_tree(rounds(), output, gradients(output));
  if (words && fit_words(sizes)) {
    return pack_words(output, FixedPoint::of_words(sizes.gradient, sizes.hessian, counted_),
                      keeps ? Probabilities::kept : Probabilities::computed);
  }
  return pack_pairs(output, FixedPoint(sizes.gradient, sizes.hessian, counted_));
}

template <class T>
void Booster::make_room(std::vector<T>& packed) const {
  if (!packed.empty()) return;
  context_.require_memory(rows_ * sizeof(T), "the packed gradients");
  reserve_large_pages(packed, rows_);
  packed.resize(rows_);
}

Gradients Booster::pack_pairs(std::size_t output, const FixedPoint& scale) {
  make_room(pairs_);
  const bool alike = all_alike();
  parallel::for_each_block(context_, rows_, kBlock, [&](const parallel::Block& rows) {
    for_gradients(output, rows, Probabilities::computed,
                  [&](const parallel::Block& block, const SomeGradients& some) {
                    for (std::size_t i = 0; i < block.size(); ++i) {
                      const std::size_t row = block.begin + i;
                      const bool takes_part = alike || active_[row] > 0;
                      pairs_[row] = takes_part
                                        ? scale.pack(some.gradient[i], some.hessian[i], count(row))
                                        : GradientPair{};
                    }
                  });
  });
  return {pairs_, scale};
}

Gradients Booster::pack_words(std::size_t output, const FixedPoint& scale, Probabilities source) {
  const bool alike = all_alike();
  parallel::for_each_block(context_, rows_, kBlock, [&](const parallel::Block& rows) {
    for_gradients(
        output, rows, source, [&](const parallel::Block& block, const SomeGradients& some) {
          simd::gradient_words({some.gradient.data(), some.hessian.data(),
                                alike ? nullptr : active_.data() + block.begin, block.size()},
                               scale.units(), words_.data() + block.begin);
        });
  });
  return {{}, scale, words_};
}

void Booster::add_tree(std::size_t output, BoostingStory& story) {
  choose_columns(trees());
  const Gradients gradients = pack(output, story);
  options_.observe = story.observer();
  GrownTree grown = grower_.grow(gradients, options_);
  set_leaves(grown);
  const std::span<double> scores(state_.scores.data() + output * rows_, rows_);
  add_steps(grown, scores);
  keep(grown);
  if (story.listens()) {
    const double loss = loss_.mean_loss(state_.scores);
    story.end_tree(grown, {gradients.scale, step_}, scores, loss);
  }
}

// Block by block: two threads that wrote to neighbouring rows would wait for each other.
void Booster::add_steps(const GrownTree& grown, std::span<double> scores) const {
  parallel::for_each_block(context_, rows_, kScoreBlock, [&](const parallel::Block& block) {
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
