#include "gradus/blocks/single_tree/tree_story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/blocks/shap/shap_words.hpp"
#include "gradus/blocks/single_tree/split_story.hpp"
#include "gradus/blocks/tree/many_branches.hpp"
#include "gradus/core/shown_number.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

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
    if (event.mean_gain) mean_gain_ = units.of_impurity(*event.mean_gain);
    state_.center = units.answer(state_.center);
    state_.impurity = units.of_impurity(state_.impurity);
    for (const ExactSplit& split : event.candidates) candidates_.push_back(in_units(split, units));
    for (std::vector<Boundary>& list : boundaries_) {
      for (Boundary& boundary : list) boundary.gain = units.of_impurity(boundary.gain);
    }
  }
  NodeEvent event() const {
    return {event_.node, event_.parent, event_.sample, state_,       event_.leaf,       candidates_,
            boundaries_, chosen_,       event_.trees,  event_.table, event_.known_only, mean_gain_};
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
  std::optional<double> mean_gain_;
};

}  // namespace

std::function<void(const NodeEvent&)> TreeStory::observer() {
  if (trace_ == nullptr) return {};
  if (!told_in_.target.changed()) return [this](const NodeEvent& event) { tell(event); };
  tell_units();
  return [this](const NodeEvent& event) { tell(EventInUnits(event, told_in_.target).event()); };
}

void TreeStory::tell_units() {
  if (!listens()) return;
  Step step{.title = "Scale the target", .path = "target"};
  step.formula = fmt::format("y = 2^{} · y′", told_in_.target.target);
  step.values = object({{"exponent", told_in_.target.target}});
  step.text =
      "Squares of these targets leave the range of numbers. The tree is grown on y′, and its "
      "answers are multiplied back: no digit changes.";
  if (!told_in_.target.exact()) {
    step.text +=
        fmt::format(" Impurities have no number in the units of y: they are told in units of 2^{}.",
                    told_in_.target.power * told_in_.target.target - told_in_.target.impurity);
  }
  trace_->add(std::move(step));
}

// Answers are kept in the units of the growth until the tree is whole.
std::string TreeStory::answer(const NodeEvent& event) const {
  if (!told_in_.target.changed()) return answer_in_words(event.trees, event.node, signature_);
  return readable(told_in_.target.answer(event.trees.value[event.node]));
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

void TreeStory::tell(const NodeEvent& event) {
  if (!words_) words_.emplace(event.trees, 0, signature_);
  if (event.node != 0) words_->add_children(event.parent);
  if (!listens()) return;
  const NodeState& state = event.state;
  const std::string at = event.node == 0 ? "at the root" : "where " + words_->where(event.node);
  Step step{.path = words_->path(event.node)};
  step.values = object({{"n", event.sample.size()},
                        {"weight", state.weight},
                        {"impurity", state.impurity},
                        {"total", state.impurity * state.weight}});
  const bool for_classes = signature_.task == Task::classify;
  if (for_classes) {
    step.values["counts"] = counts_value(state.counts, signature_);
  } else {
    step.values["center"] = state.center;
  }
  step.formula =
      fmt::format("{}(S) = {} = {}",
                  enum_names(told_in_.criterion)[static_cast<std::size_t>(told_in_.criterion)],
                  for_classes ? class_formula(state, told_in_.criterion)
                              : number_formula(state, told_in_.criterion),
                  short_number(state.impurity));
  const SplitStory splits(event, signature_, told_in_);
  if (!event.candidates.empty()) splits.tell(step);
  if (event.leaf != LeafReason::none) {
    step.title = fmt::format("Leaf {}: {}", at, answer(event));
    step.values["leaf"] = answer(event);
    step.text = leaf_text(event);
  } else {
    const std::string chosen = splits.question(event.chosen);
    const double gain = without_rounding(event.chosen.gain, state.impurity);
    step.title = "Choose the question " + at;
    step.values["chosen"] = chosen;
    step.text = fmt::format("{} gains most, {}.", chosen, short_number(gain));
    if (splits.by_merit()) {
      step.text = fmt::format("{} compares best, {}; it gains {}.", chosen,
                              short_number(event.chosen.merit), short_number(gain));
    }
    if (event.mean_gain) {
      step.text += fmt::format(" Only columns that gain at least the mean, {}, are compared.",
                               short_number(*event.mean_gain));
    }
    const std::size_t tied = step.values["ties"].size();
    if (tied > 1) {
      step.text = fmt::format("{} questions {}, {}; the first column's, {}, is taken.", tied,
                              splits.by_merit() ? "compare best" : "gain most",
                              short_number(splits.by_merit() ? event.chosen.merit : gain), chosen);
    }
  }
  step.text += splits.shortened();
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
