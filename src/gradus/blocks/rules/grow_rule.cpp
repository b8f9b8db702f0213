#include "gradus/blocks/rules/grow_rule.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/rules/ranked_rule.hpp"
#include "gradus/blocks/tree/between.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr double kTie = 1e-9;
// Looking at so many rows costs less than sorting one of them in.
constexpr std::size_t kWorthScanning = 8;

// The best condition so far.
struct Best {
  double gain = 0;
  RuleCondition condition;
};

class ConditionSearch {
 public:
  // `tried` receives every condition that was judged when it is not null.
  ConditionSearch(const RuleRows& data, std::span<const std::uint32_t> rows,
                  std::vector<TriedCondition>* tried)
      : data_(data), rows_(rows), tried_(tried) {
    const Coverage before = coverage(data, rows);
    log_before_ = std::log2(before.inside / before.total());
  }

  Best run() {
    const bool many = rows_.size() * kWorthScanning > data_.table.rows();
    if (many) {
      here_.assign(data_.table.rows(), 0);
      for (const std::uint32_t row : rows_) here_[row] = 1;
    }
    for (std::size_t j = 0; j < data_.table.cols(); ++j) {
      const RankedColumn& column = data_.table.column(j);
      many ? pick_in_order(column, j) : sort_rows(column);
      column.nominal ? try_levels(j) : try_cuts(column, j);
    }
    return best_;
  }

 private:
  struct Ranked {
    std::uint32_t rank;
    std::uint32_t row;
  };

  // Many rows are picked from all, which are in order; few are sorted.
  void pick_in_order(const RankedColumn& column, std::size_t j) {
    by_rank_.clear();
    for (const std::uint32_t row : data_.by_rank[j]) {
      if (here_[row] != 0) by_rank_.push_back({column.rank[row], row});
    }
  }

  void sort_rows(const RankedColumn& column) {
    by_rank_.clear();
    for (const std::uint32_t row : rows_) {
      const std::uint32_t rank = column.rank[row];
      if (!column.is_missing(rank)) by_rank_.push_back({rank, row});
    }
    std::sort(by_rank_.begin(), by_rank_.end(), [](const Ranked& a, const Ranked& b) {
      return a.rank != b.rank ? a.rank < b.rank : a.row < b.row;
    });
  }

  void add(Coverage& sum, std::uint32_t row) const {
    (data_.inside[row] != 0 ? sum.inside : sum.outside) += data_.weights[row];
  }

  double gain_of(const Coverage& after) const {
    return after.inside * (std::log2(after.inside / after.total()) - log_before_);
  }

  void judge(const Coverage& after, const RuleCondition& condition) {
    if (after.inside <= 0) return;
    if (tried_ != nullptr) tried_->push_back({condition, after, gain_of(after)});
    // At best no other class is left.
    if (after.inside * -log_before_ <= best_.gain + kTie) return;
    const double gain = gain_of(after);
    if (gain <= best_.gain + kTie) return;
    best_ = {gain, condition};
  }

  void try_levels(std::size_t j) {
    for (std::size_t i = 0; i < by_rank_.size();) {
      const std::uint32_t level = by_rank_[i].rank;
      Coverage sum;
      for (; i < by_rank_.size() && by_rank_[i].rank == level; ++i) add(sum, by_rank_[i].row);
      judge(sum, {j, Compare::equal, static_cast<double>(level)});
    }
  }

  void try_cuts(const RankedColumn& column, std::size_t j) {
    Coverage all;
    for (const Ranked& one : by_rank_) add(all, one.row);
    Coverage low;
    for (std::size_t i = 0; i + 1 < by_rank_.size(); ++i) {
      add(low, by_rank_[i].row);
      if (by_rank_[i].rank == by_rank_[i + 1].rank) continue;
      const double cut =
          between(column.values[by_rank_[i].rank], column.values[by_rank_[i + 1].rank]);
      judge(low, {j, Compare::at_most, cut});
      judge({all.inside - low.inside, all.outside - low.outside}, {j, Compare::above, cut});
    }
  }

  const RuleRows& data_;
  std::span<const std::uint32_t> rows_;
  double log_before_ = 0;           // of the share inside, before the condition
  std::vector<std::uint8_t> here_;  // by row of the table: is it one of rows_
  std::vector<Ranked> by_rank_;
  std::vector<TriedCondition>* tried_;
  Best best_;
};

// −k log₂ p − (t − k) log₂ (1 − p): which k of t things are meant, if a share p was expected.
double subset_bits(double t, double k, double p) {
  const double rest = t - k;
  return (k > 0 && p > 0 ? -k * std::log2(p) : 0) +
         (rest > 0 && p < 1 ? -rest * std::log2(1 - p) : 0);
}

}  // namespace

std::vector<RowIndices> rows_by_rank(const RankedTable& table, const Context& context) {
  return parallel::map_slots<RowIndices>(context, table.cols(), [&](std::size_t j) {
    const RankedColumn& column = table.column(j);
    std::vector<std::uint32_t> place(column.ranks + 2, 0);
    for (const std::uint32_t rank : column.rank) ++place[rank + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    RowIndices rows(place[column.ranks]);
    for (std::uint32_t row = 0; row < column.rank.size(); ++row) {
      const std::uint32_t rank = column.rank[row];
      if (!column.is_missing(rank)) rows[place[rank]++] = row;
    }
    return rows;
  });
}

Coverage coverage(const RuleRows& data, std::span<const std::uint32_t> rows) {
  Coverage sum;
  for (const std::uint32_t row : rows) {
    (data.inside[row] != 0 ? sum.inside : sum.outside) += data.weights[row];
  }
  return sum;
}

RowIndices covered(const Rule& rule, const RankedTable& table,
                   std::span<const std::uint32_t> rows) {
  const RankedRule asked(rule, table);
  RowIndices out;
  for (const std::uint32_t row : rows) {
    if (asked.covers(row)) out.push_back(row);
  }
  return out;
}

RowIndices not_covered(const Rule& rule, const RankedTable& table,
                       std::span<const std::uint32_t> rows) {
  const RankedRule asked(rule, table);
  RowIndices out;
  for (const std::uint32_t row : rows) {
    if (!asked.covers(row)) out.push_back(row);
  }
  return out;
}

void grow_rule(const RuleRows& data, std::span<const std::uint32_t> rows, Rule& rule,
               const RuleWatch* watch) {
  RowIndices here = covered(rule, data.table, rows);
  while (true) {
    const Coverage now = coverage(data, here);
    if (now.inside <= 0 || now.outside <= 0) return;
    std::vector<TriedCondition> tried;
    const Best best = ConditionSearch(data, here, watch != nullptr ? &tried : nullptr).run();
    const bool gains = best.gain > kTie;
    if (watch != nullptr) watch->grown(now, tried, gains ? &best.condition : nullptr);
    if (!gains) return;
    rule.push_back(best.condition);
    here = covered({best.condition}, data.table, here);
  }
}

void prune_rule(const RuleRows& data, std::span<const std::uint32_t> rows, RuleWorth worth,
                Rule& rule, const RuleWatch* watch) {
  const Coverage all = coverage(data, rows);
  const auto judge = [&](const Coverage& said) {
    if (worth == RuleWorth::accuracy) return said.inside + (all.outside - said.outside);
    return said.total() > 0 ? (said.inside - said.outside) / said.total() : -1.0;
  };
  // Every shortening in one walk: the rows that pass the first k conditions.
  RowIndices here(rows.begin(), rows.end());
  std::size_t best_length = 0;
  double best = judge(all);
  std::vector<double> values = {best};
  for (std::size_t k = 0; k < rule.size(); ++k) {
    here = covered({rule[k]}, data.table, here);
    const double value = judge(coverage(data, here));
    values.push_back(value);
    if (value <= best + kTie) continue;
    best = value;
    best_length = k + 1;
  }
  const std::size_t kept =
      std::max<std::size_t>(best_length, std::min<std::size_t>(1, rule.size()));
  if (watch != nullptr) watch->pruned(rule, values, kept);
  rule.resize(kept);
}

double possible_conditions(const RankedTable& table) {
  double count = 0;
  for (std::size_t j = 0; j < table.cols(); ++j) {
    const auto ranks = static_cast<double>(table.column(j).ranks);
    count += table.column(j).nominal ? ranks : 2 * ranks;
  }
  return std::max(count, 1.0);
}

double theory_bits(const Rule& rule, double possible) {
  const auto k = static_cast<double>(rule.size());
  if (k == 0) return 0;
  double bits = subset_bits(possible, k, std::min(1.0, k / possible));
  // The number of conditions itself; half of all, for conditions come in any order.
  bits += std::log2(k) + (k > 1 ? 2 * std::log2(std::log2(k) + 1) : 0);
  return bits / 2;
}

double exception_bits(const Coverage& said, const Coverage& rest) {
  const double wrong = said.outside + rest.inside;
  double bits = std::log2(said.total() + rest.total() + 1);
  // Errors are expected in equal parts on the larger side; those of the other side are then known.
  if (said.total() > rest.total()) {
    bits += subset_bits(said.total(), said.outside, wrong / 2 / said.total());
    if (rest.total() > 0)
      bits += subset_bits(rest.total(), rest.inside, rest.inside / rest.total());
  } else {
    if (said.total() > 0)
      bits += subset_bits(said.total(), said.outside, said.outside / said.total());
    bits += subset_bits(rest.total(), rest.inside, wrong / 2 / rest.total());
  }
  return bits;
}

}  // namespace gradus
