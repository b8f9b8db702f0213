#include "gradus/blocks/splitter/exact_grow.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Nodes with more cells than this are searched by several threads, columns in turn.
constexpr std::size_t kParallelCells = std::size_t{1} << 16U;
constexpr std::size_t kGroups = 16;

struct Waiting {
  std::size_t node = 0;
  std::size_t parent = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;
  double improvement = 0;
  ExactSplit split = {};
  // Best first; among equals the node that was made first.
  bool operator<(const Waiting& other) const {
    return improvement != other.improvement ? improvement < other.improvement : node > other.node;
  }
};

class Growth {
 public:
  Growth(const ExactData& data, const Context& context, const ExactOptions& options,
         std::span<const double> weights)
      : data_(data), context_(context), options_(options), stream_(options.stream) {
    limits_ = {options.criterion, options.min_samples_leaf, options.min_weight_leaf};
    for (std::size_t row = 0; row < weights.size(); ++row) {
      if (!(weights[row] > 0)) continue;
      rows_.push_back(static_cast<std::uint32_t>(row));
      weights_.push_back(weights[row]);
      total_ += weights[row];
      if (data.classes > 0) {
        codes_.push_back(data.codes[row]);
      } else {
        numbers_.push_back(data.numbers[row]);
      }
    }
    out_.trees.width = static_cast<std::int32_t>(std::max<std::size_t>(1, data.classes));
    out_.importances.assign(data.table.cols(), 0.0);
    columns_.resize(data.table.cols());
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    scratch_.resize(1);
  }

  ExactTree run() {
    const bool best_first = options_.max_leaves.has_value();
    out_.trees.begin_tree();
    note_node();
    make_node({.node = 0, .begin = 0, .end = rows_.size()});
    std::size_t leaves = 1;
    while (!waiting_.empty()) {
      context_.stop_if_cancelled();
      if (best_first && leaves >= *options_.max_leaves) break;
      if (best_first) std::pop_heap(waiting_.begin(), waiting_.end());
      const Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      split(next);
      ++leaves;
    }
    return std::move(out_);
  }

 private:
  NodeSample sample(std::size_t begin, std::size_t end) const {
    const std::size_t size = end - begin;
    NodeSample out;
    out.rows = std::span(rows_).subspan(begin, size);
    out.weights = std::span(weights_).subspan(begin, size);
    if (data_.classes > 0) {
      out.codes = std::span(codes_).subspan(begin, size);
    } else {
      out.numbers = std::span(numbers_).subspan(begin, size);
    }
    out.classes = data_.classes;
    return out;
  }

  void note_node() {
    out_.rows.resize(out_.trees.nodes(), 0);
    out_.weight.resize(out_.trees.nodes(), 0.0);
    out_.impurity.resize(out_.trees.nodes(), 0.0);
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

  // Gives a node its numbers, finds its best question and lets it wait.
  void make_node(Waiting at) {
    const NodeSample here = sample(at.begin, at.end);
    const NodeState state = state_of(here, options_.criterion);
    out_.rows[at.node] = static_cast<std::int32_t>(here.size());
    out_.weight[at.node] = state.weight;
    out_.impurity[at.node] = state.impurity;
    set_value(at.node, state);
    LeafReason reason = early_reason(at, state);
    candidates_.clear();
    boundaries_.clear();
    if (reason == LeafReason::none) {
      search(here, state);
      at.split = choose(state);
      at.improvement = state.weight / total_ * at.split.gain;
      const double noise = kGainTie * state.impurity;
      if (!at.split.found) {
        reason = LeafReason::inseparable;
      } else if (at.improvement + noise < options_.min_impurity_decrease) {
        reason = LeafReason::little_gained;
      }
    }
    if (options_.observe) {
      options_.observe({at.node, at.parent, here.size(), state, reason, candidates_, boundaries_,
                        at.split, out_.trees});
    }
    if (reason != LeafReason::none) return;
    waiting_.push_back(std::move(at));
    if (options_.max_leaves) std::push_heap(waiting_.begin(), waiting_.end());
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
    if (options_.max_features > 0 && options_.max_features < columns_.size()) {
      return search_some(here, state);
    }
    candidates_.assign(columns_.size(), {});
    if (options_.observe) boundaries_.assign(columns_.size(), {});
    const auto search_column = [&](std::size_t j, SearchScratch& scratch) {
      ColumnSearch searcher(here, state, limits_, scratch);
      candidates_[j] =
          searcher.search(data_.table.column(j), j, options_.observe ? &boundaries_[j] : nullptr);
    };
    if (here.size() * columns_.size() < kParallelCells) {
      for (std::size_t j = 0; j < columns_.size(); ++j) search_column(j, scratch_[0]);
      return;
    }
    const std::size_t groups = std::min(kGroups, columns_.size());
    scratch_.resize(std::max(scratch_.size(), groups));
    parallel::for_each_index(context_, groups, [&](std::size_t g) {
      for (std::size_t j = g; j < columns_.size(); j += groups) search_column(j, scratch_[g]);
    });
  }

  // Draws columns until enough were tried and one of them was not constant.
  void search_some(const NodeSample& here, const NodeState& state) {
    bool any = false;
    ColumnSearch searcher(here, state, limits_, scratch_[0]);
    for (std::size_t drawn = 0; drawn < columns_.size(); ++drawn) {
      if (drawn >= options_.max_features && any) break;
      std::swap(columns_[drawn], columns_[drawn + stream_.below(columns_.size() - drawn)]);
      const std::size_t j = columns_[drawn];
      candidates_.push_back(searcher.search(data_.table.column(j), j));
      any = any || !candidates_.back().constant;
    }
  }

  // The largest gain; among gains that are equal up to rounding, the first that was tried.
  ExactSplit choose(const NodeState& state) const {
    const double tie = kGainTie * state.impurity;
    const ExactSplit* best = nullptr;
    for (const ExactSplit& candidate : candidates_) {
      if (!candidate.found) continue;
      if (best == nullptr || candidate.gain > best->gain + tie) best = &candidate;
    }
    return best == nullptr ? ExactSplit{} : *best;
  }

  void split(const Waiting& at) {
    const std::size_t middle = distribute(at);
    const std::size_t yes = out_.trees.split(at.node, at.split.question);
    out_.importances[at.split.question.feature] += at.improvement;
    note_node();
    Waiting left{.node = yes, .parent = at.node, .begin = at.begin, .end = middle};
    Waiting right{.node = yes + 1, .parent = at.node, .begin = middle, .end = at.end};
    left.depth = right.depth = at.depth + 1;
    const std::size_t before = waiting_.size();
    make_node(std::move(left));
    make_node(std::move(right));
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
    std::size_t left = 0;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      sides_[i] = goes_left(at.split, column, column.rank[rows_[at.begin + i]]) ? 1 : 0;
      left += sides_[i];
    }
    move_stably(rows_, at.begin, spare_rows_);
    move_stably(weights_, at.begin, spare_numbers_);
    if (data_.classes > 0) {
      move_stably(codes_, at.begin, spare_codes_);
    } else {
      move_stably(numbers_, at.begin, spare_numbers_);
    }
    GRADUS_ASSERT(left > 0 && left < sides_.size());
    return at.begin + left;
  }

  const ExactData& data_;
  const Context& context_;
  const ExactOptions& options_;
  Stream stream_;
  SplitLimits limits_;
  double total_ = 0;
  std::vector<std::uint32_t> rows_;
  std::vector<std::int32_t> codes_;
  std::vector<double> numbers_;
  std::vector<double> weights_;
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
  return Growth(data_, context_, options, weights).run();
}

}  // namespace gradus
