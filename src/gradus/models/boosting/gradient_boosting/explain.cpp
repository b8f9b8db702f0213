#include "gradus/models/boosting/gradient_boosting/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/shap/shap_words.hpp"
#include "gradus/blocks/tree/level_words.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/core/shown_number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/boosting/gradient_boosting/losses.hpp"
#include "gradus/models/boosting/gradient_boosting/open_choices.hpp"

namespace gradus {
namespace {

// What still fits on a page.
constexpr std::size_t kMostRows = 50;
constexpr std::size_t kSearchedRounds = 3;
constexpr std::size_t kMostLeaves = 64;
constexpr std::size_t kMostLevels = 50;

std::string listed(std::span<const double> numbers) {
  std::vector<std::string> out;
  for (const double x : numbers) out.push_back(readable(x));
  return join(out, ", ");
}

std::string start_words(const GradientBoosting& learner, BoostingLoss loss) {
  if (learner.init == BoostingStart::zero) return "Without a tree, every score is 0.";
  switch (loss) {
    case BoostingLoss::log_loss:
      return "Without a tree, the best score is the logarithm of the odds of a class.";
    case BoostingLoss::lambdarank:
      return "Without a tree, all rows of a query are equal: every score is 0.";
    case BoostingLoss::exponential:
      return "Without a tree, the best score is half the logarithm of the odds.";
    case BoostingLoss::custom:
      return "Without a tree, the best score is where the gradients of the given loss add up to 0, "
             "found by Newton's steps.";
    case BoostingLoss::squared_error: return "Without a tree, the best score is the mean.";
    case BoostingLoss::log_cosh:
      return "Without a tree, the best score is the number whose residuals' tanh add up to 0.";
    case BoostingLoss::poisson:
    case BoostingLoss::tweedie:
    case BoostingLoss::gamma: return "Without a tree, the best score is the logarithm of the mean.";
    case BoostingLoss::quantile: return "Without a tree, the best score is the quantile.";
    default: return "Without a tree, the best score is the median.";
  }
}

// A leaf, or a level of a symmetric tree.
std::string search_title(const LeafSearch& seen, const TreeWords& words) {
  if (seen.level > 0) return fmt::format("the questions of level {}", seen.level);
  if (seen.node == 0) return "the questions at the root";
  return "the questions where " + words.where(seen.node);
}

std::string search_path(const LeafSearch& seen, const TreeWords& words) {
  if (seen.level > 0) return fmt::format("level {}", seen.level);
  return words.path(seen.node);
}

// What the trees add up to.
std::vector<std::string> score_names(const GradientBoostingModel& model,
                                     const Signature& signature) {
  if (model.outputs() > 1) return signature.classes;
  if (model.classes > 0) return {"score of " + signature.classes.back()};
  return {(has_log_link(model.loss) ? "log of " : "") + signature.outputs.front()};
}

// How the held-out losses led to the rounds that were kept.
std::string watched_words(const GradientBoosting& learner, const GradientBoostingModel& model,
                          const TrainTask& task) {
  const std::vector<double>& losses = model.validation_loss;
  if (!learner.stopping.early_stopping) {
    const bool all = folds_that_find_rounds(learner, task) == kOpenFolds;
    const std::string who =
        all ? fmt::format("{} folds, each held out by a fit on the others, ran", kOpenFolds)
            : "A fifth of the rows was held out by a fit on the others, of";
    return fmt::format(
        " {} {}; the mean loss of the rows held out was least after {}, of which all rows bear {} "
        "times as many.",
        who, counted(losses.size(), "round"), best_round(losses, learner.stopping.tol) + 1,
        kRoundsOfAllRows);
  }
  return fmt::format(" {} were run; the held-out loss was least at the last one kept.",
                     counted(losses.size(), "round"));
}

}  // namespace

std::string BoostingStory::round_path() const {
  std::string path = fmt::format("round {}", round_ + 1);
  if (members_ > 1) path = fmt::format("ensemble {}/{}", member_ + 1, path);
  if (outputs_ > 1) path += "/" + task_.signature.classes[output_];
  return path;
}

std::string BoostingStory::title(const std::string& what) const {
  std::string where = fmt::format("ound {}", round_ + 1);
  where = members_ > 1 ? fmt::format("Ensemble {}, r{}", member_ + 1, where) : "R" + where;
  if (outputs_ == 1) return fmt::format("{}: {}", where, what);
  return fmt::format("{}, {}: {}", where, task_.signature.classes[output_], what);
}

void BoostingStory::start(const GradientBoostingModel& model) {
  outputs_ = model.outputs();
  loss_ = model.loss;
  if (!listens()) return;
  Step step{.title = "Start without a tree", .path = "start"};
  step.formula = fmt::format("F0 = {}", listed(model.start));
  step.values = object({{"start", Value(model.start)},
                        {"loss", enum_names(loss_)[static_cast<std::size_t>(loss_)]}});
  step.text = start_words(learner_, loss_);
  trace_->add(std::move(step));
  for (const CategoryStatistic& statistic : table_.statistics()) {
    if (listens()) tell_statistic(statistic);
  }
}

std::string BoostingStory::statistic_words(const CategoryStatistic& statistic) const {
  const Signature& names = task_.signature;
  const std::string& column = names.features[statistic.source].name;
  if (names.classes.empty()) return fmt::format("mean {} by {}", names.outputs.front(), column);
  return fmt::format("share of {} by {}", names.classes[outputs_ == 1 ? 1 : statistic.output],
                     column);
}

void BoostingStory::tell_statistic(const CategoryStatistic& statistic) {
  const FeatureName column = task_.signature.features[statistic.source];
  Step step{.title = "Statistics: " + statistic_words(statistic),
            .path = "statistics/" + column.name};
  if (outputs_ > 1) step.path += "/" + task_.signature.classes[statistic.output];
  const LevelStatistics& levels = statistic.levels;
  step.formula = fmt::format("s = (Σ y + {0} · {1}) / (n + {0})",
                             readable(learner_.nominal.statistic_prior), readable(levels.mean));
  step.values = object({{"mean", levels.mean}, {"levels", object()}});
  for (std::size_t level = 0; level < std::min(kMostLevels, column.levels.size()); ++level) {
    step.values["levels"][column.levels[level]] = levels.of_level[level];
  }
  if (task_.rows() <= kMostRows) {
    Value::Array order;
    for (const std::uint32_t row : table_.order(0)) order.push_back(Value(row + 1));
    step.values["order"] = Value(std::move(order));
    Value::Array of_rows;
    for (const double s : statistic.of_rows) {
      of_rows.push_back(std::isnan(s) ? Value() : Value(s));
    }
    step.values["rows"] = Value(std::move(of_rows));
  }
  step.text = fmt::format(
      "{} has {}. A training row is told the statistic of the rows of its category that stand "
      "before it in a random order, so that its own target is not in it; every other row is told "
      "that of all of them.",
      column.name, counted(column.levels.size(), "category", "categories"));
  if (statistic.columns.size() > 1) {
    step.text += fmt::format(" Shown is the first of {} orders; the rounds take them by turns.",
                             statistic.columns.size());
  }
  trace_->add(std::move(step));
}

void BoostingStory::begin_tree(std::size_t round, std::size_t output,
                               std::span<const double> gradients) {
  round_ = round;
  output_ = output;
  seen_.clear();
  if (!listens() || gradients.size() > kMostRows) return;
  std::vector<double> residuals(gradients.begin(), gradients.end());
  for (double& x : residuals) x = x == 0 ? 0 : -x;
  Step step{.title = title("the residuals"), .path = round_path() + "/residuals"};
  step.formula = fmt::format("r = −∂L/∂F = ({})", listed(residuals));
  step.values = object({{"residuals", Value(residuals)}});
  step.text = "What the scores so far leave over: the next tree is fitted to it.";
  trace_->add(std::move(step));
}

std::function<void(const LeafSearch&)> BoostingStory::observer() {
  if (!listens() || round_ >= kSearchedRounds) return {};
  return [this](const LeafSearch& leaf) {
    seen_.push_back({leaf, {leaf.candidates.begin(), leaf.candidates.end()}});
  };
}

std::string BoostingStory::question(const SplitCandidate& candidate) const {
  const BinColumn& bins = table_.bins().column(candidate.column);
  const CategoryStatistic* statistic = table_.statistic_at(candidate.column);
  const FeatureName feature = task_.signature.features[table_.source_of(candidate.column)];
  const std::string& name = feature.name;
  if (bins.nominal)
    return fmt::format("{} in {}", name, counted(candidate.bin, "category", "categories"));
  if (candidate.bin >= bins.edges.size()) return name + " is not missing";
  const double edge = bins.edges[candidate.bin];
  if (!feature.order.empty()) return fmt::format("{} {}", name, cut_test(feature, "<=", edge));
  return fmt::format("{} <= {}", statistic == nullptr ? name : statistic_words(*statistic),
                     readable(edge));
}

void BoostingStory::tell_search(const Seen& seen, const TreeWords& words) {
  Step step{.title = title(search_title(seen.leaf, words)),
            .path = round_path() + "/" + search_path(seen.leaf, words)};
  step.values = object({{"n", seen.leaf.rows},
                        {"gradient", seen.leaf.gradient},
                        {"hessian", seen.leaf.hessian},
                        {"gains", object()},
                        {"questions", object()}});
  std::vector<std::string> formulas = {
      fmt::format("G = {}, H = {}", readable(seen.leaf.gradient), readable(seen.leaf.hessian))};
  const SplitCandidate* best = nullptr;
  for (const SplitCandidate& candidate : seen.candidates) {
    const std::string name = task_.signature.features[table_.source_of(candidate.column)].name;
    step.values["gains"][name] = candidate.gain;
    step.values["questions"][name] = question(candidate);
    formulas.push_back(fmt::format("gain({}) = {}", question(candidate), readable(candidate.gain)));
    if (best == nullptr || candidate.gain > best->gain) best = &candidate;
  }
  step.formula = join(formulas, "; ");
  if (best == nullptr) {
    step.text = "No question gains anything: a leaf.";
  } else {
    step.values["best"] = question(*best);
    step.text = fmt::format("The best question of each column{}; {} gains most, {}.",
                            seen.leaf.level > 0 ? ", its gains in all leaves added up" : "",
                            question(*best), readable(best->gain));
  }
  trace_->add(std::move(step));
}

void BoostingStory::end_tree(const GrownTree& grown, const TreeUnits& units,
                             std::span<const double> scores, double loss) {
  if (!listens()) return;
  const Trees tree = table_.in_categories(grown.tree);
  const TreeWords words(tree, 0, task_.signature);
  for (const Seen& seen : seen_) {
    if (listens()) tell_search(seen, words);
  }
  if (!listens()) return;
  Step step{.title = title("the leaves and their steps"), .path = round_path()};
  Value::Array leaves;
  std::vector<std::string> formulas;
  for (const GrownLeaf& leaf : grown.leaves) {
    if (leaves.size() == kMostLeaves) break;
    const double shrunken = grown.tree.value[leaf.node];
    const double hessian = units.scale.hessian(leaf.total);
    const double largest = hessian > 0 ? units.scale.largest_sum(leaf.total) / hessian : 0;
    const double value = without_rounding(shrunken / units.step, largest);
    leaves.push_back(object({{"where", words.where(leaf.node)},
                             {"n", units.scale.count(leaf.total)},
                             {"gradient", units.scale.shown_gradient(leaf.total)},
                             {"hessian", hessian},
                             {"value", value},
                             {"step", value == 0 ? 0 : shrunken}}));
    formulas.push_back(fmt::format("h({}) = {}", words.where(leaf.node), readable(value)));
  }
  step.formula = join(formulas, "; ");
  step.values = object({{"leaves", Value(std::move(leaves))}});
  const bool tells_loss = std::isfinite(loss);
  if (tells_loss) step.values["loss"] = loss;
  if (grown.tree.nodes() > 1) step.values["question"] = words.question(0);
  if (scores.size() <= kMostRows) {
    step.values["scores"] = Value(std::vector<double>(scores.begin(), scores.end()));
  }
  step.text = fmt::format("A tree with {}; every step is {} times its value.",
                          counted(grown.leaves.size(), "leaf", "leaves"), readable(units.step));
  if (tells_loss) {
    step.text += fmt::format(" The mean loss on the training rows is now {}.", readable(loss));
  }
  trace_->add(std::move(step));
}

void BoostingStory::finish(const GradientBoostingModel& model) {
  if (!listens()) return;
  Step step{.title = "The ensemble", .path = "ensemble"};
  const bool several = model.ensembles > 1;
  step.formula = several ? fmt::format("F(x) = F0 + 1/{} · Σ steps of the leaves that x falls into",
                                       model.ensembles)
                         : "F(x) = F0 + Σ steps of the leaves that x falls into";
  step.values = object({{"rounds", model.rounds()}, {"trees", model.trees.count()}});
  if (several) step.values["ensembles"] = static_cast<std::int64_t>(model.ensembles);
  if (!model.validation_loss.empty()) {
    step.values["validation_loss"] = Value(model.validation_loss);
  }
  step.text = fmt::format("{} in {}.", counted(model.trees.count(), "tree"),
                          counted(model.rounds(), "round"));
  if (several) {
    step.text += fmt::format(
        " The model is the mean of {} ensembles, which differ in the rows and columns that they "
        "drew: each leaf of it holds 1/{} of the step above.",
        model.ensembles, model.ensembles);
  }
  if (!model.validation_loss.empty()) step.text += watched_words(learner_, model, task_);
  trace_->add(std::move(step));
}

void GradientBoostingModel::explain(std::span<const double> row, const Signature& signature,
                                    Trace& trace) const {
  std::vector<double> scores = start;
  Step first{.title = "Start without a tree", .path = "start"};
  first.values = object({{"scores", Value(scores)}});
  first.formula = fmt::format("F0 = {}", listed(scores));
  trace.add(std::move(first));
  for (std::size_t tree = 0; tree < trees.count() && trace.wants_more(); ++tree) {
    const TreeWords words(trees, tree, signature);
    const std::size_t leaf = trees.leaf_of(tree, row);
    const std::size_t k = tree % outputs();
    scores[k] += trees.value[leaf];
    Step step{.title = fmt::format("Tree {}", tree + 1), .path = fmt::format("tree {}", tree + 1)};
    step.values =
        object({{"where", words.where(leaf)}, {"step", trees.value[leaf]}, {"score", scores[k]}});
    if (outputs() > 1) step.values["class"] = signature.classes[k];
    step.formula = fmt::format("F = {} {} {} = {}", readable(scores[k] - trees.value[leaf]),
                               std::signbit(trees.value[leaf]) ? "−" : "+",
                               readable(std::abs(trees.value[leaf])), readable(scores[k]));
    step.text = fmt::format("The row is where {}.", words.where(leaf));
    trace.add(std::move(step));
  }
  tell_contributions({trees, trees.cover}, row, signature,
                     {.scores = score_names(*this, signature), .start = start}, trace);
  std::vector<double> answer(width());
  std::vector<double> working = scores;
  answers_from_scores(read_as(), working, answer);
  Step last{.title = "The answer", .path = "answer"};
  last.values = object({{"scores", Value(scores)}});
  if (classes == 0) {
    last.values["prediction"] = answer[0];
    last.formula = fmt::format("F = {}, answer {}", readable(scores[0]), readable(answer[0]));
  } else {
    const auto best =
        static_cast<std::size_t>(std::max_element(answer.begin(), answer.end()) - answer.begin());
    last.values["probabilities"] = object();
    std::vector<std::string> shares;
    for (std::size_t k = 0; k < answer.size(); ++k) {
      last.values["probabilities"][signature.classes[k]] = answer[k];
      shares.push_back(fmt::format("P({}) = {}", signature.classes[k], readable(answer[k])));
    }
    last.values["prediction"] = signature.classes[best];
    last.formula = join(shares, ", ");
    last.text = fmt::format("{} is the most probable class.", signature.classes[best]);
  }
  trace.add(std::move(last));
}

}  // namespace gradus
