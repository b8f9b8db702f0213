// Growing the tree: an explicit stack of row ranges, each counted in one pass.
//
// The rows of a node stand together, in ascending order, their categories packed into as few bytes
// as the levels need; a split moves them stably into the ranges of its children. So a node is read
// from end to end, and every attribute is counted into its own levels x classes table on the way.
// Large nodes count groups of attributes in parallel; the result is the same for any number of
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

// Attributes that one task counts together: enough to hide the latency of a counter.
constexpr std::size_t kCountedTogether = 4;

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

// The rows of the whole tree, node by node: categories of all attributes side by side.
template <class Code>
class Rows {
 public:
  Rows(const TrainTask& task, const Context& context) : width_(task.features.cols()) {
    for (std::size_t row = 0; row < task.rows(); ++row) {
      if (task.weight(row) > 0) source_.push_back(static_cast<std::uint32_t>(row));
    }
    context.require_memory(source_.size() * (width_ * sizeof(Code) * 2 + 24),
                           "the categories of all rows");
    codes_.resize(source_.size() * width_);
    for (const std::uint32_t row : source_) target_.push_back(task.classes[row]);
    parallel::for_each_index(context, width_, [&](std::size_t feature) {
      const std::vector<std::int32_t> codes = task.features.codes(feature);
      const auto levels = static_cast<std::int32_t>(task.signature.features.levels(feature).size());
      for (std::size_t i = 0; i < source_.size(); ++i) {
        const std::int32_t code = codes[source_[i]];
        GRADUS_ASSERT(levels == 0 || (code >= 0 && code < levels));
        codes_[i * width_ + feature] = static_cast<Code>(code);
      }
    });
    moved_codes_.resize(codes_.size());
    moved_source_.resize(source_.size());
    moved_target_.resize(target_.size());
  }

  std::size_t size() const { return source_.size(); }
  const Code* codes(std::size_t i) const { return codes_.data() + i * width_; }
  std::size_t target(std::size_t i) const { return static_cast<std::size_t>(target_[i]); }
  std::size_t source(std::size_t i) const { return source_[i]; }  // the row of the table

  // Moves rows [begin, end) into one range per level of `feature`; returns where each range ends.
  std::vector<std::size_t> distribute(std::size_t begin, std::size_t end, std::size_t feature,
                                      std::size_t levels) {
    std::vector<std::size_t> next(levels, 0);
    for (std::size_t i = begin; i < end; ++i) ++next[codes(i)[feature]];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), begin);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t to = next[codes(i)[feature]]++;
      std::copy_n(codes(i), width_, moved_codes_.data() + to * width_);
      moved_source_[to] = source_[i];
      moved_target_[to] = target_[i];
    }
    copy_back(moved_codes_, codes_, begin * width_, end * width_);
    copy_back(moved_source_, source_, begin, end);
    copy_back(moved_target_, target_, begin, end);
    return next;
  }

 private:
  template <class T>
  static void copy_back(const std::vector<T>& from, std::vector<T>& to, std::size_t begin,
                        std::size_t end) {
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end),
              to.begin() + static_cast<std::ptrdiff_t>(begin));
  }

  std::size_t width_;
  std::vector<Code> codes_;  // rows x attributes
  std::vector<std::uint32_t> source_;
  std::vector<std::int32_t> target_;
  std::vector<Code> moved_codes_;
  std::vector<std::uint32_t> moved_source_;
  std::vector<std::int32_t> moved_target_;
};

template <class Code>
class Grower {
 public:
  Grower(const Id3& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        classes_(task.signature.classes.size()),
        paths_(model_, task.signature),
        rows_(task, context) {
    model_.classes = static_cast<std::int32_t>(classes_);
    for (const FeatureName& name : task.signature.features) {
      model_.levels.push_back(static_cast<std::int32_t>(name.levels.size()));
      tables_.emplace_back(name.levels.size() * classes_, 0.0);
    }
  }

  Id3Model grow() {
    Attributes all;  // an attribute without any level cannot be asked for
    for (std::size_t feature = 0; feature < model_.levels.size(); ++feature) {
      if (model_.levels[feature] > 0) all.push_back(feature);
    }
    attributes_ = all.size();
    add_nodes(1);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      counts_at(0)[rows_.target(i)] += task_.weight(rows_.source(i));
    }
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
  double* counts_at(std::size_t node) { return model_.counts.data() + node * classes_; }

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

  // The tables of some attributes over the rows of a node.
  void count(const Pending& at, std::span<const std::size_t> features) {
    double* tables[kCountedTogether] = {};
    for (std::size_t k = 0; k < features.size(); ++k) {
      std::fill(tables_[features[k]].begin(), tables_[features[k]].end(), 0.0);
      tables[k] = tables_[features[k]].data();
    }
    for (std::size_t i = at.begin; i < at.end; ++i) {
      const Code* codes = rows_.codes(i);
      const std::size_t target = rows_.target(i);
      const double weight = task_.weights.empty() ? 1.0 : task_.weights[rows_.source(i)];
      for (std::size_t k = 0; k < features.size(); ++k) {
        tables[k][codes[features[k]] * classes_ + target] += weight;
      }
    }
  }

  Id3Candidate candidate(const Pending& at, std::size_t feature) const {
    const Partition parts{tables_[feature], classes_};
    std::size_t filled = 0;
    for (std::size_t level = 0; level < parts.parts(); ++level) {
      filled += total_of(parts.part(level)) > 0 ? 1 : 0;
    }
    return {feature, gain(&entropy, model_.counts_of(at.node), parts), filled > 1};
  }

  std::vector<Id3Candidate> try_all(const Pending& at) {
    const std::span<const std::size_t> all(*at.attributes);
    std::vector<Id3Candidate> out(all.size());
    const auto body = [&](parallel::Block block) {
      const auto some = all.subspan(block.begin, block.size());
      count(at, some);
      for (std::size_t k = 0; k < some.size(); ++k) out[block.begin + k] = candidate(at, some[k]);
    };
    const bool large = (at.end - at.begin) * all.size() >= kParallelCells;
    Context alone = context_;
    alone.threads = 1;
    parallel::for_each_block(large ? context_ : alone, all.size(), kCountedTogether, body);
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
    const std::vector<std::size_t> ends = rows_.distribute(at.begin, at.end, feature, levels);
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

  const Id3& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t classes_;
  Id3Model model_;
  Id3Paths paths_;
  double total_ = 0;
  std::size_t attributes_ = 0;
  Rows<Code> rows_;
  std::vector<std::vector<double>> tables_;  // by feature: levels x classes
  std::vector<Pending> stack_;
};

}  // namespace

Id3Model Id3::fit(const TrainTask& task, const Context& context) const {
  std::size_t most = 0;
  for (const FeatureName& name : task.signature.features) most = std::max(most, name.levels.size());
  if (most <= 1U << 8) return Grower<std::uint8_t>(*this, task, context).grow();
  if (most <= 1U << 16) return Grower<std::uint16_t>(*this, task, context).grow();
  return Grower<std::uint32_t>(*this, task, context).grow();
}

}  // namespace gradus
