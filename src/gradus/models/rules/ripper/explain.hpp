// The steps of RIPPER: each condition with those that were tried beside it, what a rule is worth
// shortened, the bits of the set with it, and the versions that the improvement chose among.
#pragma once

#include <span>
#include <string>

#include "gradus/blocks/rules/grow_rule.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// Why the rules of a class end, or that they go on.
enum class RuleFate { kept, too_poor, too_long };

struct MadeRule {
  const Rule& rule;
  Coverage said = {};  // of the rows that were left
  RuleFate fate = RuleFate::kept;
  double bits_before = 0;
  double bits = 0;  // of the set with it
};

// The bits of a set with one rule as it is, grown anew and grown on.
struct ImprovedRule {
  const Rule& rule;
  const Rule& anew;
  const Rule& longer;
  double bits = 0;
  double bits_anew = 0;
  double bits_longer = 0;
  const Rule& chosen;
};

// Tells nothing, and costs nothing, without a trace.
class RipperStory {
 public:
  RipperStory(const Signature& signature, std::size_t of_class, Trace* trace);

  bool listens() const { return trace_ != nullptr && trace_->wants_more(); }
  // What the making of a rule is watched by; null: nobody listens.
  const RuleWatch* watch() const { return listens() ? &watch_ : nullptr; }
  // Where the work is now: "rule 2", "round 1/rule 2/anew"; by what a rule is pruned.
  void at(std::string path) { path_ = std::move(path); }
  void judge_by(RuleWorth worth) { worth_ = worth; }

  void made(const MadeRule& made);
  void improved(const ImprovedRule& improved);
  void dropped(const Rule& rule, double bits_with, double bits_without);

 private:
  void grown(const Coverage& before, std::span<const TriedCondition> tried,
             const RuleCondition* taken);
  void pruned(const Rule& rule, std::span<const double> worth, std::size_t kept);
  Step begin(std::string title, const std::string& what) const;
  const std::string& class_name() const { return signature_.classes[of_class_]; }

  const Signature& signature_;
  std::size_t of_class_;
  Trace* trace_;
  RuleWatch watch_;
  std::string path_;
  RuleWorth worth_ = RuleWorth::precision;
};

}  // namespace gradus
