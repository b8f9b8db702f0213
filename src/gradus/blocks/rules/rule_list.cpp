#include "gradus/blocks/rules/rule_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/rules/rule_finder.hpp"
#include "gradus/blocks/tree/level_words.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

constexpr std::size_t kShownRules = 1000;

[[noreturn]] void refuse(const char* why) {
  throw Error(ErrorKind::bad_data, "model", std::string("the rules are damaged: ") + why);
}

double value_of(const RankedColumn& column, std::uint32_t rank) {
  if (column.is_missing(rank)) return std::numeric_limits<double>::quiet_NaN();
  return column.nominal ? static_cast<double>(rank) : column.values[rank];
}

Value counts_value(std::span<const double> counts, const Signature& signature) {
  Value out = object();
  for (std::size_t k = 0; k < counts.size(); ++k) out[signature.classes[k]] = counts[k];
  return out;
}

const std::string& class_of(std::span<const double> counts, const Signature& signature) {
  const auto best = std::max_element(counts.begin(), counts.end()) - counts.begin();
  return signature.classes[static_cast<std::size_t>(best)];
}

void add_rule(const Rule& rule, RuleList& list) {
  for (const RuleCondition& condition : rule) {
    list.feature.push_back(static_cast<std::int32_t>(condition.feature));
    list.compare.push_back(static_cast<std::uint8_t>(condition.compare));
    list.value.push_back(condition.value);
  }
  list.begin.push_back(static_cast<std::int32_t>(list.feature.size()));
}

}  // namespace

bool RuleCondition::holds(double x) const {
  switch (compare) {
    case Compare::at_most: return x <= value;
    case Compare::above: return x > value;
    case Compare::equal: return x == value;
    case Compare::not_equal: return !std::isnan(x) && x != value;
    default: return std::isnan(x);
  }
}

Rule RuleList::rule(std::size_t i) const {
  Rule out;
  for (std::int32_t at = begin[i]; at < begin[i + 1]; ++at) {
    const auto c = static_cast<std::size_t>(at);
    out.push_back(
        {static_cast<std::size_t>(feature[c]), static_cast<Compare>(compare[c]), value[c]});
  }
  return out;
}

void RuleList::check(const Signature& signature) const {
  const std::size_t width = signature.classes.size();
  const std::size_t conditions = feature.size();
  if (signature.task != Task::classify || width == 0 ||
      static_cast<std::size_t>(std::max(classes, 0)) != width) {
    refuse("their classes are not those of the target");
  }
  if (begin.empty() || begin.front() != 0 ||
      static_cast<std::size_t>(std::max(begin.back(), 0)) != conditions ||
      !std::is_sorted(begin.begin(), begin.end()) || compare.size() != conditions ||
      value.size() != conditions || counts.size() % width != 0 ||
      counts.size() / width != begin.size()) {
    refuse("their arrays differ in length");
  }
  for (std::size_t c = 0; c < conditions; ++c) {
    if (feature[c] < 0 || static_cast<std::size_t>(feature[c]) >= signature.features.size()) {
      refuse("a condition is about a column that is not there");
    }
    if (compare[c] > static_cast<std::uint8_t>(Compare::missing) || !std::isfinite(value[c])) {
      refuse("a condition cannot be compared");
    }
    const std::size_t levels =
        signature.features.levels(static_cast<std::size_t>(feature[c])).size();
    const bool by_level = compare[c] == static_cast<std::uint8_t>(Compare::equal) ||
                          compare[c] == static_cast<std::uint8_t>(Compare::not_equal);
    if (by_level && !(value[c] >= 0 && value[c] < static_cast<double>(levels))) {
      refuse("a condition is about a level that is not there");
    }
  }
  for (const double count : counts) {
    if (!std::isfinite(count) || count < 0) refuse("a class count is not a weight of rows");
  }
  for (std::size_t i = 0; i < begin.size(); ++i) {
    const double total = total_of(counts_of(i));
    if (!(total > 0) || !std::isfinite(total)) refuse("a rule has no answer");
  }
}

Value RuleList::fitted(const Signature& signature) const {
  Value::Array rules;
  for (std::size_t i = 0; i <= std::min(size(), kShownRules); ++i) {
    const bool is_default = i == size();
    const std::string conditions = is_default ? "" : rule_text(rule(i), signature);
    const std::string& answer = class_of(counts_of(i), signature);
    rules.push_back(object(
        {{"rule", is_default ? "ELSE " + answer : fmt::format("IF {} THEN {}", conditions, answer)},
         {"class", answer},
         {"n", total_of(counts_of(i))},
         {"errors", total_of(counts_of(i)) * misclassification(counts_of(i))},
         {"counts", counts_value(counts_of(i), signature)}}));
  }
  return object(
      {{"rules", std::move(rules)}, {"rule_count", size()}, {"condition_count", feature.size()}});
}

void RuleList::explain(std::span<const double> row, const Signature& signature,
                       Trace& trace) const {
  const std::size_t answering =
      RuleFinder(*this).first([&](std::size_t column) { return row[column]; });
  for (std::size_t i = 0; i < answering && trace.wants_more(); ++i) {
    Step step{.title = fmt::format("Rule {} does not hold", i + 1),
              .path = fmt::format("rule {}", i + 1)};
    for (const RuleCondition& condition : rule(i)) {
      if (condition.holds(row[condition.feature])) continue;
      step.values = object({{"fails", condition_text(condition, signature)}});
      step.text = fmt::format("{} fails.", condition_text(condition, signature));
      break;
    }
    trace.add(std::move(step));
  }
  const std::span<const double> reached = counts_of(answering);
  const std::string& answer = class_of(reached, signature);
  const bool is_default = answering == size();
  Step step{.title = "Answer " + answer};
  step.path = is_default ? "default" : fmt::format("rule {}", answering + 1);
  step.values = object({{"prediction", answer}, {"counts", counts_value(reached, signature)}});
  step.text = is_default
                  ? fmt::format("No rule holds: ELSE {}.", answer)
                  : fmt::format("IF {} THEN {}.", rule_text(rule(answering), signature), answer);
  trace.add(std::move(step));
}

RuleList answered(std::span<const Rule> rules, const RuleData& data) {
  RuleList all;
  for (const Rule& rule : rules) add_rule(rule, all);
  // The rows of every rule, the default behind them.
  const RuleFinder finder(all);
  const std::size_t k = data.classes;
  std::vector<double> counts((rules.size() + 1) * k, 0.0);
  for (std::size_t row = 0; row < data.weights.size(); ++row) {
    if (data.weights[row] <= 0) continue;
    const std::size_t rule = finder.first([&](std::size_t feature) {
      const RankedColumn& column = data.table.column(feature);
      return value_of(column, column.rank[row]);
    });
    counts[rule * k + static_cast<std::size_t>(data.codes[row])] += data.weights[row];
  }
  RuleList list;
  list.classes = static_cast<std::int32_t>(k);
  std::vector<double> everybody(k, 0.0);
  for (std::size_t rule = 0; rule <= rules.size(); ++rule) {
    const std::span<const double> here = std::span(counts).subspan(rule * k, k);
    for (std::size_t c = 0; c < k; ++c) everybody[c] += here[c];
    const bool is_default = rule == rules.size();
    const bool reached = total_of(here) > 0;
    if (!is_default && !reached) continue;
    if (!is_default) add_rule(rules[rule], list);
    const std::span<const double> answer = reached ? here : std::span<const double>(everybody);
    list.counts.insert(list.counts.end(), answer.begin(), answer.end());
  }
  return list;
}

std::string condition_text(const RuleCondition& condition, const Signature& signature) {
  const FeatureName name = signature.features[condition.feature];
  switch (condition.compare) {
    case Compare::missing: return name.name + " is missing";
    case Compare::equal:
    case Compare::not_equal:
      return fmt::format("{} {} {}", name.name,
                         condition.compare == Compare::equal ? "=" : "is not",
                         name.levels[static_cast<std::size_t>(condition.value)]);
    default: break;
  }
  return fmt::format(
      "{} {}", name.name,
      cut_test(name, condition.compare == Compare::above ? ">" : "<=", condition.value));
}

std::string rule_text(const Rule& rule, const Signature& signature) {
  if (rule.empty()) return "true";
  std::vector<std::string> texts;
  for (const RuleCondition& condition : rule) texts.push_back(condition_text(condition, signature));
  return join(texts, " AND ");
}

}  // namespace gradus
