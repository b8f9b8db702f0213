#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "gradus/blocks/rules/rule_set.hpp"
#include "gradus/blocks/splitter/dealt_folds.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/rules/ripper/explain.hpp"
#include "gradus/models/rules/ripper/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

template const Entry& entry<Ripper>();

namespace {

// Cohen's bound on how much longer a description may become.
constexpr double kMoreBits = 64;
constexpr double kTie = 1e-9;

// Which rows prune: those of a dealt part, or rows of the user that no earlier rule covers.
struct Pruning {
  std::span<const std::uint32_t> fold;  // of the rows that teach
  const RuleRows* examined = nullptr;   // null: a fold prunes
  RowIndices left = {};                 // of the examined rows
};

// Learns the rules of one class.
class ClassRules {
 public:
  ClassRules(const Ripper& learner, const RuleRows& data, const Pruning& pruning,
             RipperStory& story)
      : learner_(learner), data_(data), pruning_(pruning), story_(story) {}

  std::vector<Rule> run(const RowIndices& rows) {
    RuleSet set(data_, rows);
    cover(set, "");
    for (int round = 0; round < learner_.optimizations && learner_.pruning; ++round) {
      const std::string path = fmt::format("round {}/", round + 1);
      improve(set, path);
      cover(set, path);  // what the improved rules leave
      drop_useless(set, path);
    }
    return set.rules();
  }

 private:
  // Which part prunes goes round with the rules, so that no row prunes all of them.
  enum class Role { grows, prunes };
  RowIndices part(const RowIndices& rows, std::size_t turn, Role role) const {
    RowIndices out;
    const std::size_t mine = turn % static_cast<std::size_t>(learner_.folds);
    for (const std::uint32_t row : rows) {
      if ((pruning_.fold[row] == mine) == (role == Role::prunes)) out.push_back(row);
    }
    return out;
  }

  // The examined rows that the other rules of the set leave.
  RowIndices examined_left(const RuleSet& set, std::size_t without) const {
    RowIndices out = pruning_.left;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (i != without) out = not_covered(set.rules()[i], pruning_.examined->table, out);
    }
    return out;
  }

  // Where a rule is made: in the place of rule `place` of the set, or behind all.
  struct Place {
    const RuleSet& set;
    std::size_t place;
    const RowIndices& rows;  // those that the other rules leave
    std::size_t turn;
  };

  // A rule for rows that are left; it starts from the conditions of `rule`.
  Rule make(const Place& at, Rule rule, RuleWorth worth) const {
    story_.judge_by(worth);
    if (!learner_.pruning) {
      grow_rule(data_, at.rows, rule, story_.watch());
    } else if (pruning_.examined != nullptr) {
      grow_rule(data_, at.rows, rule, story_.watch());
      prune_rule(*pruning_.examined, examined_left(at.set, at.place), worth, rule, story_.watch());
    } else {
      grow_rule(data_, part(at.rows, at.turn, Role::grows), rule, story_.watch());
      prune_rule(data_, part(at.rows, at.turn, Role::prunes), worth, rule, story_.watch());
    }
    return rule;
  }

  bool is_good(const Rule& rule, const Coverage& said) const {
    return !rule.empty() && said.inside >= std::max(learner_.min_weight, kTie) &&
           said.outside < said.inside;
  }

  // Adds rules until the description grows too long or a rule is not worth it.
  void cover(RuleSet& set, const std::string& path) const {
    RowIndices rest = set.left();
    double before = set.bits();
    double least = before;
    while (coverage(data_, rest).inside > 0) {
      story_.at(fmt::format("{}rule {}", path, set.size() + 1));
      const Rule rule = make({set, set.size(), rest, set.size()}, {}, RuleWorth::precision);
      const Coverage said = coverage(data_, covered(rule, data_.table, rest));
      if (!is_good(rule, said)) {
        story_.made({rule, said, RuleFate::too_poor});
        break;
      }
      set.add(rule);
      rest = not_covered(rule, data_.table, rest);
      const double bits = set.bits();
      const bool too_long = bits > least + kMoreBits;
      story_.made({rule, said, too_long ? RuleFate::too_long : RuleFate::kept, before, bits});
      if (too_long) {
        if (learner_.pruning) set.erase(set.size() - 1);
        break;
      }
      before = bits;
      least = std::min(least, bits);
    }
  }

  // Each rule against a new one and a longer one, by the bits of the whole set.
  void improve(RuleSet& set, const std::string& path) const {
    for (std::size_t i = 0; i < set.size(); ++i) {
      const RowIndices rest = set.left_without(i);
      const std::string here = fmt::format("{}rule {}", path, i + 1);
      story_.at(here + "/anew");
      const Rule anew = make({set, i, rest, i + 1}, {}, RuleWorth::accuracy);
      story_.at(here + "/longer");
      const Rule longer = make({set, i, rest, i + 1}, set.rules()[i], RuleWorth::accuracy);
      const Rule was = set.rules()[i];
      const double bits_was = set.bits();
      double least = bits_was;
      double bits_of[] = {0, 0};
      for (const bool second : {false, true}) {
        const Rule& candidate = second ? longer : anew;
        if (candidate.empty()) continue;
        const double bits = set.bits_with(i, candidate);
        bits_of[second ? 1 : 0] = bits;
        if (bits >= least - kTie) continue;
        least = bits;
        set.replace(i, candidate);
      }
      story_.at(here);
      story_.improved({was, anew, longer, bits_was, bits_of[0], bits_of[1], set.rules()[i]});
    }
  }

  // A rule without which the description is shorter goes, the last first.
  void drop_useless(RuleSet& set, const std::string& path) const {
    for (std::size_t i = set.size(); i-- > 0;) {
      const double without = set.bits_without(i);
      const double with = set.bits();
      if (without >= with - kTie) continue;
      story_.at(fmt::format("{}rule {}", path, i + 1));
      story_.dropped(set.rules()[i], with, without);
      set.erase(i);
    }
  }

  const Ripper& learner_;
  const RuleRows& data_;
  const Pruning& pruning_;
  RipperStory& story_;
};

// Classes from the rarest to the most frequent; among equals the first.
std::vector<std::size_t> by_frequency(const TrainTask& task, std::span<const double> weights) {
  std::vector<double> total(task.signature.classes.size(), 0.0);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    total[static_cast<std::size_t>(task.classes[row])] += weights[row];
  }
  std::vector<std::size_t> order(total.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return total[a] < total[b]; });
  return order;
}

struct Told {
  const RuleRows& data;
  const RowIndices& rows;
  std::size_t of_class;
};

void tell(const Told& told, std::span<const Rule> rules, const Signature& signature, Trace* trace) {
  if (trace == nullptr || !trace->wants_more()) return;
  const std::string& name = signature.classes[told.of_class];
  Step step{.title = "Rules for " + name, .path = name};
  Value::Array list;
  RuleSet set(told.data, told.rows);
  RowIndices rest = told.rows;
  for (const Rule& rule : rules) {
    set.add(rule);
    const Coverage said = coverage(told.data, covered(rule, told.data.table, rest));
    rest = not_covered(rule, told.data.table, rest);
    list.push_back(object(
        {{"rule", rule_text(rule, signature)}, {"right", said.inside}, {"wrong", said.outside}}));
    step.formula += fmt::format("{}IF {} THEN {} ({}/{})", step.formula.empty() ? "" : "; ",
                                rule_text(rule, signature), name, readable(said.inside),
                                readable(said.outside));
  }
  const Coverage left = coverage(told.data, rest);
  step.values =
      object({{"rules", std::move(list)}, {"bits", set.bits()}, {"not_covered", left.inside}});
  step.text = fmt::format("{} cover this class but for {} of its rows.",
                          counted(rules.size(), "rule"), readable(left.inside));
  trace->add(std::move(step));
}

}  // namespace

namespace {

// The rows of a task as rules are made from them; one class at a time is inside.
struct RuleTable {
  RankedTable table;
  std::vector<double> weights;
  RowIndices rows;  // that weigh anything
  std::vector<std::uint8_t> inside;

  RuleTable(const TrainTask& task, const Context& context)
      : table(task.features, task.signature, context), inside(task.rows()) {
    for (std::size_t row = 0; row < task.rows(); ++row) {
      weights.push_back(task.weight(row));
      if (weights.back() > 0) rows.push_back(static_cast<std::uint32_t>(row));
    }
  }
  void ask_for(std::size_t k, const TrainTask& task) {
    for (std::size_t row = 0; row < inside.size(); ++row) {
      inside[row] = static_cast<std::size_t>(task.classes[row]) == k ? 1 : 0;
    }
  }
};

}  // namespace

void Ripper::check(const TrainTask& task) const {
  if (task.validation == nullptr || pruning) return;
  throw Error(ErrorKind::usage, "--pruning", "validation rows are for pruning=true (got false)",
              "set pruning to true, or leave the validation rows out");
}

RipperModel Ripper::fit(const TrainTask& task, const Context& context) const {
  RuleTable taught(task, context);
  const RankedTable& table = taught.table;
  const std::vector<double>& weights = taught.weights;
  RowIndices& rows = taught.rows;
  std::optional<RuleTable> examined;
  if (task.validation != nullptr) examined.emplace(*task.validation, context);
  const std::vector<std::uint32_t> fold =
      deal_folds({table, task.classes, {}, weights}, static_cast<std::size_t>(folds));
  std::vector<std::size_t> order = by_frequency(task, weights);
  order.pop_back();  // the most frequent class is what is left
  const std::vector<RowIndices> by_rank = rows_by_rank(table, context);
  std::vector<Rule> rules;
  for (const std::size_t k : order) {
    context.stop_if_cancelled();
    taught.ask_for(k, task);
    const RuleRows data{table, by_rank, taught.inside, weights};
    RipperStory story(task.signature, k, context.trace);
    Pruning prunes{fold};
    std::optional<RuleRows> judged;
    if (examined) {
      examined->ask_for(k, *task.validation);
      judged.emplace(RuleRows{examined->table, {}, examined->inside, examined->weights});
      prunes.examined = &*judged;
      prunes.left = examined->rows;
    }
    const std::vector<Rule> found = ClassRules(*this, data, prunes, story).run(rows);
    tell({data, rows, k}, found, task.signature, context.trace);
    for (const Rule& rule : found) {
      rows = not_covered(rule, table, rows);
      if (examined) examined->rows = not_covered(rule, examined->table, examined->rows);
      rules.push_back(rule);
    }
  }
  RipperModel model{answered(rules, {table, task.classes, weights, task.signature.classes.size()})};
  if (context.trace != nullptr && context.trace->wants_more()) {
    Step step{.title = "Read the rules from the first to the last", .path = "model"};
    step.values = model.fitted(task.signature);
    step.text = fmt::format("{}, then the default.", counted(model.list.size(), "rule"));
    context.trace->add(std::move(step));
  }
  return model;
}

}  // namespace gradus
