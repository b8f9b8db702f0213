// From a task to the model: which rows are held out, how many rounds there are, and what survives a
// kill. A round itself is in booster.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "gradus/blocks/class_weight/class_weight.hpp"
#include "gradus/core/archive_impl.hpp"
#include "gradus/core/checkpoint.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/boosting/gradient_boosting/constraints.hpp"
#include "gradus/models/boosting/gradient_boosting/ensembles.hpp"
#include "gradus/models/boosting/gradient_boosting/open_choices.hpp"
#include "gradus/models/boosting/gradient_boosting/purpose.hpp"

namespace gradus {
namespace {

// 2^y must stay a number that can be added up.
constexpr double kMostRelevant = 30;

// Rows that examine must say which order is better.
void require_order(const TrainTask& task, std::span<const double> query,
                   std::span<const double> weights) {
  if (QueryRanking(query, task.numbers, weights).has_order()) return;
  throw Error(ErrorKind::bad_data, "column " + in_quotes(task.signature.outputs.front()),
              "in no query that examines do two rows differ in relevance: every order is as good",
              "let more queries examine");
}

class Fit {
 public:
  // `checkpoints` may be null.
  Fit(const GradientBoosting& learner, const TrainTask& task, const Context& context,
      Checkpoints* checkpoints)
      : learner_(decided(learner, task)),
        task_(task),
        context_(context),
        checkpoints_(checkpoints),
        weights_(row_weights(task, learner.class_weight)),
        finds_rounds_(folds_that_find_rounds(learner, task) > 0),
        most_rounds_(most_rounds(learner, task)) {}

  // `earlier` may be null: the model whose rounds are kept.
  GradientBoostingModel run(const GradientBoostingModel* earlier) {
    std::size_t rounds = most_rounds_;
    std::vector<double> curve;
    const bool by_folds = learner_.stopping.early_stopping && learner_.stopping.validation_folds;
    if (by_folds || finds_rounds_) {
      curve = by_folds ? loss_by_folds(dealt_rows())
                       : loss_by_folds(folds_by_contents(learner_, task_, weights_, context_));
      rounds = rounds_after(curve);
    }
    const bool holds_out =
        learner_.stopping.early_stopping && !by_folds && task_.validation == nullptr;
    const std::vector<double> held = holds_out ? one_part() : std::vector<double>();
    // On a large table every list of a number per row counts: this one is handed on.
    std::vector<double> teaching = held.empty() ? std::move(weights_) : without(held);
    const BoostingTable& table = table_of(teaching);
    BoostedEnsembles ensembles({learner_, task_, table}, std::move(teaching), held, context_);
    if (earlier != nullptr) ensembles.begin_with(*earlier);
    if (checkpoints_ != nullptr) take_up(ensembles, rounds);
    BoostingStory story(learner_, task_, table, context_);
    story.start(ensembles.begun());
    const std::size_t kept = train(ensembles, rounds, story);
    GradientBoostingModel model = ensembles.finish(kept);
    if (!curve.empty()) model.validation_loss = std::move(curve);
    story.finish(model);
    return model;
  }

 private:
  std::vector<double> without(std::span<const double> held) const {
    std::vector<double> teaching = weights_;
    for (std::size_t row = 0; row < held.size(); ++row) {
      if (held[row] > 0) teaching[row] = 0;
    }
    return teaching;
  }

  // The table for a fit with these weights. Without statistics all fits share one.
  const BoostingTable& table_of(std::span<const double> teaching) {
    if (!tables_.empty() && tables_.front().statistics().empty()) return tables_.front();
    return tables_.emplace_back(learner_, task_, teaching, context_);
  }

  // Rounds on all rows after those that the folds like best. A number of folds that was asked for
  // is an experiment of its own: its answer is kept.
  std::size_t rounds_after(std::span<const double> curve) const {
    if (curve.empty()) return kUsualRounds;
    const std::size_t best = best_round(curve, learner_.stopping.tol) + 1;
    if (!finds_rounds_) return best;
    return static_cast<std::size_t>(std::lround(kRoundsOfAllRows * static_cast<double>(best)));
  }

  // One class alone is certain: there is nothing to learn.
  bool is_certain() const {
    return task_.signature.task == Task::classify && task_.signature.classes.size() < 2;
  }

  bool is_stuck(std::span<const double> losses) const {
    const std::size_t best = best_round(losses, learner_.stopping.tol);
    const auto patience = static_cast<std::size_t>(learner_.stopping.n_iter_no_change);
    return losses.size() - 1 - best >= (finds_rounds_ ? kOpenPatience : patience);
  }

  // Runs the rounds; returns how many of them stay.
  std::size_t train(BoostedEnsembles& ensembles, std::size_t rounds, BoostingStory& story) {
    if (is_certain()) return 0;
    const bool stops = learner_.stopping.early_stopping && !learner_.stopping.validation_folds;
    const std::vector<double>& losses = ensembles.validation_loss();
    while (ensembles.rounds() < rounds && !(stops && !losses.empty() && is_stuck(losses))) {
      context_.report("boosting round", ensembles.rounds(), rounds);
      keep_if_cancelled(ensembles);
      if (context_.ends_here("round", ensembles.rounds(), rounds)) break;
      ensembles.round(story);
      ensembles.note_training_loss();
      if (ensembles.watches()) ensembles.note_validation_loss(ensembles.held_out_loss());
      if (checkpoints_ != nullptr && checkpoints_->due(ensembles.rounds())) {
        keep(ensembles);
      }
    }
    if (checkpoints_ != nullptr) keep(ensembles);
    return stops ? best_round(losses, learner_.stopping.tol) + 1 : ensembles.rounds();
  }

  void take_up(BoostedEnsembles& ensembles, std::size_t rounds) const {
    const Archive* left = checkpoints_->state();
    if (left == nullptr) return;
    ensembles.resume(restore<EnsembleStates>(left->tree, "state", *left));
    if (ensembles.rounds() <= rounds) return;
    throw Error(ErrorKind::usage, "--n_estimators",
                fmt::format("n_estimators must be at least {} to go on from this checkpoint (got "
                            "{})",
                            ensembles.rounds(), rounds));
  }

  void keep(const BoostedEnsembles& ensembles) const {
    Archive archive;
    archive.tree = store(ensembles.states(), "state", archive);
    checkpoints_->keep(std::move(archive));
  }

  // Between two rounds the state is whole: a stop there loses nothing.
  void keep_if_cancelled(const BoostedEnsembles& ensembles) const {
    if (checkpoints_ == nullptr || context_.cancel == nullptr) return;
    if (context_.cancel->requested() && ensembles.rounds() > 0) keep(ensembles);
  }

  // The rows that may be held out, in a random order that the seed decides.
  std::vector<std::size_t> shuffled_rows() const {
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < task_.rows(); ++row) {
      if (weights_[row] > 0) order.push_back(row);
    }
    Stream stream(learner_.random_state, 0, kHoldOutPurpose);
    stream.shuffle(std::span<std::size_t>(order));
    return order;
  }

  std::vector<double> weights_of(std::span<const std::size_t> rows) const {
    std::vector<double> out(task_.rows(), 0.0);
    for (const std::size_t row : rows) out[row] = weights_[row];
    return out;
  }

  bool ranks() const {
    return resolved_loss(learner_, task_.signature.task) == BoostingLoss::lambdarank;
  }

  // What is held out as a whole, in a random order: rows, or the rows of a query.
  struct Units {
    std::vector<std::size_t> rows;   // unit by unit
    std::vector<std::size_t> first;  // unit: where its rows begin; one more at the end
    std::size_t count() const { return first.size() - 1; }
    std::span<const std::size_t> between(std::size_t begin, std::size_t end) const {
      return std::span(rows).subspan(first[begin], first[end] - first[begin]);
    }
  };
  Units shuffled_units() const {
    Units out{shuffled_rows(), {}};
    if (!ranks()) {
      out.first.resize(out.rows.size() + 1);
      std::iota(out.first.begin(), out.first.end(), std::size_t{0});
      return out;
    }
    // A query has the place of the first of its rows.
    const std::vector<double> query = query_numbers(learner_, task_);
    std::unordered_map<double, std::size_t> place;
    for (const std::size_t row : out.rows) place.try_emplace(query[row], place.size());
    std::stable_sort(out.rows.begin(), out.rows.end(), [&](std::size_t a, std::size_t b) {
      return place.at(query[a]) < place.at(query[b]);
    });
    for (std::size_t i = 0; i < out.rows.size(); ++i) {
      if (i == 0 || query[out.rows[i]] != query[out.rows[i - 1]]) out.first.push_back(i);
    }
    out.first.push_back(out.rows.size());
    return out;
  }

  std::vector<double> one_part() const {
    const Units units = shuffled_units();
    const auto wanted =
        std::llround(learner_.stopping.validation_fraction * static_cast<double>(units.count()));
    const auto count = static_cast<std::size_t>(wanted);
    if (count == 0 || count >= units.count()) {
      throw Error(ErrorKind::usage, "--early_stopping",
                  fmt::format("{} of {} cannot be held out",
                              counted(count, ranks() ? "query" : "row", ranks() ? "queries" : ""),
                              units.count()),
                  ranks() ? "give more queries, validation rows, another validation_fraction, or "
                            "no early stopping"
                          : "give more rows, another --validation_fraction, or no early stopping");
    }
    std::vector<double> held = weights_of(units.between(0, count));
    if (ranks()) require_order(task_, query_numbers(learner_, task_), held);
    return held;
  }

  // The folds that were asked for.
  std::vector<FoldPart> dealt_rows() const {
    const auto folds = static_cast<std::size_t>(*learner_.stopping.validation_folds);
    const Units units = shuffled_units();
    if (units.count() < 2 * folds) {
      throw Error(ErrorKind::usage, "--validation_folds",
                  fmt::format("{} folds need at least {} {} (got {})", folds, 2 * folds,
                              ranks() ? "queries" : "rows", units.count()));
    }
    std::vector<FoldPart> out(folds);
    for (std::size_t f = 0; f < folds; ++f) {
      out[f].held =
          weights_of(units.between(f * units.count() / folds, (f + 1) * units.count() / folds));
      out[f].teaching = without(out[f].held);
    }
    return out;
  }

  // Every fold is held out by a fit of its own; the fits go round by round, side by side. The mean
  // of their held-out losses, weighted by the folds, until it no longer falls.
  std::vector<double> loss_by_folds(const std::vector<FoldPart>& parts) {
    if (parts.empty()) return {};
    Context silent = context_;
    silent.trace = nullptr;
    std::deque<TrainTask> tasks;
    std::deque<Booster> boosters;
    std::vector<double> weight;
    for (const FoldPart& part : parts) {
      weight.push_back(std::accumulate(part.held.begin(), part.held.end(), 0.0));
      TrainTask& task = tasks.emplace_back(task_);
      task.validation = nullptr;
      if (!part.copies.empty()) task.weights = part.copies;
      const BoostingTable& table = table_of(part.teaching);
      boosters.emplace_back(BoostingInput{learner_, task, table}, part.teaching, part.held, silent);
    }
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    BoostingStory nobody(learner_, task_, tables_.front(), silent);
    const auto step = [&](std::size_t f) {
      boosters[f].round(nobody);
      return weight[f] / total * boosters[f].held_out_loss(boosters[f].state().scores);
    };
    std::vector<double> curve;
    const std::size_t rounds = is_certain() ? 1 : most_rounds_;
    while (curve.size() < rounds && (curve.empty() || !is_stuck(curve))) {
      context_.stop_if_cancelled();
      context_.report("boosting round of the folds", curve.size(), rounds);
      const std::vector<double> losses = in_turn_or_side_by_side(boosters.size(), step);
      curve.push_back(std::accumulate(losses.begin(), losses.end(), 0.0));
    }
    return curve;
  }

  // A function of Python must not be asked by two threads at once.
  std::vector<double> in_turn_or_side_by_side(std::size_t count,
                                              const std::function<double(std::size_t)>& step) {
    if (!learner_.custom_loss) return parallel::map_slots<double>(context_, count, step);
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(step(i));
    return out;
  }

  const GradientBoosting learner_;
  const TrainTask& task_;
  const Context& context_;
  Checkpoints* checkpoints_;
  std::vector<double> weights_;
  bool finds_rounds_;
  std::size_t most_rounds_;
  std::deque<BoostingTable> tables_;
};

void check_targets(const TrainTask& task, BoostingLoss loss) {
  const std::string where = "column " + in_quotes(task.signature.outputs.front());
  double sum = 0;
  for (std::size_t row = 0; row < task.rows(); ++row) {
    const double y = task.numbers[row];
    if (loss == BoostingLoss::gamma ? y > 0 : y >= 0) {
      sum += task.weight(row) * y;
      continue;
    }
    throw Error(ErrorKind::bad_data, where,
                fmt::format("loss={} needs targets {}, row {} has {}",
                            enum_names(loss)[static_cast<std::size_t>(loss)],
                            loss == BoostingLoss::gamma ? "above 0" : "of at least 0", row + 1,
                            readable(y)),
                "use --loss squared_error");
  }
  if (!(sum > 0)) {
    throw Error(ErrorKind::bad_data, where, "all targets are 0, whose logarithm does not exist",
                "use --loss squared_error");
  }
}

void check_relevance(const TrainTask& task, std::string_view rows) {
  for (std::size_t row = 0; row < task.rows(); ++row) {
    const double y = task.numbers[row];
    if (y >= 0 && y <= kMostRelevant) continue;
    throw Error(ErrorKind::bad_data, "column " + in_quotes(task.signature.outputs.front()),
                fmt::format("relevance must be from 0 to {}, {} {} has {}", kMostRelevant, rows,
                            row + 1, readable(y)));
  }
}

void check_ranking(const GradientBoosting& learner, const TrainTask& task) {
  const FeatureNames& features = task.signature.features;
  query_numbers(learner, task);
  if (features.size() < (query_column(learner, features) ? 2 : 1)) {
    throw Error(ErrorKind::bad_data, "", "there is no column to rank by beside the queries");
  }
  check_relevance(task, "row");
  if (task.validation == nullptr) return;
  check_relevance(*task.validation, "validation row");
  const std::vector<double> query = query_numbers(learner, *task.validation);
  require_order(*task.validation, query, row_weights(*task.validation, learner.class_weight));
}

// Rows that examine may all be 0, and may be of any sign that the loss takes.
void check_examined_targets(const TrainTask& rows, BoostingLoss loss) {
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const double y = rows.numbers[row];
    if (loss == BoostingLoss::gamma ? y > 0 : y >= 0) continue;
    throw Error(ErrorKind::bad_data, "column " + in_quotes(rows.signature.outputs.front()),
                fmt::format("loss={} needs targets {}, validation row {} has {}",
                            enum_names(loss)[static_cast<std::size_t>(loss)],
                            loss == BoostingLoss::gamma ? "above 0" : "of at least 0", row + 1,
                            readable(y)));
  }
}

void check_custom(const GradientBoosting& learner, BoostingLoss loss) {
  if (loss == BoostingLoss::custom && !learner.custom_loss) {
    throw Error(ErrorKind::usage, "--loss",
                "loss=custom needs the function of a program, and there is none",
                "use custom_loss in C++, loss=FUNCTION in Python, or a built-in loss");
  }
  if (loss != BoostingLoss::custom && learner.custom_loss) {
    throw Error(ErrorKind::usage, "--loss",
                fmt::format("a custom loss is given, and loss={} asks for another",
                            enum_names(loss)[static_cast<std::size_t>(loss)]),
                "leave the loss at auto");
  }
  if (loss == BoostingLoss::custom && learner.stopping.early_stopping &&
      !learner.custom_loss.values) {
    throw Error(ErrorKind::usage, "--early_stopping",
                "the custom loss does not tell its values, which early stopping watches: add them "
                "(in Python a method value(y, score) of the loss), or leave early stopping out",
                "set --n_estimators instead");
  }
}

void check_loss(const GradientBoosting& learner, const TrainTask& task) {
  const BoostingLoss loss = resolved_loss(learner, task.signature.task);
  check_custom(learner, loss);
  if (loss == BoostingLoss::custom) return;
  const bool for_classes = task.signature.task == Task::classify;
  if (for_classes != is_for_classes(loss)) {
    throw Error(
        ErrorKind::usage, "--loss",
        fmt::format("loss must be {} for {} (got {})",
                    for_classes ? "log_loss, exponential or auto" : "one of the losses of numbers",
                    task_word(task.signature.task),
                    enum_names(loss)[static_cast<std::size_t>(loss)]));
  }
  if (loss == BoostingLoss::exponential && task.signature.classes.size() > 2) {
    throw Error(
        ErrorKind::usage, "--loss",
        fmt::format("loss=exponential is for two classes (got {})", task.signature.classes.size()),
        "use --loss log_loss");
  }
  if (has_log_link(loss)) check_targets(task, loss);
  if (has_log_link(loss) && task.validation != nullptr) {
    check_examined_targets(*task.validation, loss);
  }
  if (loss == BoostingLoss::lambdarank) check_ranking(learner, task);
}

}  // namespace

void GradientBoosting::check(const TrainTask& task) const {
  check_loss(*this, task);
  if (task.rows() > kMostFixedRows) {
    throw Error(ErrorKind::limit, "",
                fmt::format("gradient_boosting takes at most {} rows", kMostFixedRows));
  }
  check_constraints(constraints, task.signature);
  if (sample.sampling == RowSampling::goss) {
    if (sample.top_rate + sample.other_rate > 1) {
      throw Error(ErrorKind::usage, "--top_rate",
                  fmt::format("top_rate and other_rate must be at most 1 together (got {} and {})",
                              readable(sample.top_rate), readable(sample.other_rate)));
    }
  }
  if (dropout.drop_rate > 0 && stopping.early_stopping) {
    throw Error(ErrorKind::usage, "--drop_rate",
                "with drop_rate later rounds change the weights of earlier ones, so that "
                "early_stopping could not keep the rounds up to the best",
                "set n_estimators, found by cross-validation, or drop_rate=0");
  }
  if (task.validation != nullptr && stopping.early_stopping && stopping.validation_folds) {
    throw Error(ErrorKind::usage, "--validation_folds",
                "validation_folds and validation rows are two ways to examine: give one");
  }
}

GradientBoostingModel GradientBoosting::fit(const TrainTask& task, const Context& context) const {
  return Fit(*this, task, context, nullptr).run(nullptr);
}

GradientBoostingModel GradientBoosting::fit_from(const Model& earlier, const TrainTask& task,
                                                 const Context& context) const {
  const auto refuse = [](const char* parameter, const std::string& message, const char* hint) {
    throw Error(ErrorKind::usage, parameter, message, hint);
  };
  if (!n_estimators || static_cast<std::size_t>(*n_estimators) < earlier.rounds()) {
    refuse("--n_estimators",
           fmt::format("n_estimators must say how many rounds there are in all, at least the {} of "
                       "the model (got {})",
                       earlier.rounds(), n_estimators ? std::to_string(*n_estimators) : "none"),
           "set it to more rounds than the model has");
  }
  if (earlier.loss != resolved_loss(*this, task.signature.task)) {
    refuse("--loss",
           fmt::format("the model was made with loss={}",
                       enum_names(earlier.loss)[static_cast<std::size_t>(earlier.loss)]),
           "go on with the same loss");
  }
  if (dropout.drop_rate > 0 || stopping.early_stopping) {
    refuse("--warm-start",
           "a fit that goes on from a model runs all rounds of n_estimators and leaves those of "
           "the model as they are: drop_rate and early_stopping cannot be used",
           "leave them out, or begin anew");
  }
  GradientBoosting learner = *this;
  if (!learner.n_ensembles) learner.n_ensembles = earlier.ensembles;
  if (*learner.n_ensembles != earlier.ensembles) {
    refuse("--n_ensembles",
           fmt::format("n_ensembles must be {}, as many as the model has (got {})",
                       earlier.ensembles, *learner.n_ensembles),
           "leave it out");
  }
  return Fit(learner, task, context, nullptr).run(&earlier);
}

GradientBoostingModel GradientBoosting::fit(const TrainTask& task, const Context& context,
                                            Checkpoints& checkpoints) const {
  if (stopping.early_stopping && stopping.validation_folds) {
    throw Error(ErrorKind::usage, "--checkpoint",
                "the folds of validation_folds keep no checkpoints",
                "use --validation_fraction, or no checkpoint");
  }
  return Fit(*this, task, context, &checkpoints).run(nullptr);
}

}  // namespace gradus
