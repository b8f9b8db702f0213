#include "gradus/evaluate/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/estimate_value.hpp"
#include "gradus/evaluate/fold_run.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr double kShares[] = {0.1, 0.2, 0.3, 0.4, 0.55, 0.7, 0.85, 1.0};
constexpr std::string_view kComplexity[] = {
    "max_depth", "max_leaf_nodes", "degree", "n_neighbors", "n_clusters",
    "hidden",    "alpha",          "C",      "n_estimators"};

// A learner that stands for one point of a curve, and the share of the rows that teach it.
struct CurvePlace {
  AnyLearner learner;
  double share = 1;
  Value at = {};
};

class CurveRun {
 public:
  CurveRun(const Dataset& data, const Folds& folds, const CurveOptions& options,
           const AnyLearner& learner)
      : data_(weighted_rows(data, options.validate.fit)),
        folds_(folds),
        options_(options),
        target_(read_target(learner.info(), data,
                            {options.validate.fit.target, options.validate.fit.classes,
                             options.validate.fit.task})),
        metric_(find_metric(options.validate.metric, target_.task)) {
    GRADUS_ASSERT(folds.rows == data.rows());
    learner.check_values();
  }

  void run(Curve& curve, const std::vector<CurvePlace>& settings, const Context& context) {
    curve.task = target_.task;
    curve.metric = metric_;
    const std::size_t count = settings.size();
    std::vector<TwoScores> scores(count * folds_.size());
    FoldTables tables(data_, folds_, count);
    FoldProgress progress(context, "curve", scores.size());
    const Context inner = silent(context);
    parallel::for_each_index(context, scores.size(), [&](std::size_t at) {
      const std::size_t i = at % count;
      const std::size_t fold = at / count;
      FoldJob job{settings[i].learner, tables.take(fold), options_.validate, target_.classes,
                  metric_};
      std::vector<std::size_t> teaching;
      if (settings[i].share < 1) {
        teaching = beginning(fold, settings[i].share);
        job.teaching = &teaching;
      }
      scores[i * folds_.size() + fold] = run_fold_twice(job, inner);
      progress.one_more();
    });
    for (std::size_t i = 0; i < count; ++i) {
      curve.points.push_back(
          point_of(settings[i], std::span(scores).subspan(i * folds_.size(), folds_.size())));
    }
    find_best(curve);
    add_baseline(curve, context);
    curve.diagnosis = diagnose(curve, options_.goal);
  }

 private:
  std::vector<std::size_t> beginning(std::size_t fold, double share) const {
    const std::vector<std::size_t> train = folds_.train(fold);
    std::vector<std::int32_t> codes;
    for (const std::size_t row : train) {
      if (!target_.codes.empty()) codes.push_back(target_.codes[row]);
    }
    std::vector<std::size_t> order =
        representative_order(train.size(), codes, Stream(options_.seed, fold, 5));
    order.resize(rows_of(train.size(), share));
    return order;
  }

  static std::size_t rows_of(std::size_t all, double share) {
    const auto rows = static_cast<std::size_t>(std::lround(share * static_cast<double>(all)));
    return std::clamp<std::size_t>(rows, 1, all);
  }

  ScorePoint point_of(const CurvePlace& setting, std::span<const TwoScores> scores) const {
    ScorePoint out{.at = setting.at};
    std::vector<FoldResult> training;
    std::vector<FoldResult> examined;
    double rows = 0;
    for (const TwoScores& one : scores) {
      FoldResult both = one.examined;
      out.examined_scores.push_back(one.examined.metric);
      out.training_scores.push_back(one.training);
      examined.push_back(both);
      both.metric = one.training;
      training.push_back(std::move(both));
      rows += static_cast<double>(one.examined.train_rows);
      out.model_bytes += static_cast<double>(one.model_bytes) / static_cast<double>(scores.size());
    }
    const double level = options_.validate.evaluate.intervals.level;
    out.training = estimate_of(training, level, metric_);
    out.examined = estimate_of(examined, level, metric_);
    if (out.at.is_null()) {
      const double mean = rows / static_cast<double>(scores.size());
      out.at = Value(static_cast<std::int64_t>(std::lround(mean)));
    }
    return out;
  }

  static void find_best(Curve& curve) {
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const auto& mean = curve.points[i].examined.mean;
      const auto& best = curve.points[curve.best].examined.mean;
      if (mean && (!best || is_better(curve.metric, *mean, *best))) curve.best = i;
    }
  }

  void add_baseline(Curve& curve, const Context& context) const {
    if (target_.task == Task::cluster) return;
    curve.baseline =
        cross_validate(AnyLearner("baseline"), data_, folds_, options_.validate, silent(context))
            .estimate.mean;
  }

  Dataset data_;
  const Folds& folds_;
  const CurveOptions& options_;
  TargetData target_;
  MetricInfo metric_;
};

Value estimate_value(const Estimate& estimate, const std::vector<std::optional<double>>& scores) {
  Value out =
      object({{"mean", or_null(estimate.mean)}, {"deviation", or_null(estimate.deviation)}});
  if (estimate.interval) {
    out["interval"] = object({{"low", estimate.interval->low}, {"high", estimate.interval->high}});
  }
  Value list = Value::Array();
  for (const auto& score : scores) list.push_back(or_null(score));
  out["scores"] = std::move(list);
  return out;
}

}  // namespace

Curve learning_curve(const AnyLearner& learner, const Dataset& data, const Folds& folds,
                     const CurveOptions& options, const Context& context) {
  CurveRun run(data, folds, options, learner);
  std::vector<double> shares = options.shares;
  if (shares.empty()) shares.assign(std::begin(kShares), std::end(kShares));
  std::vector<CurvePlace> settings;
  for (const double share : shares) {
    if (!(share > 0 && share <= 1)) {
      throw Error(
          ErrorKind::usage, "--shares",
          fmt::format("shares of the rows are above 0 and at most 1 (got {})", shortest(share)));
    }
    settings.push_back({learner, share, {}});
  }
  std::sort(settings.begin(), settings.end(),
            [](const CurvePlace& a, const CurvePlace& b) { return a.share < b.share; });
  Curve curve{.kind = CurveKind::learning,
              .learner = std::string(learner.info().name),
              .label = "rows that teach"};
  run.run(curve, settings, context);
  for (ScorePoint& point : curve.points) point.x = point.at.as_number();
  return curve;
}

Curve validation_curve(const AnyLearner& learner, const Dataset& data, const Folds& folds,
                       const CurveOptions& options, const Context& context) {
  CurveRun run(data, folds, options, learner);
  const Dimension& dimension = options.dimension;
  std::vector<CurvePlace> settings;
  for (const double place : dimension.grid(options.points)) {
    const Value value = dimension.at(place);
    if (!settings.empty() && settings.back().at == value) continue;
    AnyLearner own = learner;
    own.set(dimension.parameter, value);
    settings.push_back({own, 1, value});
  }
  Curve curve{.kind = CurveKind::validation,
              .learner = std::string(learner.info().name),
              .label = dimension.parameter,
              .logarithmic = dimension.scale == Scale::logarithmic};
  run.run(curve, settings, context);
  bool numbers = true;
  for (const ScorePoint& point : curve.points) numbers = numbers && point.at.is_number();
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    curve.points[i].x = numbers ? curve.points[i].at.as_number() : static_cast<double>(i + 1);
  }
  return curve;
}

Dimension complexity_dimension(const AnyLearner& learner) {
  const SearchSpace space = described_space(learner);
  if (space.empty()) {
    throw Error(ErrorKind::usage, "--search",
                fmt::format("{} has no parameter with a described range", learner.info().name),
                "name one with its values: --search NAME=LOW..HIGH");
  }
  for (const std::string_view name : kComplexity) {
    for (const Dimension& one : space) {
      if (one.parameter == name) return one;
    }
  }
  return space.front();
}

std::optional<double> error_of(const MetricInfo& metric, double score) {
  if (metric.better == Better::lower) return score;
  const double perfect = metric_range(metric).high;
  return std::isfinite(perfect) ? std::optional(perfect - score) : std::nullopt;
}

Value to_value(const Curve& curve) {
  Value out = object({{"kind", curve.kind == CurveKind::learning ? "learning" : "validation"},
                      {"learner", curve.learner},
                      {"task", task_word(curve.task)},
                      {"metric", curve.metric.name},
                      {"along", curve.label}});
  Value points = Value::Array();
  for (const ScorePoint& point : curve.points) {
    points.push_back(object({{"at", point.at},
                             {"training", estimate_value(point.training, point.training_scores)},
                             {"examined", estimate_value(point.examined, point.examined_scores)},
                             {"model_bytes", point.model_bytes}}));
  }
  out["points"] = std::move(points);
  out["best"] = Value(curve.best);
  out["baseline"] = or_null(curve.baseline);
  const Diagnosis& diagnosis = curve.diagnosis;
  out["diagnosis"] = object({{"regime", regime_word(diagnosis.regime)},
                             {"training_error", diagnosis.training_error},
                             {"examined_error", diagnosis.examined_error},
                             {"wanted_error", or_null(diagnosis.wanted)},
                             {"words", diagnosis.words},
                             {"treatments", Value(diagnosis.treatments)}});
  return out;
}

}  // namespace gradus
