#include "gradus/evaluate/select_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/fold_run.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kWays[] = {"forward", "backward", "recursive"};

bool in(const Names& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

Names without(Names list, const std::string& name) {
  std::erase(list, name);
  return list;
}

Names with(Names list, const std::string& name) {
  list.push_back(name);
  return list;
}

class Selecting {
 public:
  Selecting(const AnyLearner& learner, const Dataset& data, const Folds& folds,
            const SelectOptions& options, const Context& context)
      : learner_(learner),
        data_(weighted_rows(data, options.validate.fit)),
        folds_(folds),
        options_(options),
        context_(context),
        fit_(options.validate.fit),
        target_(read_target(learner.info(), data, {fit_.target, fit_.classes, fit_.task})),
        metric_(find_metric(options.validate.metric, target_.task)),
        columns_(candidate_columns()),
        progress_(context, "selecting features", 0) {
    learner.check_values();
    if (options.keep > columns_.size()) {
      throw Error(ErrorKind::usage, "--keep",
                  fmt::format("{} columns cannot be kept of {}", options.keep, columns_.size()));
    }
  }

  Selection run() {
    Selection out{.learner = std::string(learner_.info().name),
                  .task = target_.task,
                  .metric = metric_,
                  .method = options_.method};
    const Estimate all = scores({columns_}).front();
    out.all = all.mean;
    switch (options_.method) {
      case SelectMethod::forward: forward(out); break;
      case SelectMethod::backward: backward(out, all); break;
      case SelectMethod::recursive: recursive(out); break;
    }
    if (out.steps.empty() || !out.steps[out.best].estimate.mean) {
      throw Error(ErrorKind::bad_data, "--metric",
                  fmt::format("{} is undefined for every set of columns", metric_.words),
                  "use another measure, or larger folds");
    }
    out.features = out.steps[out.best].features;
    out.conclusion = words(out);
    return out;
  }

 private:
  Names candidate_columns() const {
    if (data_.sparse()) {
      throw Error(ErrorKind::usage, "", "columns of sparse data cannot be selected one by one");
    }
    Names out;
    for (const std::string& name : fit_.features.empty() ? data_.names() : fit_.features) {
      if (!in(fit_.target, name) && !in(fit_.ignore, name) && name != fit_.weights) {
        out.push_back(name);
      }
    }
    if (out.empty()) throw Error(ErrorKind::usage, "--features", "there is no column to select");
    return out;
  }

  ValidateOptions options_for(const Names& features) const {
    ValidateOptions out = options_.validate;
    out.fit.features = features;
    out.fit.ignore.clear();
    return out;
  }

  // The estimate of each set, all sets and folds in one parallel loop.
  std::vector<Estimate> scores(const std::vector<Names>& sets) {
    std::vector<ValidateOptions> options;
    for (const Names& set : sets) options.push_back(options_for(set));
    std::vector<std::vector<FoldResult>> results(sets.size());
    for (auto& one : results) one.resize(folds_.size());
    FoldTables tables(data_, folds_, sets.size());
    const Context inner = silent(context_);
    parallel::for_each_index(context_, sets.size() * folds_.size(), [&](std::size_t at) {
      const std::size_t i = at % sets.size();
      const std::size_t fold = at / sets.size();
      results[i][fold] =
          run_fold({learner_, tables.take(fold), options[i], target_.classes, metric_}, inner);
      progress_.one_more();
    });
    std::vector<Estimate> out;
    for (const auto& one : results) {
      out.push_back(estimate_of(one, options_.validate.evaluate.intervals.level, metric_));
    }
    return out;
  }

  // The first of the best; nothing when none is defined.
  std::optional<std::size_t> best_of(const std::vector<Estimate>& estimates) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < estimates.size(); ++i) {
      if (!estimates[i].mean) continue;
      if (!best || is_better(metric_, *estimates[i].mean, *estimates[*best].mean)) best = i;
    }
    return best;
  }

  // Whether `after` is better than `before` by more than the tolerance; may be negative.
  bool helps(const Estimate& before, const Estimate& after, double tolerance) const {
    if (!after.mean) return false;
    if (!before.mean) return true;
    const double sign = metric_.better == Better::higher ? 1 : -1;
    return sign * (*after.mean - *before.mean) > tolerance;
  }

  void forward(Selection& out) {
    Names chosen;
    while (chosen.size() < (options_.keep == 0 ? columns_.size() : options_.keep)) {
      std::vector<Names> sets;
      Names tried;
      for (const std::string& name : columns_) {
        if (in(chosen, name)) continue;
        sets.push_back(with(chosen, name));
        tried.push_back(name);
      }
      const std::vector<Estimate> estimates = scores(sets);
      const auto best = best_of(estimates);
      if (!best) return;
      const bool useful = out.steps.empty() ||
                          helps(out.steps.back().estimate, estimates[*best], options_.tolerance);
      if (options_.keep == 0 && !useful) return;
      chosen = sets[*best];
      out.steps.push_back(
          {.changed = tried[*best], .features = chosen, .estimate = estimates[*best]});
      out.best = out.steps.size() - 1;
    }
  }

  void backward(Selection& out, const Estimate& all) {
    out.steps.push_back({.features = columns_, .estimate = all});
    while (out.steps.back().features.size() > std::max<std::size_t>(options_.keep, 1)) {
      const Names& now = out.steps.back().features;
      std::vector<Names> sets;
      for (const std::string& name : now) sets.push_back(without(now, name));
      const std::vector<Estimate> estimates = scores(sets);
      const auto best = best_of(estimates);
      if (!best) return;
      // A column that is not missed at all goes too: fewer columns, the same score.
      const double least = -std::max(options_.tolerance, 1e-12);
      const bool harmless = helps(out.steps.back().estimate, estimates[*best], least);
      if (options_.keep == 0 && !harmless) return;
      const std::string dropped = now[*best];
      out.steps.push_back(
          {.changed = dropped, .features = sets[*best], .estimate = estimates[*best]});
      out.best = out.steps.size() - 1;
    }
  }

  void recursive(Selection& out) {
    Names now = columns_;
    std::string dropped;
    while (true) {
      SelectStep step{.changed = dropped, .features = now, .estimate = scores({now}).front()};
      step.importance = importance_of(now);
      out.steps.push_back(step);
      if (now.size() <= std::max<std::size_t>(options_.keep, 1)) break;
      const auto least = std::min_element(step.importance.begin(), step.importance.end());
      dropped = now[static_cast<std::size_t>(least - step.importance.begin())];
      now = without(now, dropped);
    }
    out.best = out.steps.size() - 1;
    if (options_.keep > 0) return;
    for (std::size_t i = out.steps.size(); i-- > 0;) {
      if (helps(out.steps[out.best].estimate, out.steps[i].estimate, options_.tolerance)) {
        out.best = i;
      }
    }
  }

  // Mean fall of the score, over the folds, when a column of the examined rows is shuffled.
  std::vector<double> importance_of(const Names& features) {
    const ValidateOptions options = options_for(features);
    std::vector<std::vector<double>> falls(folds_.size());
    FoldTables tables(data_, folds_, 1);
    const Context inner = silent(context_);
    EvaluateOptions evaluation = options.evaluate;
    evaluation.predict.extra = Extra::ignore;
    parallel::for_each_index(context_, folds_.size(), [&](std::size_t fold) {
      const FoldTablePtr table = tables.take(fold);
      const AnyModel model = fit(learner_, table->train, options.fit, inner);
      const auto score = [&](const Dataset& rows) {
        return metric_value(evaluate(model, rows, inner, evaluation), metric_);
      };
      const std::optional<double> whole = score(table->test);
      const double sign = metric_.better == Better::higher ? 1 : -1;
      for (std::size_t j = 0; j < features.size(); ++j) {
        Stream stream(options_.seed, fold * features.size() + j, 11);
        std::vector<std::size_t> order(table->test.rows());
        std::iota(order.begin(), order.end(), std::size_t{0});
        stream.shuffle(std::span(order));
        const std::optional<double> shuffled =
            score(table->test.with_column(table->test.column(features[j]).take(order)));
        falls[fold].push_back(whole && shuffled ? sign * (*whole - *shuffled) : 0);
      }
    });
    std::vector<double> out(features.size(), 0.0);
    for (const auto& one : falls) {
      for (std::size_t j = 0; j < out.size(); ++j) {
        out[j] += one[j] / static_cast<double>(folds_.size());
      }
    }
    return out;
  }

  std::string words(const Selection& out) const {
    const SelectStep& best = out.steps[out.best];
    std::string text = fmt::format("{} of {}: {}. With them {} is {}", best.features.size(),
                                   counted(columns_.size(), "column"), join(best.features, ", "),
                                   metric_.words, readable(*best.estimate.mean, 4));
    if (out.all) text += fmt::format(", with all columns {}", readable(*out.all, 4));
    return text + ".";
  }

  const AnyLearner& learner_;
  Dataset data_;
  const Folds& folds_;
  const SelectOptions& options_;
  const Context& context_;
  FitOptions fit_;
  TargetData target_;
  MetricInfo metric_;
  Names columns_;
  FoldProgress progress_;
};

}  // namespace

std::vector<std::string> select_method_words() { return {std::begin(kWays), std::end(kWays)}; }

Selection select_features(const AnyLearner& learner, const Dataset& data, const Folds& folds,
                          const SelectOptions& options, const Context& context) {
  GRADUS_ASSERT(folds.rows == data.rows());
  return Selecting(learner, data, folds, options, context).run();
}

Value to_value(const Selection& selection) {
  const auto or_null = [](const std::optional<double>& x) { return x ? Value(*x) : Value(); };
  Value out = object({{"learner", selection.learner},
                      {"task", task_word(selection.task)},
                      {"metric", selection.metric.name},
                      {"method", kWays[static_cast<std::size_t>(selection.method)]},
                      {"features", Value(selection.features)},
                      {"all_columns", or_null(selection.all)}});
  Value steps = Value::Array();
  for (const SelectStep& step : selection.steps) {
    Value one = object({{"changed", step.changed.empty() ? Value() : Value(step.changed)},
                        {"features", Value(step.features)},
                        {"mean", or_null(step.estimate.mean)},
                        {"deviation", or_null(step.estimate.deviation)}});
    if (!step.importance.empty()) {
      Value importance = Value::Object();
      for (std::size_t j = 0; j < step.features.size(); ++j) {
        importance[step.features[j]] = step.importance[j];
      }
      one["importance"] = std::move(importance);
    }
    steps.push_back(std::move(one));
  }
  out["steps"] = std::move(steps);
  out["best"] = Value(selection.best);
  out["conclusion"] = selection.conclusion;
  return out;
}

}  // namespace gradus
