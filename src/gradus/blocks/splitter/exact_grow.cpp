#include "gradus/blocks/splitter/exact_grow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "gradus/blocks/splitter/class_grow.hpp"
#include "gradus/blocks/splitter/drawn_grow.hpp"
#include "gradus/blocks/splitter/number_grow.hpp"
#include "gradus/blocks/splitter/random_split.hpp"
#include "gradus/core/error.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Nodes with more cells than this are searched by several threads, columns in turn.
constexpr std::size_t kParallelCells = std::size_t{1} << 16U;
constexpr std::size_t kGroups = 16;

// Any gain is enough.
constexpr double kNoLeast = -std::numeric_limits<double>::infinity();

struct Waiting {
  std::size_t node = 0;
  std::size_t parent = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;
  double improvement = 0;
  double urgency = 0;
  ExactSplit split = {};
  std::size_t branch = 0;  // of a multiway split: the one that the question asks for
  // The most urgent first; among equals the node that was made first.
  bool operator<(const Waiting& other) const {
    return urgency != other.urgency ? urgency < other.urgency : node > other.node;
  }
};

// The rows of the whole tree side by side with their targets; those of a node stand together.
struct GrowthRows {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> codes;
  std::vector<double> numbers;
  std::vector<double> weights;
  double total = 0;
  bool unit = true;  // every row weighs 1

  GrowthRows(const ExactData& data, std::span<const double> all) {
    for (std::size_t row = 0; row < all.size(); ++row) {
      if (!(all[row] > 0)) continue;
      rows.push_back(static_cast<std::uint32_t>(row));
      weights.push_back(all[row]);
      total += all[row];
      unit = unit && all[row] == 1;
      if (data.classes > 0) {
        codes.push_back(data.codes[row]);
      } else {
        numbers.push_back(data.numbers[row]);
      }
    }
  }
};

// Large nodes are grown one after the other, columns in parallel; what is left are subtrees of at
// most one part in kParts of the rows, which several threads grow side by side. The parts are put
// together in the order of one thread, so the tree is the same byte for byte.
constexpr std::size_t kParts = 32;
constexpr std::size_t kLeastPart = 512;

class Growth {
 public:
  Growth(const ExactData& data, const Context& context, const ExactOptions& options,
         GrowthRows& rows)
      : data_(data), context_(context), options_(options), stream_(options.stream), own_(rows) {
    limits_ = {options.criterion, options.min_samples_leaf, options.min_weight_leaf,
               options.nominal};
    out_.trees.width = static_cast<std::int32_t>(std::max<std::size_t>(1, data.classes));
    out_.importances.assign(data.table.cols(), 0.0);
    columns_.resize(data.table.cols());
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    scratch_.resize(1);
  }

  ExactTree run() {
    out_.trees.begin_tree();
    note_node();
    make_node({.node = 0, .begin = 0, .end = own_.rows.size()});
    const bool in_parts = own_.rows.size() > kLeastPart * kParts / 4 && !options_.observe &&
                          !options_.max_leaves && options_.max_features == 0 &&
                          options_.thresholds == Thresholds::best && options_.surrogates == nullptr;
    part_rows_ = in_parts ? std::max(own_.rows.size() / kParts, kLeastPart) : 0;
    grow();
    return parts_.empty() ? std::move(out_) : joined();
  }

 private:
  void grow() {
    const bool best_first = options_.max_leaves.has_value();
    std::size_t leaves = 1;
    while (!waiting_.empty()) {
      context_.stop_if_cancelled();
      if (best_first && leaves >= *options_.max_leaves) break;
      if (best_first) std::pop_heap(waiting_.begin(), waiting_.end());
      Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      if (best_first && leaves + more_leaves(next) > *options_.max_leaves) continue;
      if (next.end - next.begin <= part_rows_) {
        parts_.push_back(std::move(next));
        continue;
      }
      split(next);
      ++leaves;
    }
  }

  // How many leaves more a split makes in the end.
  static std::size_t more_leaves(const Waiting& at) {
    return at.split.branches.empty() ? 1 : at.split.branches.size() - at.branch - 1;
  }

  // What grows below a node whose question is known already.
  Growth grown_below(Waiting at) const {
    Growth below(data_, context_, options_, own_);
    below.out_.trees.begin_tree();
    below.note_node();
    at.node = 0;
    below.alone_ = true;
    below.number_anew(at);
    below.waiting_.push_back(std::move(at));
    below.grow();
    below.local_cells_ = {};
    below.scratch_ = {};
    return below;
  }

  // Copies the ranks of a few rows side by side and lets the rows point there: all that is read
  // from now on is near.
  void number_anew(const Waiting& at) {
    const std::size_t count = at.end - at.begin;
    const std::span<std::uint32_t> rows = std::span(own_.rows).subspan(at.begin, count);
    local_cells_.resize(count * data_.table.cols());
    for (std::size_t j = 0; j < data_.table.cols(); ++j) {
      const std::uint32_t* rank = data_.table.column(j).rank.data();
      std::uint32_t* out = local_cells_.data() + j * count;
      for (std::size_t i = 0; i < count; ++i) out[i] = rank[rows[i]];
      local_ranks_.push_back(out);
    }
    std::iota(rows.begin(), rows.end(), 0U);
  }

  // Grows the parts, and numbers all nodes as if one thread had split them depth first.
  ExactTree joined() {
    std::vector<std::unique_ptr<Growth>> below(parts_.size());
    parallel::for_each_index(context_, parts_.size(), [&](std::size_t i) {
      below[i] = std::make_unique<Growth>(grown_below(parts_[i]));
    });
    std::vector<const Growth*> part_at(out_.trees.nodes(), nullptr);
    for (std::size_t i = 0; i < parts_.size(); ++i) part_at[parts_[i].node] = below[i].get();
    struct Place {
      const Growth* from;
      std::size_t node;
      std::size_t to;
    };
    Growth whole(data_, context_, options_, own_);
    whole.out_.trees.begin_tree();
    whole.note_node();
    std::vector<Place> stack = {{this, 0, 0}};
    while (!stack.empty()) {
      Place at = stack.back();
      stack.pop_back();
      whole.copy_node(at.from->out_, at.node, at.to);
      if (at.from == this && part_at[at.node] != nullptr) {
        at.from = part_at[at.node];
        at.node = 0;
      }
      const Trees& trees = at.from->out_.trees;
      if (trees.is_leaf(at.node)) continue;
      const Question question = trees.question_of(at.node);
      const std::size_t yes = whole.out_.trees.split(at.to, question);
      whole.note_node();
      whole.out_.importances[question.feature] += at.from->improvement_[at.node];
      stack.push_back({at.from, trees.no(at.node), yes + 1});
      stack.push_back({at.from, trees.yes(at.node), yes});
    }
    return std::move(whole.out_);
  }

  void copy_node(const ExactTree& from, std::size_t node, std::size_t to) {
    out_.trees.set_value(to, from.trees.value_of(node));
    out_.rows[to] = from.rows[node];
    out_.weight[to] = from.weight[node];
    out_.impurity[to] = from.impurity[node];
  }

  NodeSample sample(std::size_t begin, std::size_t end) const {
    const std::size_t size = end - begin;
    NodeSample out;
    out.unit_weights = own_.unit;
    if (!local_ranks_.empty()) out.local_ranks = local_ranks_.data();
    out.rows = std::span(own_.rows).subspan(begin, size);
    out.weights = std::span(own_.weights).subspan(begin, size);
    if (data_.classes > 0) {
      out.codes = std::span(own_.codes).subspan(begin, size);
    } else {
      out.numbers = std::span(own_.numbers).subspan(begin, size);
    }
    out.classes = data_.classes;
    return out;
  }

  void note_node() {
    out_.rows.resize(out_.trees.nodes(), 0);
    out_.weight.resize(out_.trees.nodes(), 0.0);
    out_.impurity.resize(out_.trees.nodes(), 0.0);
    improvement_.resize(out_.trees.nodes(), 0.0);
  }

  LeafReason early_reason(const Waiting& at, const NodeState& state) const {
    const std::size_t rows = at.end - at.begin;
    if (state.pure) return LeafReason::pure;
    if (options_.max_depth && at.depth >= *options_.max_depth) return LeafReason::depth_limit;
    if (rows < options_.min_samples_split || rows < 2 * options_.min_samples_leaf) {
      return LeafReason::few_rows;
    }
    return LeafReason::none;
  }

  // Gives a node its numbers.
  NodeState describe_node(std::size_t node, const NodeSample& here) {
    NodeState state = state_of(here, options_.criterion);
    out_.rows[node] = static_cast<std::int32_t>(here.size());
    out_.weight[node] = state.weight;
    out_.impurity[node] = state.impurity;
    set_value(node, state);
    return state;
  }

  void wait(Waiting at) {
    waiting_.push_back(std::move(at));
    if (options_.max_leaves) std::push_heap(waiting_.begin(), waiting_.end());
  }

  // The node that goes on with a multiway question: it asks for the next branch, before all else.
  void make_link(Waiting at, const Waiting& from) {
    describe_node(at.node, sample(at.begin, at.end));
    at.split = from.split;
    at.branch = from.branch + 1;
    at.split.question =
        branch_question(at.split, data_.table.column(at.split.question.feature), at.branch);
    at.urgency = std::numeric_limits<double>::infinity();
    wait(std::move(at));
  }

  // Gives a node its numbers, finds its best question and lets it wait.
  void make_node(Waiting at) {
    const NodeSample here = sample(at.begin, at.end);
    const NodeState state = describe_node(at.node, here);
    LeafReason reason = early_reason(at, state);
    candidates_.clear();
    boundaries_.clear();
    if (reason == LeafReason::none) {
      search(here, state);
      at.split = choose(state);
      at.improvement = state.weight / own_.total * at.split.gain;
      const bool by_depth = options_.order == TreeOrder::depth_wise;
      at.urgency = by_depth ? -static_cast<double>(at.depth) : at.improvement;
      const double noise = kGainTie * state.impurity;
      if (!at.split.found) {
        reason = LeafReason::inseparable;
      } else if (at.improvement + noise < options_.min_impurity_decrease) {
        reason = LeafReason::little_gained;
      }
    }
    if (options_.observe) {
      const double mean = candidates_.empty() ? kNoLeast : least_gain();
      options_.observe({.node = at.node,
                        .parent = at.parent,
                        .sample = here,
                        .state = state,
                        .leaf = reason,
                        .candidates = candidates_,
                        .boundaries = boundaries_,
                        .chosen = at.split,
                        .trees = out_.trees,
                        .table = data_.table,
                        .known_only = options_.surrogates != nullptr,
                        .mean_gain = mean > kNoLeast ? std::optional(mean) : std::nullopt});
    }
    if (reason == LeafReason::none) wait(std::move(at));
  }

  void set_value(std::size_t node, const NodeState& state) {
    if (data_.classes == 0) {
      out_.trees.value[node] = state.center;
      return;
    }
    for (std::size_t k = 0; k < data_.classes; ++k) {
      out_.trees.value[node * data_.classes + k] = state.counts[k] / state.weight;
    }
  }

  void search(const NodeSample& here, const NodeState& state) {
    if (options_.max_features > 0 || options_.thresholds == Thresholds::random) {
      return search_drawn(here, state);
    }
    candidates_.assign(columns_.size(), {});
    if (options_.observe) boundaries_.assign(columns_.size(), {});
    // Whether what gains less than another column is of no interest.
    const bool only_best = !options_.observe && !options_.merit &&
                           options_.criterion == TreeCriterion::gini &&
                           options_.surrogates == nullptr;
    const auto search_column = [&](std::size_t j, ColumnSearch& searcher) {
      std::vector<Boundary>* boundaries = options_.observe ? &boundaries_[j] : nullptr;
      if (options_.surrogates != nullptr && has_holes(here, j)) {
        candidates_[j] = search_known(here, state, {j, boundaries, &searcher.scratch()});
        return;
      }
      candidates_[j] = searcher.search(data_.table.column(j), j, boundaries);
      // Of those that gain as much, the first column is asked.
      if (only_best && candidates_[j].found) searcher.raise_floor(candidates_[j].gain);
    };
    const auto search_from = [&](std::size_t first, std::size_t step, SearchScratch& scratch) {
      ColumnSearch searcher(here, state, limits_, scratch);
      for (std::size_t j = first; j < columns_.size(); j += step) search_column(j, searcher);
    };
    if (alone_ || here.size() * columns_.size() < kParallelCells) {
      return search_from(0, 1, scratch_[0]);
    }
    const std::size_t groups = std::min(kGroups, columns_.size());
    scratch_.resize(std::max(scratch_.size(), groups));
    parallel::for_each_index(context_, groups,
                             [&](std::size_t g) { search_from(g, groups, scratch_[g]); });
  }

  bool has_holes(const NodeSample& here, std::size_t j) const {
    const RankedColumn& column = data_.table.column(j);
    return std::any_of(here.rows.begin(), here.rows.end(),
                       [&](std::uint32_t row) { return column.is_missing(column.rank[row]); });
  }

  struct KnownSearch {
    std::size_t feature;
    std::vector<Boundary>* boundaries;
    SearchScratch* scratch;
  };

  // The best question about the rows whose value is known; its gain counts for their share only.
  ExactSplit search_known(const NodeSample& here, const NodeState& state,
                          const KnownSearch& what) const {
    const RankedColumn& column = data_.table.column(what.feature);
    std::vector<std::uint32_t> rows;
    std::vector<std::int32_t> codes;
    std::vector<double> numbers;
    std::vector<double> weights;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (column.is_missing(column.rank[here.rows[i]])) continue;
      rows.push_back(here.rows[i]);
      weights.push_back(here.weights[i]);
      if (data_.classes > 0) {
        codes.push_back(here.codes[i]);
      } else {
        numbers.push_back(here.numbers[i]);
      }
    }
    ExactSplit nothing;
    nothing.question.feature = what.feature;
    if (rows.size() < 2) return nothing;
    const NodeSample known{rows, codes, numbers, weights, data_.classes};
    const NodeState known_state = state_of(known, options_.criterion);
    if (known_state.pure) return nothing;
    ColumnSearch searcher(known, known_state, limits_, *what.scratch);
    ExactSplit split = searcher.search(column, what.feature, what.boundaries);
    const double share = known_state.weight / state.weight;
    split.gain *= share;
    if (what.boundaries != nullptr) {
      for (Boundary& boundary : *what.boundaries) boundary.gain *= share;
    }
    return split;
  }

  // Draws columns until enough were tried and one of them was not constant. Even where all are
  // tried, chance decides which of equal ones is asked: trees of a forest shall differ.
  void search_drawn(const NodeSample& here, const NodeState& state) {
    bool any = false;
    ColumnSearch searcher(here, state, limits_, scratch_[0]);
    RandomSplit drawer(here, state, limits_, scratch_[0]);
    const bool by_chance = options_.thresholds == Thresholds::random;
    const std::size_t enough = options_.max_features > 0 ? options_.max_features : columns_.size();
    for (std::size_t drawn = 0; drawn < columns_.size(); ++drawn) {
      if (drawn >= enough && any) break;
      std::swap(columns_[drawn], columns_[drawn + stream_.below(columns_.size() - drawn)]);
      const std::size_t j = columns_[drawn];
      const RankedColumn& column = data_.table.column(j);
      candidates_.push_back(by_chance ? drawer.draw(column, j, stream_)
                                      : searcher.search(column, j));
      any = any || !candidates_.back().constant;
    }
  }

  // By what a candidate is compared with the others.
  double merit_of(const ExactSplit& candidate) const {
    double measure = candidate.gain;
    if (options_.criterion == TreeCriterion::gain_ratio) {
      measure = candidate.split_information > 0 ? measure / candidate.split_information : 0;
    }
    return options_.merit ? options_.merit(candidate.question.feature, measure) : measure;
  }

  // What a column must gain to be compared by its gain ratio: the mean (Quinlan 1993, section 2.2).
  // Where costs count, a column that gains little may still be worth its price.
  double least_gain() const {
    if (options_.criterion != TreeCriterion::gain_ratio || options_.merit) {
      return kNoLeast;
    }
    double sum = 0;
    double found = 0;
    for (const ExactSplit& candidate : candidates_) {
      if (!candidate.found) continue;
      sum += candidate.gain;
      ++found;
    }
    return found > 0 ? sum / found : 0;
  }

  // The largest merit; among those that are equal up to rounding, the first that was tried.
  ExactSplit choose(const NodeState& state) {
    const double tie = kGainTie * state.impurity;
    const double least = least_gain() - tie;
    ExactSplit* best = nullptr;
    for (ExactSplit& candidate : candidates_) {
      if (!candidate.found) continue;
      candidate.merit = merit_of(candidate);
      if (candidate.gain < least) continue;
      if (best == nullptr || candidate.merit > best->merit + tie) best = &candidate;
    }
    if (best == nullptr) return {};
    // Sets of categories are long: copied only for those who are told of all candidates.
    return options_.observe ? *best : std::move(*best);
  }

  void split(const Waiting& at) {
    const std::size_t middle = distribute(at);
    const std::size_t yes = out_.trees.split(at.node, at.split.question);
    if (!at.split.question.set.empty()) {
      context_.require_memory(out_.trees.sets.size() * sizeof(std::uint32_t),
                              "the categories that a tree asks for");
    }
    out_.importances[at.split.question.feature] += at.improvement;
    improvement_[at.node] = at.improvement;
    note_node();
    Waiting left{.node = yes, .parent = at.node, .begin = at.begin, .end = middle};
    Waiting right{.node = yes + 1, .parent = at.node, .begin = middle, .end = at.end};
    left.depth = right.depth = at.depth + 1;
    const std::size_t before = waiting_.size();
    make_node(std::move(left));
    if (more_leaves(at) > 1) {
      right.depth = at.depth;
      make_link(std::move(right), at);
    } else {
      make_node(std::move(right));
    }
    // The stack gives the left child back first.
    const bool both = waiting_.size() == before + 2;
    if (both && !options_.max_leaves) std::swap(waiting_[before], waiting_[before + 1]);
  }

  template <class T>
  void move_stably(std::vector<T>& items, std::size_t begin, std::vector<T>& spare) {
    spare.resize(std::max(spare.size(), sides_.size()));
    std::size_t left = begin;
    std::size_t right = 0;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const T item = items[begin + i];
      items[left] = item;
      spare[right] = item;
      left += sides_[i];
      right += 1 - sides_[i];
    }
    std::copy_n(spare.begin(), right, items.begin() + static_cast<std::ptrdiff_t>(left));
  }

  // Moves the rows of a node into the two ranges of its children; returns where the second begins.
  std::size_t distribute(const Waiting& at) {
    const RankedColumn& column = data_.table.column(at.split.question.feature);
    sides_.resize(at.end - at.begin);
    if (options_.surrogates != nullptr) {
      options_.surrogates->find(at.node, sample(at.begin, at.end), at.split);
    }
    const std::uint32_t* rank =
        ranks_in(sample(at.begin, at.end), column, at.split.question.feature);
    std::size_t left = 0;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const std::uint32_t row = own_.rows[at.begin + i];
      bool goes = goes_left(at.split, column, rank[row]);
      if (options_.surrogates != nullptr && column.is_missing(rank[row])) {
        const Side side = options_.surrogates->side_of(at.node, row);
        if (side != Side::unknown) goes = side == Side::left;
      }
      sides_[i] = goes ? 1 : 0;
      left += sides_[i];
    }
    move_stably(own_.rows, at.begin, spare_rows_);
    move_stably(own_.weights, at.begin, spare_numbers_);
    if (data_.classes > 0) {
      move_stably(own_.codes, at.begin, spare_codes_);
    } else {
      move_stably(own_.numbers, at.begin, spare_numbers_);
    }
    GRADUS_ASSERT(left > 0 && left < sides_.size());
    return at.begin + left;
  }

  const ExactData& data_;
  const Context& context_;
  const ExactOptions& options_;
  Stream stream_;
  SplitLimits limits_;
  GrowthRows& own_;
  std::vector<double> improvement_;  // node
  std::size_t part_rows_ = 0;        // nodes with as few rows are left for later
  std::vector<Waiting> parts_;
  bool alone_ = false;                             // one of many that grow side by side
  std::vector<std::uint32_t> local_cells_;         // columns x rows of a part
  std::vector<const std::uint32_t*> local_ranks_;  // by column; empty: those of the table
  std::vector<std::uint8_t> sides_;
  std::vector<std::uint32_t> spare_rows_;
  std::vector<std::int32_t> spare_codes_;
  std::vector<double> spare_numbers_;
  std::vector<std::size_t> columns_;
  std::vector<SearchScratch> scratch_;
  std::vector<ExactSplit> candidates_;
  std::vector<std::vector<Boundary>> boundaries_;
  std::vector<Waiting> waiting_;  // a stack, or a heap with max_leaves
  ExactTree out_;
};

}  // namespace

void ExactTree::check(std::size_t width, std::size_t features) const {
  const std::size_t nodes = trees.nodes();
  const bool fits = trees.count() == 1 && static_cast<std::size_t>(trees.width) == width &&
                    rows.size() == nodes && weight.size() == nodes && impurity.size() == nodes &&
                    importances.size() == features;
  bool sound = fits;
  for (std::size_t node = 0; fits && node < nodes; ++node) {
    sound = sound && rows[node] > 0 && weight[node] > 0 && std::isfinite(weight[node]) &&
            std::isfinite(impurity[node]);
  }
  for (const double x : importances) sound = sound && std::isfinite(x);
  if (!sound) throw Error(ErrorKind::bad_data, "model", "the tree is damaged");
  trees.check(features);
}

ExactTree ExactGrower::grow(std::span<const double> weights, const ExactOptions& options) const {
  if (!drawn_tree_pays(data_, context_, options) && suits_class_tree(data_, weights, options)) {
    return grow_class_tree(data_, context_, weights, options).whole();
  }
  if (suits_number_tree(data_, options)) {
    return grow_number_tree(data_, context_, weights, options);
  }
  if (suits_drawn_tree(data_, context_, options)) {
    return grow_drawn_tree(data_, context_, weights, options);
  }
  GrowthRows rows(data_, weights);
  return Growth(data_, context_, options, rows).run();
}

}  // namespace gradus
