#include "gradus/models/tree/id3/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/blocks/shap/shap_words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// Longer formulas are cut: nobody reads the 13th term, and every number is in the values anyway.
constexpr std::size_t kShownTerms = 12;
constexpr int kDigits = 4;

std::string bits(double value) { return readable(value, kDigits); }

std::string joined(std::vector<std::string> terms, std::string_view separator) {
  if (terms.size() > kShownTerms) {
    terms.resize(kShownTerms);
    terms.emplace_back("…");
  }
  return join(terms, separator);
}

// "Entropy(S) = −(9/14)·log₂(9/14) − (5/14)·log₂(5/14) = 0.9403"
std::string entropy_formula(std::span<const double> counts) {
  const std::string total = readable(total_of(counts));
  std::vector<std::string> terms;
  for (const double count : counts) {
    if (count <= 0) continue;
    const std::string share = fmt::format("({}/{})", readable(count), total);
    terms.push_back(fmt::format("{}·log₂{}", share, share));
  }
  return fmt::format("Entropy(S) = −{} = {}", joined(std::move(terms), " − "),
                     bits(entropy(counts)));
}

// "Gain(S, outlook) = 0.9403 − (5/14)·0.971 − (4/14)·0 − (5/14)·0.971 = 0.2467"
std::string gain_formula(const std::string& name, const Partition& parts, double whole,
                         double gain) {
  const std::string total = readable(total_of(parts.counts));
  std::vector<std::string> terms = {bits(whole)};
  for (std::size_t i = 0; i < parts.parts(); ++i) {
    const double size = total_of(parts.part(i));
    if (size <= 0) continue;
    terms.push_back(fmt::format("({}/{})·{}", readable(size), total, bits(entropy(parts.part(i)))));
  }
  return fmt::format("Gain(S, {}) = {} = {}", name, joined(std::move(terms), " − "), bits(gain));
}

Value counts_value(std::span<const double> counts, const Signature& signature) {
  Value out = object();
  for (std::size_t k = 0; k < counts.size(); ++k) out[signature.classes[k]] = counts[k];
  return out;
}

std::string leaf_text(Id3Leaf leaf, const std::string& answer) {
  switch (leaf) {
    case Id3Leaf::pure: return fmt::format("All rows are {}: a leaf.", answer);
    case Id3Leaf::empty:
      return fmt::format("No row came here: a leaf with the majority of the parent, {}.", answer);
    case Id3Leaf::exhausted:
      return fmt::format("No attribute is left: a leaf with the majority, {}.", answer);
    case Id3Leaf::inseparable:
      return fmt::format(
          "The rows agree in every attribute that is left, so no split can tell them apart: a leaf "
          "with the majority, {}.",
          answer);
    case Id3Leaf::depth_limit:
      return fmt::format("max_depth is reached: a leaf with the majority, {}.", answer);
    case Id3Leaf::few_rows:
      return fmt::format("Fewer rows than min_samples_split: a leaf with the majority, {}.",
                         answer);
    case Id3Leaf::little_gained:
      return fmt::format(
          "The best split gains less than min_impurity_decrease: a leaf with the majority, {}.",
          answer);
    case Id3Leaf::none: break;
  }
  return {};
}

// Fills in what was tried at a node; returns the formula.
std::string describe_candidates(const Id3NodeEvent& event, std::span<const double> counts,
                                const Signature& signature, Value& values) {
  std::vector<std::string> formulas = {entropy_formula(counts)};
  values["subset_entropies"] = object();
  values["remainders"] = object();
  values["gains"] = object();
  for (const Id3Candidate& candidate : event.candidates) {
    const FeatureName& name = signature.features[candidate.feature];
    const Partition parts{event.counts[candidate.feature], counts.size()};
    Value& by_level = values["subset_entropies"][name.name];
    by_level = object();
    for (std::size_t level = 0; level < parts.parts(); ++level) {
      if (total_of(parts.part(level)) > 0) {
        by_level[name.levels[level]] = entropy(parts.part(level));
      }
    }
    values["remainders"][name.name] = entropy(counts) - candidate.gain;
    values["gains"][name.name] = candidate.gain;
    formulas.push_back(gain_formula(name.name, parts, entropy(counts), candidate.gain));
  }
  return join(formulas, "; ");
}

// The attributes that share the largest gain; empty when there is only one.
std::vector<std::string> tied_names(const Id3NodeEvent& event, const Signature& signature) {
  double best = 0;
  for (const Id3Candidate& candidate : event.candidates) best = std::max(best, candidate.gain);
  std::vector<std::string> names;
  for (const Id3Candidate& candidate : event.candidates) {
    if (candidate.gain >= best - kId3Tie)
      names.push_back(signature.features[candidate.feature].name);
  }
  if (names.size() < 2) names.clear();
  return names;
}

}  // namespace

void explain_id3_node(const Id3NodeEvent& event, const Id3Model& model, const Id3Paths& paths,
                      const Signature& signature, Trace& trace) {
  const std::span<const double> counts = model.counts_of(event.node);
  const std::string where = paths.where(event.node);
  const std::string at = event.node == 0 ? "at the root" : "where " + where;
  Step step{.path = paths.path(event.node)};
  step.values = object({{"n", total_of(counts)},
                        {"counts", counts_value(counts, signature)},
                        {"entropy", entropy(counts)}});
  if (!event.candidates.empty()) {
    step.formula = describe_candidates(event, counts, signature, step.values);
  } else if (event.rows > 0) {
    step.formula = entropy_formula(counts);
  }
  if (event.leaf != Id3Leaf::none) {
    const std::string& answer = signature.classes[answer_of(model, paths, event.node)];
    step.title = fmt::format("Leaf {}: {}", at, answer);
    step.values["leaf"] = answer;
    step.text = leaf_text(event.leaf, answer);
  } else {
    const Id3Candidate& chosen = event.candidates[event.chosen];
    const std::string& name = signature.features[chosen.feature].name;
    const std::vector<std::string> ties = tied_names(event, signature);
    step.title = "Choose the attribute " + at;
    step.values["chosen"] = name;
    step.values["ties"] = Value(ties);
    step.text = fmt::format("{} has the largest gain, {} bits: one branch for each of its levels.",
                            name, bits(chosen.gain));
    if (!ties.empty()) {
      step.text = fmt::format("{} share the largest gain, {} bits; the first column, {}, is taken.",
                              join(ties, ", "), bits(chosen.gain), name);
    }
  }
  trace.add(std::move(step));
}

void explain_id3_tree(const Id3Model& model, const Signature& signature, Trace& trace) {
  Value fitted = model.fitted(signature);
  std::vector<std::string> forms;
  for (const auto& [name, form] : fitted.at("disjunctive_form").as_object()) {
    forms.push_back(fmt::format("{} ⇔ {}", name, form.as_string()));
  }
  std::vector<std::string> rules;
  for (const Value& rule : fitted.at("rules").as_array()) rules.push_back(rule.as_string());
  Step step{.title = "Read the tree", .path = "tree"};
  step.formula = join(forms, "; ");
  step.text = fmt::format(
      "{} with {} and {}. {}.", counted(model.nodes(), "node"),
      counted(static_cast<std::size_t>(fitted.at("leaves").as_integer()), "leaf", "leaves"),
      fmt::format("depth {}", fitted.at("depth").as_integer()), joined(std::move(rules), "; "));
  step.values = std::move(fitted);
  trace.add(std::move(step));
}

void Id3Model::explain(std::span<const double> row, const Signature& signature,
                       Trace& trace) const {
  const Id3Paths paths(*this, signature);
  Id3Walk walk;
  for (std::size_t from = 0; descend(*this, row, walk); from = walk.node) {
    const FeatureName& name = signature.features[static_cast<std::size_t>(feature[from])];
    const std::string& level = name.levels[walk.node - child(from, 0)];
    Step step{.title = fmt::format("Ask for {}", name.name), .path = paths.path(from)};
    step.values = object({{"attribute", name.name}, {"level", level}});
    step.text = fmt::format("The row has {} = {}.", name.name, level);
    trace.add(std::move(step));
  }
  tell_contributions(branch_tree_of(*this), row, signature, trace);
  const std::span<const double> answer_counts = counts_of(walk.answering);
  const std::string& answer = signature.classes[majority(answer_counts)];
  const std::string total = readable(total_of(answer_counts));
  std::vector<std::string> shares;
  Step step{.title = "Answer " + answer, .path = paths.path(walk.node)};
  step.values = object({{"n", total_of(answer_counts)},
                        {"counts", counts_value(answer_counts, signature)},
                        {"probabilities", object()},
                        {"prediction", answer}});
  for (std::size_t k = 0; k < answer_counts.size(); ++k) {
    const double share = answer_counts[k] / total_of(answer_counts);
    step.values["probabilities"][signature.classes[k]] = share;
    shares.push_back(fmt::format("P({}) = {}/{} = {}", signature.classes[k],
                                 readable(answer_counts[k]), total, bits(share)));
  }
  step.formula = joined(std::move(shares), ",  ");
  step.text =
      fmt::format("IF {} THEN {}.", walk.node == 0 ? "true" : paths.where(walk.node), answer);
  if (walk.answering != walk.node) {
    step.text += " No training row took this branch, so the majority of its parent answers.";
  } else if (!is_leaf(walk.node)) {
    step.text += " The row's next value has no branch, so the majority of this node answers.";
  }
  trace.add(std::move(step));
}

}  // namespace gradus
