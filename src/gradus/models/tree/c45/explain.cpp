#include "gradus/models/tree/c45/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/tree/level_words.hpp"
#include "gradus/core/shown_number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/trace/shown_list.hpp"

namespace gradus {
namespace {

constexpr double kTie = 1e-10;

std::string bits(double x) { return readable(x, 4); }

// `−(5/14)·log₂(5/14) − …`
std::string entropy_formula(std::span<const double> counts) {
  const std::string total = readable(total_of(counts));
  std::string sum;
  for (const double count : counts) {
    if (count <= 0) continue;
    const std::string share = fmt::format("{}/{}", readable(count), total);
    sum += fmt::format("{}({})·log₂({})", sum.empty() ? "−" : " − ", share, share);
  }
  return fmt::format("Entropy(S) = {} = {}", sum, bits(entropy(counts)));
}

// `1 − (5/14)² − …`
std::string gini_formula(std::span<const double> counts) {
  const std::string total = readable(total_of(counts));
  std::string sum = "1";
  for (const double count : counts) {
    if (count > 0) sum += fmt::format(" − ({}/{})²", readable(count), total);
  }
  return fmt::format("Gini(S) = {} = {}", sum, bits(gini(counts)));
}

// How mixed some rows are by what columns are compared by, and the name of that.
Value::Object::value_type mixture(BranchMeasure measure, std::span<const double> counts) {
  if (measure == BranchMeasure::gini) return {"gini", gini(counts)};
  return {"entropy", entropy(counts)};
}

Value branch_counts(const BranchSplit& split, const FeatureName& name, const Signature& signature,
                    BranchMeasure measure) {
  const std::size_t classes = signature.classes.size();
  Value out = object();
  for (std::size_t b = 0; b < split.question.branches; ++b) {
    std::string label = branch_text(split.question, name, b);
    if (label.starts_with("= ")) label = label.substr(2);
    const std::span<const double> counts(split.counts.data() + b * classes, classes);
    out[label] = object({{"n", total_of(counts)}});
    const auto [word, number] = mixture(measure, counts);
    out[label][word] = number;
    out[label]["counts"] = class_counts(counts, signature);
  }
  return out;
}

// `13/14·(0.9612 − 0.7465) − log₂(8)/14 = 0.0137`
std::string gain_formula(const BranchSplit& split, double weight) {
  std::string gain = fmt::format("{} − {}", bits(split.before), bits(split.remainder));
  if (split.known < 1 - kTie) {
    gain = fmt::format("{}/{}·({})", readable(split.known * weight), readable(weight), gain);
  }
  if (split.charge > 0) gain += fmt::format(" − log₂({})/{}", split.judged, readable(weight));
  return fmt::format("Gain = {} = {}", gain, bits(split.gain));
}

// Every cut of a number and every set of levels, or the best of very many.
Value cuts_value(const BranchSplit& split, const FeatureName& name) {
  std::vector<double> gains;
  for (const BranchCut& cut : split.cuts) gains.push_back(cut.gain);
  Value::Array out;
  for (const std::size_t i : shown_of_many(gains)) {
    const BranchCut& cut = split.cuts[i];
    Value one = object({{"threshold", cut.threshold}});
    if (!cut.of_level.empty()) {
      BranchQuestion asked = split.question;
      asked.branches = 2;
      asked.of_level = cut.of_level;
      one = object({{"question", question_text(asked, name)}});
    }
    if (!name.order.empty()) one["level"] = last_level_below(name, cut.threshold);
    one["gain"] = without_rounding(cut.gain, split.before);
    out.push_back(std::move(one));
  }
  return out;
}

// A filled cell: where it is, what it got, and the rows that the value comes from.
Value cell_value(const FilledCell& cell, const FeatureName& name) {
  constexpr std::size_t kMostNeighbours = 20;
  Value out = object({{"row", cell.row + 1}, {"column", name.name}});
  if (std::isnan(cell.value)) {
    out["value"] = "still missing: no row has one";
  } else if (name.nominal || !name.order.empty()) {
    out["value"] = number_in_words(name, cell.value);
  } else {
    out["value"] = cell.value;
  }
  if (cell.neighbours.empty()) return out;
  Value::Array rows;
  for (const std::size_t row : cell.neighbours) {
    if (rows.size() == kMostNeighbours) break;
    rows.push_back(Value(row + 1));
  }
  out["neighbours"] = std::move(rows);
  if (cell.neighbours.size() > kMostNeighbours) out["of_neighbours"] = cell.neighbours.size();
  return out;
}

}  // namespace

std::function<void(const BranchEvent&)> C45Story::observer() {
  if (trace_ == nullptr) return {};
  return [this](const BranchEvent& event) { tell(event); };
}

void C45Story::add_candidates(const BranchEvent& event, Step& step) const {
  const bool by_entropy = learner_.criterion != BranchMeasure::gini;
  for (const char* name : {"gains", "remainders"}) step.values[name] = object();
  if (by_entropy) {
    for (const char* name : {"split_informations", "gain_ratios"}) step.values[name] = object();
  }
  for (const char* name : {"questions", "parts"}) step.values[name] = object();
  step.values["mean_gain"] = event.mean_gain;
  Value::Array ties;
  const bool has_best = event.chosen < event.candidates.size();
  for (const BranchSplit& split : event.candidates) {
    const FeatureName name = signature_.features[split.question.feature];
    step.values["gains"][name.name] = split.gain;
    step.values["remainders"][name.name] = split.remainder;
    if (by_entropy) {
      step.values["split_informations"][name.name] = split.split_information;
      step.values["gain_ratios"][name.name] = split.ratio;
    }
    if (learner_.costs.used()) step.values["merits"][name.name] = split.merit;
    if (split.charge > 0) step.values["charges"][name.name] = split.charge;
    if (!split.cuts.empty()) step.values["thresholds"][name.name] = cuts_value(split, name);
    if (split.cuts.size() > kAllShown) step.values["tried"][name.name] = split.cuts.size();
    if (!split.found) {
      // What choosing among so many cuts costs is all that it gains.
      if (split.charge > 0) {
        step.formula +=
            fmt::format("; {}: {}, not asked", name.name, gain_formula(split, event.state.weight));
      }
      continue;
    }
    step.values["questions"][name.name] = question_text(split.question, name);
    step.values["parts"][name.name] = branch_counts(split, name, signature_, learner_.criterion);
    step.formula += fmt::format("; {}: {}", name.name, gain_formula(split, event.state.weight));
    if (by_entropy) {
      step.formula +=
          fmt::format(", SplitInformation = {0}, GainRatio = {1}/{0} = {2}",
                      bits(split.split_information), bits(split.gain), bits(split.ratio));
    }
    const bool tied = has_best && split.gain >= event.mean_gain - 1e-3 &&
                      split.merit >= event.candidates[event.chosen].merit - kTie;
    if (tied) ties.emplace_back(name.name);
  }
  step.values["ties"] = ties.size() > 1 ? Value(std::move(ties)) : Value(Value::Array{});
}

std::string C45Story::leaf_text(const BranchEvent& event) const {
  const std::string& answer = words_->answer(event.node);
  switch (event.leaf) {
    case BranchLeaf::pure:
      return event.state.weight > 0 ? fmt::format("All rows are of the class {}.", answer)
                                    : fmt::format("No row came here: {} as above.", answer);
    case BranchLeaf::depth_limit:
      return fmt::format("max_depth is reached: the majority, {}, answers.", answer);
    case BranchLeaf::few_rows:
      return fmt::format("Less than twice min_weight_leaf: the majority, {}, answers.", answer);
    default: return fmt::format("No question gains anything: the majority, {}, answers.", answer);
  }
}

void C45Story::tell(const BranchEvent& event) {
  if (!words_) words_.emplace(event.tree, signature_);
  if (event.node != 0) words_->add_children(event.parent);
  if (!listens()) return;
  const std::span<const double> counts = event.state.counts;
  const std::string at = event.node == 0 ? "at the root" : "where " + words_->where(event.node);
  Step step{.path = words_->path(event.node)};
  step.values = object({{"n", event.state.weight},
                        {"counts", class_counts(counts, signature_)},
                        {"entropy", entropy(counts)}});
  const bool by_gini = learner_.criterion == BranchMeasure::gini;
  if (by_gini) step.values["gini"] = gini(counts);
  if (event.state.weight > 0) {
    step.formula = by_gini ? gini_formula(counts) : entropy_formula(counts);
  }
  if (!event.candidates.empty()) add_candidates(event, step);
  if (event.leaf != BranchLeaf::none) {
    step.title = fmt::format("Leaf {}: {}", at, words_->answer(event.node));
    step.values["leaf"] = words_->answer(event.node);
    step.text = leaf_text(event);
  } else {
    const BranchSplit& chosen = event.candidates[event.chosen];
    const FeatureName name = signature_.features[chosen.question.feature];
    step.title = "Choose the question " + at;
    step.values["chosen"] = name.name;
    step.values["question"] = question_text(chosen.question, name);
    const bool by_ratio = learner_.criterion == BranchMeasure::gain_ratio;
    step.text =
        fmt::format("{} has the largest {}, {}{}.", question_text(chosen.question, name),
                    by_ratio ? "gain ratio" : "gain", bits(by_ratio ? chosen.ratio : chosen.gain),
                    by_ratio ? fmt::format(", among the columns that gain at least the mean, {}",
                                           bits(event.mean_gain))
                             : "");
  }
  std::vector<std::string> shortened;
  for (const BranchSplit& split : event.candidates) {
    if (split.cuts.size() <= kAllShown) continue;
    shortened.push_back(fmt::format("{} of {}", split.cuts.size(),
                                    signature_.features[split.question.feature].name));
  }
  step.text += best_only(std::move(shortened));
  trace_->add(std::move(step));
}

ObserveCut C45Story::cut_observer(const BranchTree& grown) {
  if (trace_ == nullptr) return {};
  const bool by_bits = learner_.pruning == C45::Pruning::description_length;
  return [this, by_bits, words = BranchWords(grown, signature_)](const BranchCutEvent& event) {
    if (!listens()) return;
    const std::string unit = by_bits ? "bits" : "errors";
    Step step{.path = "prune/" + words.path(event.node)};
    step.title = fmt::format("{} {}",
                             event.kind == BranchCutKind::raise      ? "Raise the largest branch to"
                             : event.kind == BranchCutKind::collapse ? "Collapse"
                                                                     : "Cut",
                             words.where(event.node));
    step.values = object({{"as_tree", event.as_tree}, {"as_leaf", event.as_leaf}});
    step.formula = fmt::format("{}: {} as a tree, {} as a leaf", unit, readable(event.as_tree),
                               readable(event.as_leaf));
    if (event.kind == BranchCutKind::raise) {
      step.values["as_branch"] = event.as_branch;
      step.formula += fmt::format(", {} as its largest branch", readable(event.as_branch));
    }
    step.text = event.kind == BranchCutKind::collapse
                    ? "The branches get no more training rows right than a leaf."
                    : "The simpler form is charged no more.";
    trace_->add(std::move(step));
  };
}

std::function<void(const ReducedErrorEvent&)> C45Story::reduced_error_observer(
    const BranchTree& grown) {
  if (trace_ == nullptr) return {};
  return [this, words = BranchWords(grown, signature_)](const ReducedErrorEvent& event) {
    if (!listens()) return;
    Step step{.title = "Try every inner node as a leaf", .path = "prune"};
    step.values = object({{"before", event.before}, {"candidates", object()}});
    for (const auto& [node, accuracy] : event.candidates) {
      step.values["candidates"][words.path(node)] = accuracy;
    }
    if (event.cut) {
      step.values["cut"] = words.path(*event.cut);
      step.text = fmt::format(
          "{} becomes a leaf that answers {}: no other cut helps the rows kept "
          "aside more.",
          words.where(*event.cut), words.answer(*event.cut));
    } else {
      step.text = "Every cut would hurt on the rows kept aside: the tree stays.";
    }
    trace_->add(std::move(step));
  };
}

void C45Story::fill(const FilledTable& filled) {
  if (!listens()) return;
  Step step{.title = "Deal with missing cells", .path = "missing"};
  step.values = object({{"filled_cells", filled.filled}, {"deleted_rows", filled.removed}});
  step.text = filled.removed > 0
                  ? fmt::format("{} with a missing cell {} left out.",
                                counted(filled.removed, "row"), filled.removed == 1 ? "is" : "are")
                  : fmt::format("{} filled.", counted(filled.filled, "missing cell"));
  if (filled.cells.size() > kAllShown) {
    step.text += fmt::format(" The first {} are listed.", kAllShown);
  }
  Value::Array cells;
  for (const FilledCell& cell : filled.cells) {
    if (cells.size() == kAllShown) break;
    cells.push_back(cell_value(cell, signature_.features[cell.column]));
  }
  if (!cells.empty()) step.values["cells"] = std::move(cells);
  trace_->add(std::move(step));
}

void C45Story::finish(const C45Model& model) {
  if (!listens()) return;
  Step step{.title = "Read the tree", .path = "model"};
  step.values = model.fitted(signature_);
  step.text = fmt::format("{} of {} grown stay, {}, depth {}.", counted(model.tree.nodes(), "node"),
                          model.grown_nodes, counted(model.tree.leaves(), "leaf", "leaves"),
                          model.tree.depth());
  trace_->add(std::move(step));
}

}  // namespace gradus
