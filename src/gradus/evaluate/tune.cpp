#include "gradus/evaluate/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/hash.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/fold_run.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// A setting that cannot be fitted is a bad setting; a bug, a signal or a full disk is not.
bool is_of_the_settings(ErrorKind kind) {
  return kind == ErrorKind::usage || kind == ErrorKind::bad_data || kind == ErrorKind::numerical;
}

std::size_t smallest_training(const Folds& folds) {
  std::size_t out = folds.rows;
  for (std::size_t i = 0; i < folds.size(); ++i) out = std::min(out, folds.train(i).size());
  return out;
}

// Tries candidates on the folds, in parallel, with the journal in between.
class Search {
 public:
  Search(const AnyLearner& learner, const Dataset& data, const Folds& folds,
         const TuneOptions& options, const Context& context)
      : learner_(learner),
        data_(weighted_rows(data, options.validate.fit)),
        folds_(folds),
        options_(options),
        validate_(options.validate),
        context_(context),
        plan_(make_plan(options.space, options.search, smallest_training(folds))),
        target_(read_target(learner.info(), data,
                            {validate_.fit.target, validate_.fit.classes, validate_.fit.task})),
        metric_(find_metric(validate_.metric, target_.task)),
        progress_(context, stage(), (plan_->planned() + 1) * folds.size()) {
    learner.check_values();
    const bool slow = target_.task == Task::cluster || metric_.name == "auc_hand_till";
    if (!slow) validate_.evaluate.depth = Depth::quick;
  }

  Tuning run() {
    Tuning out{.learner = std::string(learner_.info().name),
               .task = target_.task,
               .metric = metric_,
               .space = options_.space,
               .method = options_.search.method,
               .winner = learner_,
               .prepare = validate_.fit.prepare};
    out_ = &out;
    try_all({given()});
    while (out.stopped.empty()) {
      const std::vector<Proposal> batch = plan_->next(trials());
      if (batch.empty()) break;
      try_all(unseen(batch));
      if (patience_is_over()) {
        out.stopped =
            fmt::format("{} brought nothing better", counted(options_.patience, "candidate"));
      }
    }
    conclude();
    return out;
  }

 private:
  PreparedLearner as_given() const { return {learner_, validate_.fit.prepare}; }

  Candidate given() const {
    Candidate out;
    out.proposal.round = 0;
    const PreparedLearner pipeline = as_given();
    for (const Dimension& one : options_.space) {
      const Value value = setting_of(pipeline, one.parameter);
      out.settings.emplace_back(one.parameter, value);
      out.proposal.place.push_back(one.place_of(value));
    }
    return out;
  }

  std::vector<Candidate> unseen(const std::vector<Proposal>& batch) const {
    std::vector<Candidate> out;
    const auto same = [](const Candidate& a, const Candidate& b) {
      return a.proposal.share == b.proposal.share && a.settings == b.settings;
    };
    for (const Proposal& proposal : batch) {
      const Candidate one{.settings = settings_at(options_.space, proposal.place),
                          .proposal = proposal};
      const auto known = [&](const Candidate& other) { return same(one, other); };
      const bool old = std::any_of(out_->candidates.begin(), out_->candidates.end(), known) ||
                       std::any_of(out.begin(), out.end(), known);
      if (!old) out.push_back(one);
    }
    return out;
  }

  void try_all(std::vector<Candidate> batch) {
    std::vector<PreparedLearner> pipelines;
    std::vector<std::string> fingerprints;
    for (Candidate& one : batch) {
      pipelines.push_back(with_settings(as_given(), one.settings));
      fingerprints.push_back(fingerprint(pipelines.back(), one));
      one.scores.resize(folds_.size());
    }
    std::vector<std::string> failures(batch.size() * folds_.size());
    FoldTables tables(data_, folds_, batch.size());
    const Context inner = silent(context_);
    parallel::for_each_index(context_, batch.size() * folds_.size(), [&](std::size_t at) {
      const std::size_t i = at % batch.size();
      const std::size_t fold = at / batch.size();
      const FoldTablePtr table = tables.take(fold);
      const std::string key = fingerprints[i] + fmt::format("-{}", fold);
      auto result = options_.journal == nullptr ? std::nullopt : options_.journal->find(key);
      if (!result) {
        result = score(pipelines[i], table, {batch[i].proposal.share, fold}, inner);
        if (options_.journal != nullptr) {
          options_.journal->append(key, *result, about(batch[i], fold));
        }
      }
      batch[i].scores[fold] = result->score;
      failures[i * folds_.size() + fold] = result->failure;
      progress_.one_more();
    });
    for (std::size_t i = 0; i < batch.size(); ++i) {
      finish(batch[i], std::span(failures).subspan(i * folds_.size(), folds_.size()));
      note_best(batch[i], out_->candidates.size());
      out_->candidates.push_back(std::move(batch[i]));
    }
  }

  struct Part {
    double share = 1;
    std::size_t fold = 0;
  };
  TuneJournal::Result score(const PreparedLearner& pipeline, const FoldTablePtr& table,
                            const Part& part, const Context& context) const {
    ValidateOptions own = validate_;
    own.fit.prepare = pipeline.prepare;
    FoldJob job{pipeline.learner, table, own, target_.classes, metric_};
    std::vector<std::size_t> teaching;
    if (part.share < 1) {
      teaching = beginning(part);
      job.teaching = &teaching;
    }
    try {
      return {run_fold(job, context).metric};
    } catch (const Error& error) {
      if (!is_of_the_settings(error.kind())) throw;
      return {std::nullopt, error.what()};
    }
  }

  // The first rows of the fold's training table in an order that every candidate shares.
  std::vector<std::size_t> beginning(const Part& part) const {
    const std::vector<std::size_t> train = folds_.train(part.fold);
    std::vector<std::int32_t> codes;
    for (const std::size_t row : train) {
      if (!target_.codes.empty()) codes.push_back(target_.codes[row]);
    }
    std::vector<std::size_t> order =
        representative_order(train.size(), codes, Stream(options_.search.seed, part.fold, 3));
    order.resize(
        static_cast<std::size_t>(std::ceil(part.share * static_cast<double>(train.size()))));
    return order;
  }

  void finish(Candidate& one, std::span<const std::string> failures) const {
    std::vector<FoldResult> folds(folds_.size());
    for (std::size_t i = 0; i < folds.size(); ++i) {
      folds[i].metric = one.scores[i];
      folds[i].train_rows = folds_.train(i).size();
      folds[i].test_rows = folds_.test(i).size();
      if (one.failure.empty()) one.failure = failures[i];
    }
    // A mean over the folds that happened to work would be compared with means over all.
    if (one.failure.empty()) one.estimate = estimate_of(folds, level(), metric_);
  }

  double level() const { return validate_.evaluate.intervals.level; }

  void note_best(const Candidate& one, std::size_t index) {
    if (one.proposal.share < 1 || !one.estimate.mean) return;
    if (!best_ || is_better(metric_, *one.estimate.mean, *best_)) {
      best_ = one.estimate.mean;
      out_->best = index;
      progress_.rename(stage());
    }
  }

  std::string stage() const {
    std::string name = options_.scope.empty() ? "tuning" : "tuning, " + options_.scope;
    if (!best_) return name;
    return fmt::format("{}: best {} {}", name, metric_.words, readable(*best_, 4));
  }

  std::vector<Trial> trials() const {
    std::vector<Trial> out;
    for (const Candidate& one : out_->candidates) {
      Trial trial{.proposal = one.proposal, .loss = one.estimate.mean};
      if (trial.loss && metric_.better == Better::higher) trial.loss = -*trial.loss;
      out.push_back(std::move(trial));
    }
    return out;
  }

  bool patience_is_over() const {
    if (options_.patience == 0 || !best_) return false;
    return out_->candidates.size() - 1 - out_->best >= options_.patience;
  }

  std::string fingerprint(const PreparedLearner& pipeline, const Candidate& one) const {
    Hasher hasher;
    hasher.add(std::string_view(options_.scope));
    hasher.add(std::string_view(shortest(one.proposal.share)));
    const auto add = [&](std::string_view name, const Value& value) {
      hasher.add(name);
      hasher.add(std::string_view(to_json(value)));
    };
    for (const auto& [name, value] : pipeline.learner.values()) add(name, value);
    for (const auto& [name, value] : one.settings) {
      if (is_preparation(pipeline.learner, name)) add(name, value);
    }
    return hasher.hex().substr(0, 16);
  }

  Value about(const Candidate& one, std::size_t fold) const {
    Value out = Value::Object();
    if (!options_.scope.empty()) out["scope"] = options_.scope;
    out["settings"] = Value::Object();
    for (const auto& [name, value] : one.settings) out["settings"][name] = value;
    out["fold"] = Value(fold + 1);
    if (one.proposal.share < 1) out["share_of_rows"] = one.proposal.share;
    return out;
  }

  void conclude() {
    Tuning& out = *out_;
    if (!best_) {
      for (const Candidate& one : out.candidates) {
        if (!one.failure.empty()) {
          throw Error(
              ErrorKind::bad_data, "--search",
              fmt::format("no candidate could be judged; the first failed with: {}", one.failure));
        }
      }
      throw Error(ErrorKind::bad_data, "--metric",
                  fmt::format("{} is undefined for every candidate", metric_.words),
                  "use another measure, or larger folds");
    }
    const Candidate& best = out.candidates[out.best];
    const PreparedLearner pipeline = with_settings(as_given(), best.settings);
    out.winner = pipeline.learner;
    out.prepare = pipeline.prepare;
    const Candidate& given = out.candidates.front();
    std::vector<double> differences;
    FoldSizes sizes;
    for (std::size_t i = 0; i < folds_.size(); ++i) {
      if (!best.scores[i] || !given.scores[i]) continue;
      const double sign = metric_.better == Better::higher ? 1 : -1;
      differences.push_back(sign * (*best.scores[i] - *given.scores[i]));
      sizes.train += static_cast<double>(folds_.train(i).size());
      sizes.test += static_cast<double>(folds_.test(i).size());
    }
    out.against_given = corrected_t(differences, sizes, level());
    out.conclusion = words();
  }

  std::string words() const {
    const Tuning& out = *out_;
    const Candidate& best = out.candidates[out.best];
    const Candidate& given = out.candidates.front();
    std::string text =
        fmt::format("The best of {}: {} {} with {}.", counted(out.candidates.size(), "candidate"),
                    metric_.words, readable(*best.estimate.mean, 4), settings_text(best.settings));
    if (out.best == 0) {
      text = fmt::format("None of {} was better than the settings given: {} {}.",
                         counted(out.candidates.size() - 1, "candidate"), metric_.words,
                         readable(*best.estimate.mean, 4));
    } else if (given.estimate.mean) {
      text += fmt::format(" The settings given had {}", readable(*given.estimate.mean, 4));
      const TestResult& test = out.against_given;
      const bool sure = test.undefined.empty() && test.p < 1 - level();
      text += !test.undefined.empty() ? std::string(".")
              : sure ? fmt::format("; the difference is more than chance ({}, p = {}).", test.name,
                                   readable(test.p, 2))
                     : fmt::format("; the difference may be chance ({}, p = {}).", test.name,
                                   readable(test.p, 2));
    }
    if (!out.stopped.empty()) text += fmt::format(" The search ended early: {}.", out.stopped);
    return text;
  }

  const AnyLearner& learner_;
  const Dataset data_;
  const Folds& folds_;
  const TuneOptions& options_;
  ValidateOptions validate_;
  const Context& context_;
  std::unique_ptr<SearchPlan> plan_;
  TargetData target_;
  MetricInfo metric_;
  std::optional<double> best_;
  FoldProgress progress_;
  Tuning* out_ = nullptr;
};

}  // namespace

Tuning tune(const AnyLearner& learner, const Dataset& data, const Folds& folds,
            const TuneOptions& options, const Context& context) {
  GRADUS_ASSERT(folds.rows == data.rows());
  return Search(learner, data, folds, options, context).run();
}

}  // namespace gradus
