#include "gradus/models/rules/rules/explain.hpp"

#include <fmt/format.h>

#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// The removals that were tried for one rule, round by round.
Value removals_value(const Simplified& one, const Signature& signature) {
  Value::Array rounds;
  for (const Removal& removal : one.removals) {
    Value round = object({{"estimated_error", removal.error}, {"without", object()}});
    for (std::size_t i = 0; i < removal.kept.size(); ++i) {
      round["without"][condition_text(one.before[removal.kept[i]], signature)] = removal.without[i];
    }
    if (removal.dropped < removal.kept.size()) {
      round["dropped"] = condition_text(one.before[removal.kept[removal.dropped]], signature);
    }
    rounds.push_back(std::move(round));
  }
  return rounds;
}

void tell_rule(const Simplified& one, std::size_t leaf, const Signature& signature, Trace& trace) {
  const std::string& answer = signature.classes[one.answer];
  Step step{.title = fmt::format("Simplify the rule of leaf {}", leaf + 1),
            .path = fmt::format("leaf {}", leaf + 1)};
  step.values = object({{"before", rule_text(one.before, signature)},
                        {"after", rule_text(one.rule, signature)},
                        {"class", answer},
                        {"n", one.rows},
                        {"estimated_error", one.error},
                        {"removals", removals_value(one, signature)}});
  step.formula = fmt::format("IF {} THEN {}", rule_text(one.rule, signature), answer);
  step.text =
      fmt::format("{} of {} stay; the estimated error is {}.",
                  counted(one.rule.size(), "condition"), one.before.size(), readable(one.error, 4));
  trace.add(std::move(step));
}

// Which rules of the sorted list were left out and why.
void tell_fates(const std::vector<Fate>& fates, const Signature& signature, Trace& trace) {
  if (fates.empty()) return;
  Step step{.title = "Leave rules out", .path = "redundant"};
  Value::Array list;
  std::size_t dropped = 0;
  for (const Fate& fate : fates) {
    if (!fate.kept) ++dropped;
    Value one = object({{"rule", fmt::format("IF {} THEN {}", rule_text(fate.rule, signature),
                                             signature.classes[fate.answer])},
                        {"kept", fate.kept}});
    if (fate.repeated) {
      one["why"] = "an earlier rule says the same";
    } else {
      one["errors_more_without_it"] = fate.more;
    }
    list.push_back(std::move(one));
  }
  step.values = object({{"rules", std::move(list)}});
  step.text = fmt::format(
      "{} left out: those that an earlier one repeats, and then, from the last on, those without "
      "which the list errs no more on the training rows.",
      dropped == 1 ? "1 rule is" : fmt::format("{} rules are", dropped));
  trace.add(std::move(step));
}

}  // namespace

void tell_rules(const ToldRules& told, const RulesModel& model, const Signature& signature,
                Trace& trace) {
  for (std::size_t i = 0; i < told.all.size() && trace.wants_more(); ++i) {
    tell_rule(told.all[i], i, signature, trace);
  }
  if (trace.wants_more()) tell_fates(told.fates, signature, trace);
  if (!trace.wants_more()) return;
  Step step{.title = "Sort the rules by their estimated error", .path = "model"};
  step.values = model.fitted(signature);
  step.text = fmt::format("{} of {} are kept, then the default.",
                          counted(model.list.size(), "rule"), model.tree_leaves);
  trace.add(std::move(step));
}

}  // namespace gradus
