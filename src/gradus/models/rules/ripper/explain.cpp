#include "gradus/models/rules/ripper/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"
#include "gradus/trace/shown_list.hpp"

namespace gradus {
namespace {

// `4 (log₂ 4/4 − log₂ 5/14) = 5.942`
std::string foil_formula(const Coverage& before, const TriedCondition& one) {
  return fmt::format("{0} (log₂ {0}/{1} − log₂ {2}/{3}) = {4}", readable(one.after.inside),
                     readable(one.after.total()), readable(before.inside), readable(before.total()),
                     readable(one.gain, 4));
}

}  // namespace

RipperStory::RipperStory(const Signature& signature, std::size_t of_class, Trace* trace)
    : signature_(signature), of_class_(of_class), trace_(trace) {
  watch_.grown = [this](const Coverage& before, std::span<const TriedCondition> tried,
                        const RuleCondition* taken) { grown(before, tried, taken); };
  watch_.pruned = [this](const Rule& rule, std::span<const double> worth, std::size_t kept) {
    pruned(rule, worth, kept);
  };
}

Step RipperStory::begin(std::string title, const std::string& what) const {
  return {.title = fmt::format("{}: {}", class_name(), title),
          .path = fmt::format("{}/{}{}", class_name(), path_, what.empty() ? "" : "/" + what)};
}

void RipperStory::grown(const Coverage& before, std::span<const TriedCondition> tried,
                        const RuleCondition* taken) {
  if (!listens()) return;
  Step step =
      begin(taken == nullptr ? "no condition gains" : "add " + condition_text(*taken, signature_),
            "grow");
  std::vector<double> gains;
  for (const TriedCondition& one : tried) gains.push_back(one.gain);
  Value::Array list;
  for (const std::size_t i : shown_of_many(gains)) {
    const TriedCondition& one = tried[i];
    list.push_back(object({{"condition", condition_text(one.condition, signature_)},
                           {"inside", one.after.inside},
                           {"outside", one.after.outside},
                           {"gain", one.gain}}));
  }
  step.values = object({{"inside", before.inside},
                        {"outside", before.outside},
                        {"tried", tried.size()},
                        {"conditions", std::move(list)}});
  const auto best = std::find_if(tried.begin(), tried.end(), [&](const TriedCondition& one) {
    return taken != nullptr && one.condition == *taken;
  });
  if (best != tried.end()) {
    step.formula =
        "FOIL gain = p₁ (log₂ p₁/(p₁+n₁) − log₂ p₀/(p₀+n₀)) = " + foil_formula(before, *best);
    step.text = fmt::format("It leaves {} of the class and {} of others.",
                            readable(best->after.inside), readable(best->after.outside));
  } else {
    step.text = "Every condition would lose too much of the class: the rule is grown.";
  }
  if (tried.size() > kAllShown)
    step.text += best_only({fmt::format("{} conditions", tried.size())});
  trace_->add(std::move(step));
}

void RipperStory::pruned(const Rule& rule, std::span<const double> worth, std::size_t kept) {
  if (!listens()) return;
  Step step = begin("prune the rule on the rows kept aside", "prune");
  Value::Array list;
  for (std::size_t k = 0; k < worth.size(); ++k) {
    const Rule first(rule.begin(), rule.begin() + static_cast<std::ptrdiff_t>(k));
    list.push_back(object({{"rule", rule_text(first, signature_)}, {"worth", worth[k]}}));
  }
  step.formula = worth_ == RuleWorth::precision ? "worth = (p − n)/(p + n)" : "worth = p + (N − n)";
  step.values = object({{"shortened", std::move(list)}, {"kept", kept}});
  step.text = fmt::format(
      "{} of {} stay: IF {} THEN {}.", kept, counted(rule.size(), "condition"),
      rule_text(Rule(rule.begin(), rule.begin() + static_cast<std::ptrdiff_t>(kept)), signature_),
      class_name());
  trace_->add(std::move(step));
}

void RipperStory::made(const MadeRule& made) {
  if (!listens()) return;
  Step step = begin(made.fate == RuleFate::kept ? "keep the rule" : "the rules end", "bits");
  const std::string rule = rule_text(made.rule, signature_);
  step.values = object({{"rule", rule}, {"right", made.said.inside}, {"wrong", made.said.outside}});
  if (made.fate == RuleFate::too_poor) {
    step.text = fmt::format(
        "IF {} THEN {} gets {} right and {} wrong of the rows that are left: not enough.", rule,
        class_name(), readable(made.said.inside), readable(made.said.outside));
  } else {
    step.values["bits_before"] = made.bits_before;
    step.values["bits"] = made.bits;
    step.formula = fmt::format("bits = rules + exceptions = {}, without it {}",
                               readable(made.bits, 4), readable(made.bits_before, 4));
    step.text = made.fate == RuleFate::kept
                    ? fmt::format("IF {} THEN {} ({} right, {} wrong).", rule, class_name(),
                                  readable(made.said.inside), readable(made.said.outside))
                    : "The description is more than 64 bits longer than the shortest so far.";
  }
  trace_->add(std::move(step));
}

void RipperStory::improved(const ImprovedRule& improved) {
  if (!listens()) return;
  Step step = begin("choose among three versions", "choice");
  const auto version = [&](const Rule& rule, double bits) {
    return object({{"rule", rule_text(rule, signature_)}, {"bits", bits}});
  };
  step.values = object({{"as_it_is", version(improved.rule, improved.bits)}});
  // A version without conditions covers all rows and is not judged.
  if (!improved.anew.empty()) {
    step.values["anew"] = version(improved.anew, improved.bits_anew);
  }
  if (!improved.longer.empty()) {
    step.values["longer"] = version(improved.longer, improved.bits_longer);
  }
  step.text = fmt::format("The fewest bits has IF {} THEN {}.",
                          rule_text(improved.chosen, signature_), class_name());
  trace_->add(std::move(step));
}

void RipperStory::dropped(const Rule& rule, double bits_with, double bits_without) {
  if (!listens()) return;
  Step step = begin("drop a rule", "drop");
  step.values = object({{"rule", rule_text(rule, signature_)},
                        {"bits_with", bits_with},
                        {"bits_without", bits_without}});
  step.text = fmt::format("Without IF {} THEN {} the description is shorter.",
                          rule_text(rule, signature_), class_name());
  trace_->add(std::move(step));
}

}  // namespace gradus
