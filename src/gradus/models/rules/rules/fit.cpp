#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "gradus/blocks/branching/branch_grow.hpp"
#include "gradus/blocks/branching/branch_prune.hpp"
#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/rules/ranked_rule.hpp"
#include "gradus/models/rules/rules/explain.hpp"
#include "gradus/models/rules/rules/model.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr double kTie = 1e-9;

RuleCondition condition_of(const BranchTree& tree, std::size_t node, std::size_t branch) {
  const auto feature = static_cast<std::size_t>(tree.feature[node]);
  if (tree.table[node] == BranchTree::kNoTable) {
    return {feature, branch == 0 ? Compare::at_most : Compare::above, tree.threshold[node]};
  }
  const BranchQuestion question = tree.question_of(node);
  const auto level = std::find(question.of_level.begin(), question.of_level.end(),
                               static_cast<std::int32_t>(branch));
  return {feature, Compare::equal, static_cast<double>(level - question.of_level.begin())};
}

// The path to every leaf that holds rows, from left to right.
std::vector<Simplified> paths(const BranchTree& tree) {
  struct Way {
    std::size_t node;
    Rule rule;
  };
  std::vector<Simplified> out;
  std::vector<Way> stack;
  stack.push_back({0, {}});
  while (!stack.empty()) {
    const Way way = std::move(stack.back());
    stack.pop_back();
    if (tree.is_leaf(way.node)) {
      const std::span<const double> counts = tree.counts_of(way.node);
      if (total_of(counts) <= 0) continue;
      const auto best = std::max_element(counts.begin(), counts.end()) - counts.begin();
      out.push_back({way.rule, way.rule, static_cast<std::size_t>(best)});
    }
    for (std::size_t b = tree.width(way.node); b-- > 0;) {
      Rule rule = way.rule;
      rule.push_back(condition_of(tree, way.node, b));
      stack.push_back({tree.child(way.node, b), std::move(rule)});
    }
  }
  return out;
}

// For every row how many conditions of a rule fail. Where it is one, `which` says the one: the
// numbers of all failing conditions, xor-ed.
struct Failures {
  std::vector<std::uint32_t> count;
  std::vector<std::uint32_t> which;
};

class Simplifier {
 public:
  // With a confidence the rules are judged on the rows that taught, by the pessimistic error; else
  // on rows that did not, by their share of wrong ones.
  Simplifier(const RuleData& data, std::optional<double> confidence, bool tells)
      : data_(data), confidence_(confidence), tells_(tells) {
    for (std::size_t row = 0; row < data.weights.size(); ++row) {
      if (data.weights[row] > 0) rows_.push_back(static_cast<std::uint32_t>(row));
    }
  }

  // Drops conditions while the estimated error does not rise, the most harmful first.
  void run(Simplified& one) const {
    Failures failures{std::vector<std::uint32_t>(rows_.size(), 0),
                      std::vector<std::uint32_t>(rows_.size(), 0)};
    for (std::size_t c = 0; c < one.before.size(); ++c) {
      change(one.before[c], c, 1, failures);
    }
    std::vector<std::size_t> kept(one.before.size());
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    while (true) {
      const Tally tally = count(one, failures);
      one.rows = tally.all.rows;
      one.error = estimate(tally.all);
      std::size_t best = kept.size();
      double least = one.error + kTie;
      Removal removal;
      if (tells_) removal = {.kept = kept, .error = one.error};
      for (std::size_t i = 0; i < kept.size(); ++i) {
        const Covered& alone = tally.alone[kept[i]];
        const double without =
            estimate({tally.all.rows + alone.rows, tally.all.wrong + alone.wrong});
        if (tells_) removal.without.push_back(without);
        if (without > least) continue;
        least = without;
        best = i;
      }
      removal.dropped = best;
      if (tells_) one.removals.push_back(std::move(removal));
      if (best == kept.size()) break;
      change(one.before[kept[best]], kept[best], -1, failures);
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(best));
    }
    one.rule.clear();
    for (const std::size_t c : kept) one.rule.push_back(one.before[c]);
  }

 private:
  struct Covered {
    double rows = 0;
    double wrong = 0;
  };
  // What the rule covers, and what dropping one condition would add.
  struct Tally {
    Covered all;
    std::vector<Covered> alone;
  };

  // Condition number c comes (+1) or goes (-1).
  void change(const RuleCondition& condition, std::size_t c, int by, Failures& failures) const {
    const RankedCondition asked(condition, data_.table);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool fails = !asked.holds(rows_[i]);
      failures.count[i] += static_cast<std::uint32_t>(fails ? by : 0);
      failures.which[i] ^= static_cast<std::uint32_t>(fails ? c : 0);
    }
  }

  Tally count(const Simplified& one, const Failures& failures) const {
    Tally tally{{}, std::vector<Covered>(one.before.size())};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (failures.count[i] > 1) continue;
      const std::uint32_t row = rows_[i];
      Covered& sum = failures.count[i] == 0 ? tally.all : tally.alone[failures.which[i]];
      sum.rows += data_.weights[row];
      if (static_cast<std::size_t>(data_.codes[row]) != one.answer) sum.wrong += data_.weights[row];
    }
    return tally;
  }

  double estimate(const Covered& sum) const {
    if (sum.rows <= 0) return 1;
    const double extra = confidence_ ? pessimistic_extra(sum.rows, sum.wrong, *confidence_) : 0.0;
    return (sum.wrong + extra) / sum.rows;
  }

  const RuleData& data_;
  std::optional<double> confidence_;
  bool tells_;
  std::vector<std::uint32_t> rows_;  // that weigh anything
};

void simplify(const Simplifier& simplifier, std::vector<Simplified>& rules,
              const Context& context) {
  parallel::for_each_index(context, rules.size(), [&](std::size_t i) { simplifier.run(rules[i]); });
}

// Rows of the user, as rules are asked about them.
class ExaminedRules {
 public:
  ExaminedRules(const TrainTask& rows, const Context& context)
      : table_(rows.features, rows.signature, context),
        codes_(rows.classes),
        classes_(rows.signature.classes.size()) {
    for (std::size_t row = 0; row < rows.rows(); ++row) weights_.push_back(rows.weight(row));
  }
  RuleData data() const { return {table_, codes_, weights_, classes_}; }

 private:
  RankedTable table_;
  std::span<const std::int32_t> codes_;
  std::size_t classes_;
  std::vector<double> weights_;
};

// The most reliable first; of two that say the same the second is left out.
void sort_rules(std::vector<Simplified>& rules, std::vector<Fate>* fates) {
  std::stable_sort(rules.begin(), rules.end(), [](const Simplified& a, const Simplified& b) {
    const double x = std::round(a.error / kTie);
    const double y = std::round(b.error / kTie);
    return x != y ? x < y : std::round(a.rows / kTie) > std::round(b.rows / kTie);
  });
  std::vector<Simplified> kept;
  for (Simplified& one : rules) {
    const bool known = std::any_of(kept.begin(), kept.end(),
                                   [&](const Simplified& k) { return k.rule == one.rule; });
    if (known) {
      if (fates != nullptr)
        fates->push_back({.rule = one.rule, .answer = one.answer, .repeated = true, .kept = false});
    } else {
      kept.push_back(std::move(one));
    }
  }
  rules = std::move(kept);
}

// Leaves rules out, the last first, while the list makes no more errors on the training rows.
void drop_redundant_rules(const RuleData& data, std::vector<Simplified>& rules,
                          std::vector<Fate>* fates) {
  std::vector<std::vector<std::uint32_t>> holding(data.weights.size());  // row: rules that hold
  std::vector<std::vector<std::uint32_t>> rows_of(rules.size());
  std::vector<double> totals(data.classes, 0.0);
  std::vector<RankedRule> asked;
  for (const Simplified& one : rules) asked.emplace_back(one.rule, data.table);
  for (std::size_t row = 0; row < data.weights.size(); ++row) {
    if (data.weights[row] <= 0) continue;
    totals[static_cast<std::size_t>(data.codes[row])] += data.weights[row];
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (!asked[i].covers(row)) continue;
      holding[row].push_back(static_cast<std::uint32_t>(i));
      rows_of[i].push_back(static_cast<std::uint32_t>(row));
    }
  }
  const auto usual =
      static_cast<std::size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
  std::vector<bool> alive(rules.size(), true);
  const auto answer_behind = [&](std::uint32_t row, std::size_t i) {
    for (const std::uint32_t next : holding[row]) {
      if (next > i && alive[next]) return rules[next].answer;
    }
    return usual;
  };
  for (std::size_t i = rules.size(); i-- > 0;) {
    double more = 0;
    for (const std::uint32_t row : rows_of[i]) {
      const bool first = std::none_of(holding[row].begin(), holding[row].end(),
                                      [&](std::uint32_t r) { return r < i && alive[r]; });
      if (!first) continue;
      const auto actual = static_cast<std::size_t>(data.codes[row]);
      const double now = rules[i].answer == actual ? 0 : 1;
      const double then = answer_behind(row, i) == actual ? 0 : 1;
      more += data.weights[row] * (then - now);
    }
    alive[i] = more > kTie;
    if (fates == nullptr) continue;
    fates->push_back(
        {.rule = rules[i].rule, .answer = rules[i].answer, .more = more, .kept = alive[i]});
  }
  std::vector<Simplified> kept;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (alive[i]) kept.push_back(std::move(rules[i]));
  }
  rules = std::move(kept);
}

}  // namespace

RulesModel Rules::fit(const TrainTask& task, const Context& context) const {
  const RankedTable table(task.features, task.signature, context);
  std::vector<double> weights;
  for (std::size_t row = 0; row < task.rows(); ++row) weights.push_back(task.weight(row));
  const std::size_t classes = task.signature.classes.size();
  BranchOptions options;
  options.limits.min_weight = min_weight_leaf;
  if (max_depth) options.max_depth = static_cast<std::size_t>(*max_depth);
  const BranchTree tree = grow_branches({table, task.classes, classes}, weights, options, context);
  std::vector<Simplified> rules = paths(tree);
  RulesModel model;
  model.tree_leaves = static_cast<std::int32_t>(rules.size());
  for (const Simplified& one : rules) {
    model.tree_conditions += static_cast<std::int32_t>(one.before.size());
  }
  const RuleData data{table, task.classes, weights, classes};
  const bool tells = context.trace != nullptr;
  if (task.validation != nullptr) {
    const ExaminedRules examined(*task.validation, context);
    const RuleData judged = examined.data();
    simplify(Simplifier(judged, std::nullopt, tells), rules, context);
  } else {
    simplify(Simplifier(data, confidence, tells), rules, context);
  }
  const std::vector<Simplified> all = rules;
  std::vector<Fate> fates;
  std::vector<Fate>* told = context.trace != nullptr ? &fates : nullptr;
  sort_rules(rules, told);
  if (drop_redundant) drop_redundant_rules(data, rules, told);
  std::vector<Rule> kept;
  for (const Simplified& one : rules) kept.push_back(one.rule);
  // A rule without conditions takes all rows: it is the default.
  const auto whole =
      std::find_if(kept.begin(), kept.end(), [](const Rule& rule) { return rule.empty(); });
  kept.erase(whole, kept.end());
  model.list = answered(kept, data);
  if (context.trace != nullptr) tell_rules({all, fates}, model, task.signature, *context.trace);
  return model;
}

}  // namespace gradus
