#include "gradus/blocks/single_tree/split_story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/tree/level_words.hpp"
#include "gradus/core/shown_number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/trace/shown_list.hpp"

namespace gradus {
namespace {

// What still fits on a page.
constexpr std::size_t kMostTerms = 12;

std::string four_digits(double x) { return readable(x, 4); }

// Some rows of a node, side by side.
struct SideRows {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> codes;
  std::vector<double> numbers;
  std::vector<double> weights;

  void add(const NodeSample& sample, std::size_t i) {
    rows.push_back(sample.rows[i]);
    weights.push_back(sample.weights[i]);
    if (sample.classes > 0) {
      codes.push_back(sample.codes[i]);
    } else {
      numbers.push_back(sample.numbers[i]);
    }
  }
  NodeState state(std::size_t classes, const StoryUnits& told_in) const {
    NodeState out = state_of({rows, codes, numbers, weights, classes}, told_in.criterion);
    if (!told_in.target.changed()) return out;
    out.center = told_in.target.answer(out.center);
    out.impurity = told_in.target.of_impurity(out.impurity);
    return out;
  }
};

Value side_value(const SideRows& side, const NodeState& state, const Signature& signature) {
  Value out =
      object({{"n", side.rows.size()}, {"weight", state.weight}, {"impurity", state.impurity}});
  if (signature.task != Task::classify) {
    out["center"] = state.center;
    return out;
  }
  out["counts"] = object();
  for (std::size_t k = 0; k < state.counts.size(); ++k) {
    out["counts"][signature.classes[k]] = state.counts[k];
  }
  return out;
}

// `5/14·0.971`: what a branch adds to the mean impurity.
std::string branch_term(double weight, double of, double impurity) {
  return fmt::format("{}/{}·{}", readable(weight), readable(of), four_digits(impurity));
}

// `5/14·0.971 − 4/14·0 − 5/14·0.971`, and of many branches the first few.
std::string branch_terms(const ExactSplit& split, double weight) {
  std::vector<std::string> terms;
  for (const SplitBranch& branch : split.branches) {
    if (terms.size() == kMostTerms) {
      terms.emplace_back("…");
      break;
    }
    terms.push_back(branch_term(branch.weight, weight, branch.impurity));
  }
  return join(terms, " − ");
}

}  // namespace

double SplitStory::shown_gain(double gain) const {
  return without_rounding(gain, event_.state.impurity);
}

bool SplitStory::by_merit() const {
  if (told_in_.criterion == TreeCriterion::gain_ratio) return true;
  return std::any_of(
      event_.candidates.begin(), event_.candidates.end(),
      [](const ExactSplit& split) { return split.found && split.merit != split.gain; });
}

std::string SplitStory::question(const ExactSplit& split) const {
  const FeatureName& name = signature_.features[split.question.feature];
  if (name.nominal && split.branches.size() > 2) return name.name;
  return question(split.question);
}

std::string SplitStory::question(const Question& question) const {
  const FeatureName& name = signature_.features[question.feature];
  if (!name.nominal) {
    return fmt::format("{} {}", name.name, cut_test(name, "<=", question.threshold));
  }
  std::vector<std::string> levels;
  for (std::size_t level = 0; level < name.levels.size(); ++level) {
    const std::size_t word = level / 32;
    if (word < question.set.size() && ((question.set[word] >> (level % 32)) & 1U) != 0) {
      levels.push_back(name.levels[level]);
    }
  }
  if (levels.empty()) return name.name + " is missing";
  if (levels.size() == 1) return fmt::format("{} = {}", name.name, levels.front());
  return fmt::format("{} in {{{}}}", name.name, join(levels, ", "));
}

void SplitStory::tell(Step& step) const {
  const double tie = kGainTie * event_.state.impurity;
  const bool compares = by_merit();
  Value ties = Value::Array{};
  for (const char* key : {"questions", "gains", "impurities", "thresholds"}) {
    step.values[key] = object();
  }
  if (event_.mean_gain) step.values["mean_gain"] = *event_.mean_gain;
  for (std::size_t i = 0; i < event_.candidates.size(); ++i) {
    const ExactSplit& split = event_.candidates[i];
    if (!split.found) continue;
    const std::string& name = signature_.features[split.question.feature].name;
    step.values["questions"][name] = question(split);
    step.values["gains"][name] = shown_gain(split.gain);
    step.values["impurities"][name] =
        without_rounding(event_.state.impurity - split.gain, event_.state.impurity);
    if (split.branches.size() > 2) {
      step.formula += fmt::format(
          "; {}: {} − {} = {}", question(split), four_digits(event_.state.impurity),
          branch_terms(split, event_.state.weight), four_digits(shown_gain(split.gain)));
    } else {
      tell_sides(split, step);
    }
    if (!split.branches.empty()) tell_branches(split, step);
    const bool enough = !event_.mean_gain || split.gain >= *event_.mean_gain - tie;
    if (told_in_.criterion == TreeCriterion::gain_ratio) tell_ratio(split, step);
    if (compares && enough) step.values["merits"][name] = split.merit;
    if (enough && split.merit >= event_.chosen.merit - tie) ties.push_back(question(split));
    tell_boundaries(i, step);
  }
  step.values["ties"] = ties.size() > 1 ? std::move(ties) : Value(Value::Array{});
}

// Both sides of a question with their rows, and the gain worked out from them.
void SplitStory::tell_sides(const ExactSplit& split, Step& step) const {
  const RankedColumn& column = event_.table.column(split.question.feature);
  const std::uint32_t* rank = ranks_in(event_.sample, column, split.question.feature);
  SideRows sides[2];
  for (std::size_t i = 0; i < event_.sample.size(); ++i) {
    const std::uint32_t at = rank[event_.sample.rows[i]];
    if (event_.known_only && column.is_missing(at)) continue;
    sides[goes_left(split, column, at) ? 0 : 1].add(event_.sample, i);
  }
  Value& told = step.values["sides"][signature_.features[split.question.feature].name];
  std::vector<std::string> terms;
  SideRows all = sides[0];
  all.rows.insert(all.rows.end(), sides[1].rows.begin(), sides[1].rows.end());
  all.codes.insert(all.codes.end(), sides[1].codes.begin(), sides[1].codes.end());
  all.numbers.insert(all.numbers.end(), sides[1].numbers.begin(), sides[1].numbers.end());
  all.weights.insert(all.weights.end(), sides[1].weights.begin(), sides[1].weights.end());
  const NodeState known = all.state(event_.sample.classes, told_in_);
  for (std::size_t side = 0; side < 2; ++side) {
    const NodeState state = sides[side].state(event_.sample.classes, told_in_);
    told[side == 0 ? "yes" : "no"] = side_value(sides[side], state, signature_);
    terms.push_back(branch_term(state.weight, known.weight, state.impurity));
  }
  const bool some = all.rows.size() < event_.sample.size();
  // Only rows whose value is known can gain anything.
  const std::string share =
      some ? fmt::format("{}/{}·(", readable(known.weight), readable(event_.state.weight)) : "";
  step.formula +=
      fmt::format("; {}: {}{} − {}{} = {}", question(split), share,
                  four_digits(some ? known.impurity : event_.state.impurity), join(terms, " − "),
                  some ? ")" : "", four_digits(shown_gain(split.gain)));
}

// What goes to each branch of a question with one per category, and how mixed it is.
void SplitStory::tell_branches(const ExactSplit& split, Step& step) const {
  const FeatureName& name = signature_.features[split.question.feature];
  Value& subsets = step.values["subset_impurities"][name.name];
  subsets = object();
  for (const SplitBranch& branch : split.branches) {
    const bool known = branch.rank < name.levels.size();
    subsets[known ? name.levels[branch.rank] : "is missing"] = branch.impurity;
  }
}

void SplitStory::tell_ratio(const ExactSplit& split, Step& step) const {
  const std::string& name = signature_.features[split.question.feature].name;
  const double gain = shown_gain(split.gain);
  const double ratio = split.split_information > 0 ? gain / split.split_information : 0;
  step.values["split_informations"][name] = split.split_information;
  step.values["gain_ratios"][name] = ratio;
  step.formula += fmt::format(", {} / {} = {}", four_digits(gain),
                              four_digits(split.split_information), four_digits(ratio));
}

// Every cut of a number and every set of categories, or the best of very many.
void SplitStory::tell_boundaries(std::size_t candidate, Step& step) const {
  if (candidate >= event_.boundaries.size()) return;
  const std::vector<Boundary>& all = event_.boundaries[candidate];
  const Question& asked = event_.candidates[candidate].question;
  const FeatureName& name = signature_.features[asked.feature];
  std::vector<double> gains;
  for (const Boundary& boundary : all) gains.push_back(boundary.gain);
  if (all.size() > kAllShown) step.values["tried"][name.name] = all.size();
  Value& list = step.values["thresholds"][name.name];
  list = Value::Array{};
  for (const std::size_t i : shown_of_many(gains)) {
    const double left =
        without_rounding(event_.state.impurity - all[i].gain, event_.state.impurity);
    Value one = object();
    if (name.nominal) {
      one["question"] = question(Question{
          .feature = asked.feature, .missing_left = all[i].missing_left, .set = all[i].set});
    } else {
      one["threshold"] = all[i].threshold;
      if (!name.order.empty()) one["level"] = last_level_below(name, all[i].threshold);
    }
    one["impurity"] = left;
    one["total"] = left * event_.state.weight;
    one["gain"] = shown_gain(all[i].gain);
    list.push_back(std::move(one));
  }
}

std::string SplitStory::shortened() const {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(event_.candidates.size(), event_.boundaries.size()); ++i) {
    if (event_.boundaries[i].size() <= kAllShown) continue;
    parts.push_back(fmt::format("{} of {}", event_.boundaries[i].size(),
                                signature_.features[event_.candidates[i].question.feature].name));
  }
  return best_only(std::move(parts));
}

}  // namespace gradus
