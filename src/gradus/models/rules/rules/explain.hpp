// The steps of rules from a tree: the removals that were tried for each rule with their estimates,
// and which rules of the sorted list were left out.
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/blocks/rules/rule_list.hpp"
#include "gradus/models/rules/rules/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// The conditions that a rule still has, its estimated error, and what that would be without each.
struct Removal {
  std::vector<std::size_t> kept;  // numbers of conditions
  double error = 0;
  std::vector<double> without = {};
  std::size_t dropped = 0;  // place in `kept`; its size: none
};

struct Simplified {
  Rule before;
  Rule rule;
  std::size_t answer = 0;
  double rows = 0;                     // that it covers
  double error = 0;                    // pessimistic, as a share
  std::vector<Removal> removals = {};  // only when they are told
};

// What became of a rule of the sorted list.
struct Fate {
  Rule rule;
  std::size_t answer = 0;
  bool repeated = false;  // an earlier one says the same
  double more = 0;        // training errors that the list would make more without it
  bool kept = true;
};

struct ToldRules {
  const std::vector<Simplified>& all;
  const std::vector<Fate>& fates;
};

void tell_rules(const ToldRules& told, const RulesModel& model, const Signature& signature,
                Trace& trace);

}  // namespace gradus
