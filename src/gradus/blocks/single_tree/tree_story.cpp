#include "gradus/blocks/single_tree/tree_story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/blocks/shap/shap_words.hpp"
#include "gradus/blocks/tree/level_words.hpp"
#include "gradus/blocks/tree/many_branches.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// What still fits on a page.
constexpr std::size_t kMostBoundaries = 50;
constexpr std::size_t kMostTerms = 12;
constexpr int kDigits = 4;

std::string short_number(double x) { return readable(x, kDigits); }

Value counts_value(std::span<const double> counts, const Signature& signature) {
  Value out = object();
  for (std::size_t k = 0; k < counts.size(); ++k) out[signature.classes[k]] = counts[k];
  return out;
}

// `1 − (5/14)² − (9/14)²`, `−(5/14)·log₂(5/14) − …`, `1 − 9/14`.
std::string class_formula(const NodeState& state, TreeCriterion criterion) {
  const std::string total = readable(state.weight);
  std::string sum = criterion == TreeCriterion::gini ? "1" : "";
  if (criterion == TreeCriterion::misclassification) {
    const double most = *std::max_element(state.counts.begin(), state.counts.end());
    return fmt::format("1 − {}/{}", readable(most), total);
  }
  for (const double count : state.counts) {
    if (count == 0) continue;
    const std::string share = fmt::format("{}/{}", readable(count), total);
    if (criterion == TreeCriterion::gini) {
      sum += fmt::format(" − ({})²", share);
    } else {
      sum += fmt::format("{}({})·log₂({})", sum.empty() ? "−" : " − ", share, share);
    }
  }
  return sum;
}

// `5/14·0.971 − 4/14·0 − 5/14·0.971`, and of many branches the first few.
std::string branch_terms(const ExactSplit& split, double weight) {
  std::vector<std::string> terms;
  for (const SplitBranch& branch : split.branches) {
    if (terms.size() == kMostTerms) {
      terms.emplace_back("…");
      break;
    }
    terms.push_back(fmt::format("{}/{}·{}", readable(branch.weight), readable(weight),
                                short_number(branch.impurity)));
  }
  return join(terms, " − ");
}

std::string number_formula(const NodeState& state, TreeCriterion criterion) {
  const std::string center = readable(state.center);
  switch (criterion) {
    case TreeCriterion::absolute_error:
      return fmt::format("Σ w |y − {}| / {}", center, readable(state.weight));
    case TreeCriterion::poisson:
      return fmt::format("2 Σ w (y log(y/{}) − y + {}) / {}", center, center,
                         readable(state.weight));
    default: return fmt::format("Σ w (y − {})² / {}", center, readable(state.weight));
  }
}

// A node as it is told: the same numbers in the user's units.
class EventInUnits {
 public:
  EventInUnits(const NodeEvent& event, const TargetUnits& units)
      : event_(event),
        state_(event.state),
        chosen_(in_units(event.chosen, units)),
        boundaries_(event.boundaries.begin(), event.boundaries.end()) {
    state_.center = units.answer(state_.center);
    state_.impurity = units.of_impurity(state_.impurity);
    for (const ExactSplit& split : event.candidates) candidates_.push_back(in_units(split, units));
    for (std::vector<Boundary>& list : boundaries_) {
      for (Boundary& boundary : list) boundary.gain = units.of_impurity(boundary.gain);
    }
  }
  NodeEvent event() const {
    return {event_.node, event_.parent, event_.rows, state_,      event_.leaf,
            candidates_, boundaries_,   chosen_,     event_.trees};
  }

 private:
  static ExactSplit in_units(ExactSplit split, const TargetUnits& units) {
    split.gain = units.of_impurity(split.gain);
    split.merit = units.of_impurity(split.merit);
    for (SplitBranch& branch : split.branches) {
      branch.impurity = units.of_impurity(branch.impurity);
    }
    return split;
  }

  const NodeEvent& event_;
  NodeState state_;
  ExactSplit chosen_;
  std::vector<ExactSplit> candidates_;
  std::vector<std::vector<Boundary>> boundaries_;
};

}  // namespace

std::function<void(const NodeEvent&)> TreeStory::observer() {
  if (trace_ == nullptr) return {};
  if (!units_.changed()) return [this](const NodeEvent& event) { tell(event); };
  tell_units();
  return [this](const NodeEvent& event) { tell(EventInUnits(event, units_).event()); };
}

void TreeStory::tell_units() {
  if (!listens()) return;
  Step step{.title = "Scale the target", .path = "target"};
  step.formula = fmt::format("y = 2^{} · y′", units_.target);
  step.values = object({{"exponent", units_.target}});
  step.text =
      "Squares of these targets leave the range of numbers. The tree is grown on y′, and its "
      "answers are multiplied back: no digit changes.";
  if (!units_.exact()) {
    step.text +=
        fmt::format(" Impurities have no number in the units of y: they are told in units of 2^{}.",
                    units_.power * units_.target - units_.impurity);
  }
  trace_->add(std::move(step));
}

// Answers are kept in the units of the growth until the tree is whole.
std::string TreeStory::answer(const NodeEvent& event) const {
  if (!units_.changed()) return answer_in_words(event.trees, event.node, signature_);
  return readable(units_.answer(event.trees.value[event.node]));
}

std::string TreeStory::question(const ExactSplit& split) const {
  const FeatureName& name = signature_.features[split.question.feature];
  if (!name.nominal) {
    if (split.question.threshold == std::numeric_limits<double>::max()) {
      return name.name + " is not missing";
    }
    if (!name.order.empty()) {
      return fmt::format("{} {}", name.name, cut_test(name, "<=", split.question.threshold));
    }
    return fmt::format("{} <= {}", name.name, readable(split.question.threshold));
  }
  if (split.branches.size() > 2) return name.name;
  std::vector<std::string> levels;
  for (std::size_t level = 0; level < name.levels.size(); ++level) {
    const std::size_t word = level / 32;
    if (word < split.question.set.size() &&
        ((split.question.set[word] >> (level % 32)) & 1U) != 0) {
      levels.push_back(name.levels[level]);
    }
  }
  if (levels.empty()) return name.name + " is missing";
  if (levels.size() == 1) return fmt::format("{} = {}", name.name, levels.front());
  return fmt::format("{} in {{{}}}", name.name, join(levels, ", "));
}

std::string TreeStory::leaf_text(const NodeEvent& event) const {
  const std::string said = answer(event);
  switch (event.leaf) {
    case LeafReason::pure: return fmt::format("All targets are the same: a leaf with {}.", said);
    case LeafReason::depth_limit: return fmt::format("max_depth is reached: a leaf with {}.", said);
    case LeafReason::few_rows: return fmt::format("Too few rows to split: a leaf with {}.", said);
    case LeafReason::inseparable:
      return fmt::format("No question parts these rows: a leaf with {}.", said);
    case LeafReason::little_gained:
      return fmt::format("The best split gains less than min_impurity_decrease: a leaf with {}.",
                         said);
    default: return {};
  }
}

void TreeStory::add_candidates(const NodeEvent& event, Step& step) const {
  const double tie = kGainTie * event.state.impurity;
  Value ties = Value::Array{};
  const bool by_ratio = criterion_ == TreeCriterion::gain_ratio;
  for (const char* key : {"questions", "gains", "impurities", "thresholds"}) {
    step.values[key] = object();
  }
  for (std::size_t i = 0; i < event.candidates.size(); ++i) {
    const ExactSplit& split = event.candidates[i];
    if (!split.found) continue;
    const FeatureName feature = signature_.features[split.question.feature];
    const std::string& name = feature.name;
    const double rest = event.state.impurity - split.gain;
    step.values["questions"][name] = question(split);
    step.values["gains"][name] = split.gain;
    step.values["impurities"][name] = rest;
    step.formula += fmt::format(
        "; {}: {} − {} = {}", question(split), short_number(event.state.impurity),
        split.branches.size() > 2 ? branch_terms(split, event.state.weight) : short_number(rest),
        short_number(split.gain));
    if (!split.branches.empty()) add_branches(split, step);
    if (by_ratio) {
      const double ratio = split.split_information > 0 ? split.gain / split.split_information : 0;
      step.values["split_informations"][name] = split.split_information;
      step.values["gain_ratios"][name] = ratio;
      step.formula += fmt::format(", {} / {} = {}", short_number(split.gain),
                                  short_number(split.split_information), short_number(ratio));
    }
    if (split.merit != split.gain) step.values["merits"][name] = split.merit;
    if (split.merit >= event.chosen.merit - tie) ties.push_back(question(split));
    if (i >= event.boundaries.size() || event.boundaries[i].size() > kMostBoundaries) continue;
    Value& list = step.values["thresholds"][name];
    list = Value::Array{};
    for (const Boundary& boundary : event.boundaries[i]) {
      const double left = event.state.impurity - boundary.gain;
      list.push_back(object({{"threshold", boundary.threshold},
                             {"impurity", left},
                             {"total", left * event.state.weight},
                             {"gain", boundary.gain}}));
      if (!feature.order.empty()) {
        list.as_array().back()["level"] = last_level_below(feature, boundary.threshold);
      }
    }
  }
  step.values["ties"] = ties.size() > 1 ? std::move(ties) : Value(Value::Array{});
}

// What goes to each branch of a question with one per category, and how mixed it is.
void TreeStory::add_branches(const ExactSplit& split, Step& step) const {
  const FeatureName& name = signature_.features[split.question.feature];
  Value& subsets = step.values["subset_impurities"][name.name];
  subsets = object();
  for (const SplitBranch& branch : split.branches) {
    const bool known = branch.rank < name.levels.size();
    subsets[known ? name.levels[branch.rank] : "is missing"] = branch.impurity;
  }
}

void TreeStory::tell(const NodeEvent& event) {
  if (!words_) words_.emplace(event.trees, 0, signature_);
  if (event.node != 0) words_->add_children(event.parent);
  if (!listens()) return;
  const NodeState& state = event.state;
  const std::string at = event.node == 0 ? "at the root" : "where " + words_->where(event.node);
  Step step{.path = words_->path(event.node)};
  step.values = object({{"n", event.rows},
                        {"weight", state.weight},
                        {"impurity", state.impurity},
                        {"total", state.impurity * state.weight}});
  const bool for_classes = signature_.task == Task::classify;
  if (for_classes) {
    step.values["counts"] = counts_value(state.counts, signature_);
  } else {
    step.values["center"] = state.center;
  }
  step.formula = fmt::format(
      "{}(S) = {} = {}", enum_names(criterion_)[static_cast<std::size_t>(criterion_)],
      for_classes ? class_formula(state, criterion_) : number_formula(state, criterion_),
      short_number(state.impurity));
  if (!event.candidates.empty()) add_candidates(event, step);
  if (event.leaf != LeafReason::none) {
    step.title = fmt::format("Leaf {}: {}", at, answer(event));
    step.values["leaf"] = answer(event);
    step.text = leaf_text(event);
  } else {
    const std::string chosen = question(event.chosen);
    step.title = "Choose the question " + at;
    step.values["chosen"] = chosen;
    step.text = fmt::format("{} gains most, {}.", chosen, short_number(event.chosen.gain));
    if (event.chosen.merit != event.chosen.gain) {
      step.text = fmt::format("{} compares best, {}; it gains {}.", chosen,
                              short_number(event.chosen.merit), short_number(event.chosen.gain));
    }
    const std::size_t tied = step.values["ties"].size();
    if (tied > 1) {
      step.text = fmt::format("{} questions gain most, {}; the first column's, {}, is taken.", tied,
                              short_number(event.chosen.gain), chosen);
    }
  }
  trace_->add(std::move(step));
}

void TreeStory::prune(std::size_t leaves_before, const DecisionTreeModel& model, double alpha) {
  if (!listens()) return;
  const std::size_t left = model.tree.trees.leaves(0);
  Step step{.title = "Prune the weakest nodes", .path = "prune"};
  step.formula = "α_eff = (R(node) − R(subtree)) / (leaves − 1)";
  step.values = object({{"ccp_alpha", alpha}, {"leaves_before", leaves_before}, {"leaves", left}});
  step.text = fmt::format("Every subtree that saves at most {} per leaf is cut: {} of {} stay.",
                          readable(alpha), counted(left, "leaf", "leaves"), leaves_before);
  trace_->add(std::move(step));
}

void TreeStory::finish(const DecisionTreeModel& model) {
  if (!listens()) return;
  const Trees& trees = model.tree.trees;
  Step step{.title = "Read the tree", .path = "model"};
  step.values = model.fitted(signature_);
  step.text = fmt::format("{}, {}, depth {}.", counted(question_nodes(trees, 0), "node"),
                          counted(trees.leaves(0), "leaf", "leaves"), question_depth(trees, 0));
  if (const Value* rules = step.values.find("rules"); rules != nullptr && rules->size() <= 20) {
    std::vector<std::string> lines;
    for (const Value& rule : rules->as_array()) lines.push_back(rule.as_string());
    step.formula = join(lines, "; ");
  }
  trace_->add(std::move(step));
}

void DecisionTreeModel::explain(std::span<const double> row, const Signature& signature,
                                Trace& trace) const {
  const auto turn = [&](std::size_t node, const TreeWords& words) {
    const double x = row[static_cast<std::size_t>(tree.trees.feature[node])];
    return Turn{tree.trees.goes_left(node, x), words.answer(node, row)};
  };
  explain_way(*this, row, signature, turn, trace);
}

void explain_way(const DecisionTreeModel& model, std::span<const double> row,
                 const Signature& signature, const TakeTurn& turn, Trace& trace) {
  const Trees& trees = model.tree.trees;
  const TreeWords words(trees, 0, signature);
  std::size_t node = 0;
  while (!trees.is_leaf(node) && trace.wants_more()) {
    Turn taken = turn(node, words);
    std::size_t from = node;
    std::size_t next = taken.yes ? trees.yes(node) : trees.no(node);
    while (is_link(trees, from, next)) {
      from = next;
      taken = turn(from, words);
      next = taken.yes ? trees.yes(from) : trees.no(from);
    }
    std::string said = taken.yes ? "yes" : "no";
    if (has_many_branches(trees, node)) said = words.branch(next);
    Step step{.title = "Ask: " + words.question(node) + "?", .path = words.path(node)};
    step.values =
        object({{"question", words.question(node)}, {"row", taken.reason}, {"answer", said}});
    step.text = fmt::format("The row has {}: {}.", taken.reason, said);
    trace.add(std::move(step));
    node = next;
  }
  const bool for_classes = signature.task == Task::classify;
  // What columns contribute adds up to the answer of the questions themselves; where something else
  // decided a turn, it would not.
  if (trees.leaf_of(0, row) == node) {
    tell_contributions({trees, model.tree.weight}, row, signature,
                       {.scores = for_classes ? signature.classes : signature.outputs}, trace);
  }
  const std::string answer = answer_in_words(trees, node, signature);
  Step step{.title = "Answer " + answer, .path = words.path(node)};
  const auto rows = static_cast<std::size_t>(model.tree.rows[node]);
  step.values = object({{"n", rows}});
  if (signature.task == Task::classify) {
    std::vector<std::string> shares;
    step.values["prediction"] = answer;
    step.values["probabilities"] = object();
    for (std::size_t k = 0; k < signature.classes.size(); ++k) {
      const double share = trees.value_of(node)[k];
      step.values["probabilities"][signature.classes[k]] = share;
      shares.push_back(fmt::format("P({}) = {}", signature.classes[k], short_number(share)));
    }
    step.formula = join(shares, ", ");
  } else {
    step.values["prediction"] = trees.value[node];
  }
  step.text = fmt::format("IF {} THEN {} ({}).", node == 0 ? "true" : words.where(node), answer,
                          counted(rows, "training row"));
  trace.add(std::move(step));
}

}  // namespace gradus
