// Growing the tree: an explicit stack of row ranges, counted column by column.
//
// The rows of a node are a range of one index array, in ascending order; a split moves them stably
// into the ranges of its children. Each attribute is counted into its own levels x classes table,
// so large nodes count their attributes in parallel and the result is the same for any number of
// threads.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/tree/id3/events.hpp"
#include "gradus/models/tree/id3/explain.hpp"
#include "gradus/models/tree/id3/model.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Below this many cells a node is counted by one thread: waking others would cost more.
constexpr std::size_t kParallelCells = std::size_t{1} << 16;

// More nodes than anybody can use: an attribute with a level per row explodes quietly otherwise.
constexpr std::size_t kMaxNodes = std::size_t{1} << 26;

using Attributes = std::vector<std::size_t>;

struct Pending {
  std::size_t node = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::shared_ptr<const Attributes> attributes;  // not used on the way here, in column order
};

class Grower {
 public:
  Grower(const Id3& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        classes_(task.signature.classes.size()),
        paths_(model_, task.signature) {
    model_.classes = static_cast<std::int32_t>(classes_);
    for (const FeatureName& name : task.signature.features) {
      model_.levels.push_back(static_cast<std::int32_t>(name.levels.size()));
      tables_.emplace_back(name.levels.size() * classes_, 0.0);
    }
    read_codes();
    rows_.reserve(task.rows());
    for (std::size_t row = 0; row < task.rows(); ++row) {
      if (task.weight(row) > 0) rows_.push_back(static_cast<std::uint32_t>(row));
    }
    moved_.resize(rows_.size());
  }

  Id3Model grow() {
    Attributes all;  // an attribute without any level cannot be asked for
    for (std::size_t feature = 0; feature < model_.levels.size(); ++feature) {
      if (model_.levels[feature] > 0) all.push_back(feature);
    }
    attributes_ = all.size();
    add_nodes(1);
    for (const std::uint32_t row : rows_) counts_at(0)[class_of(row)] += task_.weight(row);
    total_ = total_of(model_.counts_of(0));
    stack_.push_back({0, 0, rows_.size(), std::make_shared<const Attributes>(std::move(all))});
    while (!stack_.empty()) {
      context_.stop_if_cancelled();
      const Pending pending = std::move(stack_.back());
      stack_.pop_back();
      visit(pending);
    }
    if (context_.trace != nullptr) explain_id3_tree(model_, task_.signature, *context_.trace);
    return std::move(model_);
  }

 private:
  std::size_t class_of(std::size_t row) const {
    return static_cast<std::size_t>(task_.classes[row]);
  }
  double* counts_at(std::size_t node) { return model_.counts.data() + node * classes_; }

  void read_codes() {
    const std::size_t bytes = task_.rows() * task_.features.cols() * sizeof(std::int32_t);
    context_.require_memory(bytes, "the categories of all rows");
    codes_ = parallel::map_slots<std::vector<std::int32_t>>(
        context_, task_.features.cols(), [&](std::size_t f) { return task_.features.codes(f); });
    for (std::size_t feature = 0; feature < codes_.size(); ++feature) {
      const std::int32_t levels = model_.levels[feature];
      for (const std::int32_t code : codes_[feature]) {
        GRADUS_ASSERT(levels == 0 || (code >= 0 && code < levels));
      }
    }
  }

  void add_nodes(std::size_t count) {
    const std::size_t nodes = model_.nodes() + count;
    if (nodes > kMaxNodes) {
      throw Error(ErrorKind::limit, "", fmt::format("the tree has more than {} nodes", kMaxNodes),
                  "leave out columns with very many categories (--ignore), or set --max_depth");
    }
    context_.require_memory(nodes * (classes_ * sizeof(double) + 16), "the tree");
    model_.feature.resize(nodes, Id3Model::kLeaf);
    model_.first_child.resize(nodes, 0);
    model_.counts.resize(nodes * classes_, 0.0);
  }

  // The table of one attribute over the rows of a node.
  void count(const Pending& at, std::size_t feature) {
    std::vector<double>& table = tables_[feature];
    std::fill(table.begin(), table.end(), 0.0);
    const std::int32_t* codes = codes_[feature].data();
    const std::int32_t* target = task_.classes.data();
    const auto cell = [&](std::uint32_t row) -> double& {
      return table[static_cast<std::size_t>(codes[row]) * classes_ +
                   static_cast<std::size_t>(target[row])];
    };
    if (task_.weights.empty()) {
      for (std::size_t i = at.begin; i < at.end; ++i) cell(rows_[i]) += 1;
    } else {
      for (std::size_t i = at.begin; i < at.end; ++i) cell(rows_[i]) += task_.weights[rows_[i]];
    }
  }

  Id3Candidate try_attribute(const Pending& at, std::size_t feature) {
    count(at, feature);
    const Partition parts{tables_[feature], classes_};
    std::size_t filled = 0;
    for (std::size_t level = 0; level < parts.parts(); ++level) {
      filled += total_of(parts.part(level)) > 0 ? 1 : 0;
    }
    return {feature, gain(&entropy, model_.counts_of(at.node), parts), filled > 1};
  }

  std::vector<Id3Candidate> try_all(const Pending& at) {
    std::vector<Id3Candidate> out(at.attributes->size());
    const auto body = [&](std::size_t i) { out[i] = try_attribute(at, (*at.attributes)[i]); };
    if ((at.end - at.begin) * at.attributes->size() >= kParallelCells) {
      parallel::for_each_index(context_, out.size(), body);
    } else {
      for (std::size_t i = 0; i < out.size(); ++i) body(i);
    }
    return out;
  }

  // Why a node is a leaf before any attribute is tried.
  Id3Leaf early_leaf(const Pending& at) const {
    const std::span<const double> counts = model_.counts_of(at.node);
    const std::size_t rows = at.end - at.begin;
    if (rows == 0) return Id3Leaf::empty;
    if (counts[majority(counts)] == total_of(counts)) return Id3Leaf::pure;
    if (at.attributes->empty()) return Id3Leaf::exhausted;
    const std::size_t depth = attributes_ - at.attributes->size();
    if (learner_.max_depth && depth >= static_cast<std::size_t>(*learner_.max_depth)) {
      return Id3Leaf::depth_limit;
    }
    if (rows < static_cast<std::size_t>(learner_.min_samples_split)) return Id3Leaf::few_rows;
    return Id3Leaf::none;
  }

  Id3Leaf late_leaf(const Pending& at, std::span<const Id3Candidate> candidates,
                    std::size_t chosen) const {
    const bool any = std::any_of(candidates.begin(), candidates.end(),
                                 [](const Id3Candidate& c) { return c.separates; });
    if (!any) return Id3Leaf::inseparable;
    const double share = total_of(model_.counts_of(at.node)) / total_;
    const bool enough = share * candidates[chosen].gain >= learner_.min_impurity_decrease;
    return enough ? Id3Leaf::none : Id3Leaf::little_gained;
  }

  // The largest gain; among gains that are equal up to rounding, the first column.
  static std::size_t choose(std::span<const Id3Candidate> candidates) {
    double best = 0;
    for (const Id3Candidate& candidate : candidates) best = std::max(best, candidate.gain);
    std::size_t chosen = 0;
    while (candidates[chosen].gain < best - kId3Tie) ++chosen;
    return chosen;
  }

  void visit(const Pending& at) {
    Id3NodeEvent event{.node = at.node, .rows = at.end - at.begin, .leaf = early_leaf(at)};
    std::vector<Id3Candidate> candidates;
    if (event.leaf == Id3Leaf::none) {
      candidates = try_all(at);
      event.chosen = choose(candidates);
      event.leaf = late_leaf(at, candidates, event.chosen);
      event.candidates = candidates;
      event.counts = tables_;
    }
    if (context_.trace != nullptr && context_.trace->wants_more()) {
      explain_id3_node(event, model_, paths_, task_.signature, *context_.trace);
    }
    if (event.leaf == Id3Leaf::none) split(at, candidates[event.chosen].feature);
  }

  void split(const Pending& at, std::size_t feature) {
    const auto levels = static_cast<std::size_t>(model_.levels[feature]);
    const std::size_t first = model_.nodes();
    add_nodes(levels);
    model_.feature[at.node] = static_cast<std::int32_t>(feature);
    model_.first_child[at.node] = static_cast<std::int32_t>(first);
    std::copy(tables_[feature].begin(), tables_[feature].end(), counts_at(first));
    if (context_.trace != nullptr) paths_.add_children(at.node);
    const std::vector<std::size_t> ends = distribute(at, feature);
    Attributes unused = *at.attributes;
    std::erase(unused, feature);
    const auto left = std::make_shared<const Attributes>(std::move(unused));
    // Last level first, so that the stack gives them back in order.
    for (std::size_t level = levels; level-- > 0;) {
      const std::size_t begin = level == 0 ? at.begin : ends[level - 1];
      const bool silent = begin == ends[level] && context_.trace == nullptr;
      if (!silent) stack_.push_back({first + level, begin, ends[level], left});
    }
  }

  // Moves the rows of a node into one range per level; returns where each range ends.
  std::vector<std::size_t> distribute(const Pending& at, std::size_t feature) {
    const auto levels = static_cast<std::size_t>(model_.levels[feature]);
    const std::int32_t* codes = codes_[feature].data();
    std::vector<std::size_t> next(levels, 0);
    for (std::size_t i = at.begin; i < at.end; ++i) {
      ++next[static_cast<std::size_t>(codes[rows_[i]])];
    }
    std::exclusive_scan(next.begin(), next.end(), next.begin(), at.begin);
    for (std::size_t i = at.begin; i < at.end; ++i) {
      moved_[next[static_cast<std::size_t>(codes[rows_[i]])]++] = rows_[i];
    }
    std::copy(moved_.begin() + static_cast<std::ptrdiff_t>(at.begin),
              moved_.begin() + static_cast<std::ptrdiff_t>(at.end),
              rows_.begin() + static_cast<std::ptrdiff_t>(at.begin));
    return next;
  }

  const Id3& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t classes_;
  Id3Model model_;
  Id3Paths paths_;
  double total_ = 0;
  std::size_t attributes_ = 0;
  std::vector<std::vector<std::int32_t>> codes_;  // by feature
  std::vector<std::vector<double>> tables_;       // by feature: levels x classes
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> moved_;
  std::vector<Pending> stack_;
};

}  // namespace

Id3Model Id3::fit(const TrainTask& task, const Context& context) const {
  return Grower(*this, task, context).grow();
}

}  // namespace gradus
