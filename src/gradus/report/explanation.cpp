#include "gradus/report/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"
#include "gradus/report/value_blocks.hpp"

namespace gradus::report {
namespace {

// What a page can hold and a person could read; the JSON form holds every step.
constexpr std::size_t kMostSteps = 2000;

}  // namespace

Document explanation_document(const Explanation& explanation) {
  Document page{.title = explanation.subject, .subtitle = explanation.about};
  KeyValues facts = explanation.facts;
  if (!explanation.fingerprint.empty()) {
    facts.items.emplace_back("fingerprint", explanation.fingerprint);
  }
  if (!facts.items.empty()) page.add(facts);
  page.add(Heading{fmt::format("The work in {}", counted(explanation.steps.size(), "step"))});
  const std::size_t shown = std::min(explanation.steps.size(), kMostSteps);
  for (const Step& step : explanation.steps.first(shown)) page.add(StepBlock{step});
  const std::size_t rest = explanation.steps.size() - shown + explanation.dropped;
  if (rest > 0) {
    page.add(
        Paragraph{fmt::format("… and {} more that this page leaves out.", counted(rest, "step"))});
  }
  std::vector<Block> result = value_blocks(explanation.fitted);
  if (!result.empty()) {
    page.add(Heading{"What was learned"});
    page.add(std::move(result));
  }
  return page;
}

Value explanation_value(const Explanation& explanation) {
  Value out;
  out[explanation.subject_kind] = explanation.subject;
  Value steps = Value::Array();
  for (const Step& step : explanation.steps) steps.push_back(gradus::to_value(step));
  out["steps"] = std::move(steps);
  if (explanation.dropped > 0) out["steps_left_out"] = Value(explanation.dropped);
  out["fitted"] = explanation.fitted;
  out["fingerprint"] = explanation.fingerprint;
  return out;
}

}  // namespace gradus::report
