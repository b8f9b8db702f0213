#include "gradus/blocks/stump/stump.hpp"

#include <algorithm>
#include <numeric>

#include "gradus/blocks/splitter/running_sums.hpp"
#include "gradus/blocks/tree/between.hpp"
#include "gradus/core/error.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// The best boundary of one column so far.
struct Found {
  double rest = std::numeric_limits<double>::infinity();  // W·I that it leaves
  std::size_t cut = 0;                                    // positions [0, cut) go left
  bool missing_left = false;
  bool any = false;
};

class Scan {
 public:
  Scan(const StumpTable& table, const NodeSample& sample, const NodeState& state,
       TreeCriterion criterion)
      : table_(table),
        sample_(sample),
        state_(state),
        criterion_(criterion),
        tie_(kGainTie * state.impurity * state.weight) {
    if (criterion == TreeCriterion::misclassification && sample.classes == 2) {
      signed_.resize(sample.size());
      for (std::size_t i = 0; i < signed_.size(); ++i) {
        signed_[i] = sample.codes[i] == 1 ? sample.weights[i] : -sample.weights[i];
      }
    }
  }

  ExactSplit column(std::size_t j) const {
    const RankedColumn& column = table_.table().column(j);
    if (column.nominal) {
      SearchScratch scratch;
      return ColumnSearch(sample_, state_, {.criterion = criterion_}, scratch).search(column, j);
    }
    ExactSplit split;
    split.question.feature = j;
    Found best;
    scan(j, false, best);
    if (table_.present(j) < sample_.size()) scan(j, true, best);
    if (!best.any) return split;
    const auto rank = [&](std::size_t at) {
      return column.rank[sample_.rows[table_.order(j)[at] & ~StumpTable::kLast]];
    };
    split.found = true;
    split.constant = false;
    split.gain = state_.impurity - best.rest / state_.weight;
    split.rank = rank(best.cut - 1);
    const double low = column.values[split.rank];
    split.question.threshold =
        best.cut < table_.present(j) ? between(low, column.values[rank(best.cut)]) : low;
    // A missing value that training never saw goes where more rows go, as in every tree.
    const bool whole = table_.present(j) == sample_.size();
    split.question.missing_left = whole ? 2 * best.cut >= sample_.size() : best.missing_left;
    return split;
  }

 private:
  void scan(std::size_t j, bool missing_left, Found& best) const {
    if (!signed_.empty()) return scan_two_classes(j, missing_left, best);
    std::vector<double> left;
    std::vector<double> right;
    const auto sides = [&] { return ClassSides(state_, left, right); };
    switch (criterion_) {
      case TreeCriterion::gini: return scan_with(GiniSums(sides()), j, missing_left, best);
      case TreeCriterion::misclassification:
        return scan_with(MissSums(sides()), j, missing_left, best);
      case TreeCriterion::squared_error:
        return scan_with(SquaredSums(state_), j, missing_left, best);
      default: return scan_with(EntropySums(sides()), j, missing_left, best);
    }
  }

  // How many positions may go left: all that are present, when others are missing.
  std::size_t last_cut(std::size_t j, bool missing_left) const {
    const std::size_t present = table_.present(j);
    return !missing_left && present < sample_.size() ? present : present - 1;
  }

  template <class Sums>
  void scan_with(Sums sums, std::size_t j, bool missing_left, Found& best) const {
    const std::size_t present = table_.present(j);
    if (present == 0) return;
    const std::uint32_t* order = table_.order(j).data();
    if (missing_left) {
      for (std::size_t at = present; at < sample_.size(); ++at) {
        sums.move(sample_, order[at] & ~StumpTable::kLast);
      }
    }
    const std::size_t last = last_cut(j, missing_left);
    for (std::size_t at = 0; at < last; ++at) {
      sums.move(sample_, order[at] & ~StumpTable::kLast);
      if ((order[at] & StumpTable::kLast) == 0) continue;
      const double rest = sums.rest();
      if (rest < best.rest - tie_) best = {rest, at + 1, missing_left, true};
    }
  }

  void scan_two_classes(std::size_t j, bool missing_left, Found& best) const {
    const std::size_t present = table_.present(j);
    if (present == 0) return;
    const std::uint32_t* order = table_.order(j).data();
    double lead = 0;  // D: the weight of class 1 less that of class 0 on the left
    if (missing_left) {
      for (std::size_t at = present; at < sample_.size(); ++at) {
        lead += signed_[order[at] & ~StumpTable::kLast];
      }
    }
    const double first = state_.counts[1];
    const double second = state_.counts[0];
    double low = best.rest - tie_;
    const std::size_t last = last_cut(j, missing_left);
    for (std::size_t at = 0; at < last; ++at) {
      lead += signed_[order[at] & ~StumpTable::kLast];
      const double rest = std::min(first - lead, second + lead);
      if (rest >= low || (order[at] & StumpTable::kLast) == 0) continue;
      best = {rest, at + 1, missing_left, true};
      low = rest - tie_;
    }
  }

  const StumpTable& table_;
  const NodeSample& sample_;
  const NodeState& state_;
  TreeCriterion criterion_;
  double tie_;
  std::vector<double> signed_;  // two classes: the weight, negative for class 0
};

}  // namespace

StumpTable::StumpTable(const TrainTask& task, const Context& context)
    : table_(task.features, task.signature, context) {
  for (std::size_t row = 0; row < task.rows(); ++row) {
    if (task.weight(row) > 0) rows_.push_back(static_cast<std::uint32_t>(row));
  }
  GRADUS_ASSERT(rows_.size() < kLast);
  orders_ = parallel::map_slots<Order>(context, table_.cols(),
                                       [&](std::size_t j) { return order_of(table_.column(j)); });
}

// A stable counting sort of the positions by rank.
StumpTable::Order StumpTable::order_of(const RankedColumn& column) const {
  Order out;
  if (column.nominal) return out;
  std::vector<std::uint32_t> begin(column.ranks + 2, 0);
  for (const std::uint32_t row : rows_) ++begin[column.rank[row] + 1];
  out.present = rows_.size() - begin[column.ranks + 1];
  std::inclusive_scan(begin.begin(), begin.end(), begin.begin());
  out.places.resize(rows_.size());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    out.places[next[column.rank[rows_[i]]]++] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t r = 0; r < column.ranks; ++r) {
    if (begin[r] < begin[r + 1]) out.places[begin[r + 1] - 1] |= kLast;
  }
  return out;
}

NodeSample StumpTable::sample(std::span<const std::int32_t> codes, std::size_t classes,
                              std::span<const double> weights) const {
  NodeSample out;
  out.rows = rows_;
  out.codes = codes;
  out.classes = classes;
  out.weights = weights;
  return out;
}

NodeSample StumpTable::sample(std::span<const double> numbers,
                              std::span<const double> weights) const {
  NodeSample out;
  out.rows = rows_;
  out.numbers = numbers;
  out.weights = weights;
  return out;
}

std::vector<std::uint8_t> StumpTable::sides(const ExactSplit& split) const {
  const RankedColumn& column = table_.column(split.question.feature);
  std::vector<std::uint8_t> out(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    out[i] = goes_left(split, column, column.rank[rows_[i]]) ? 1 : 0;
  }
  return out;
}

ExactSplit best_stump(const StumpTable& table, const NodeSample& sample, TreeCriterion criterion,
                      const Context& context) {
  const NodeState state = state_of(sample, criterion);
  if (state.pure) return {};
  const Scan scan(table, sample, state, criterion);
  const std::vector<ExactSplit> candidates = parallel::map_slots<ExactSplit>(
      context, table.table().cols(), [&](std::size_t j) { return scan.column(j); });
  const ExactSplit* best = nullptr;
  for (const ExactSplit& candidate : candidates) {
    if (!candidate.found) continue;
    if (best == nullptr || candidate.gain > best->gain + kGainTie * state.impurity) {
      best = &candidate;
    }
  }
  return best == nullptr ? ExactSplit{} : *best;
}

}  // namespace gradus
