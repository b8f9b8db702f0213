#include "gradus/models/bayes/naive_bayes/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/bayes/naive_bayes/count.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {

double Frequency::value() const {
  const double denominator = total + pseudo * cells;
  return denominator > 0 ? (count + pseudo) / denominator : 1 / cells;
}

Frequency LevelFrequencies::at(std::size_t level, std::size_t label) const {
  const std::size_t classes = model.class_count();
  const std::size_t levels = model.level_count(feature);
  const double* counts = model.seen.levels.data() + table * classes + label;
  Frequency out{.pseudo = model.pseudo[feature], .cells = static_cast<double>(levels)};
  out.count = counts[level * classes];
  for (std::size_t i = 0; i < levels; ++i) out.total += counts[i * classes];
  return out;
}

namespace {

// The events of each class, one after the other; a few classes go side by side, because a single
// sum waits for every addition.
std::vector<double> events_per_class(const NaiveBayesModel& model, const Context& context) {
  constexpr std::size_t kSide = 4;
  const std::size_t features = model.feature_count();
  std::vector<double> total(model.class_count(), 0.0);
  parallel::for_each_block(context, total.size(), kSide, [&](parallel::Block block) {
    const double* first = model.seen.events.data() + block.begin * features;
    double sums[kSide] = {};
    for (std::size_t feature = 0; feature < features && block.size() == kSide; ++feature) {
      for (std::size_t c = 0; c < kSide; ++c) sums[c] += first[c * features + feature];
    }
    for (std::size_t c = 0; c < block.size() && block.size() < kSide; ++c) {
      sums[c] = std::accumulate(first + c * features, first + (c + 1) * features, 0.0);
    }
    std::copy_n(sums, block.size(), &total[block.begin]);
  });
  return total;
}

}  // namespace

EventFrequencies::EventFrequencies(const NaiveBayesModel& model, const Context& context)
    : model_(model) {
  if (model.numeric != NumericEvent::multinomial) return;
  for (std::size_t feature = 0; feature < model.feature_count(); ++feature) {
    cells_ += model.tabled(feature) ? 0 : 1;
  }
  total_ = events_per_class(model, context);
}

Frequency EventFrequencies::at(std::size_t feature, std::size_t label) const {
  return {model_.seen.events[label * model_.feature_count() + feature], total_[label],
          model_.pseudo[feature], cells_};
}

std::vector<std::string> level_names(const NaiveBayesModel& model, const Signature& signature,
                                     std::size_t feature) {
  if (model.levels[feature] == NaiveBayesModel::kPresence) return {"absent", "present"};
  const std::span<const std::string> levels = signature.features.levels(feature);
  return {levels.begin(), levels.end()};
}

namespace {

// A variance of 0 would make a density infinite; this stands for "no spread that numbers of this
// size can show". Below the smallest one, its inverse would overflow.
constexpr double kNoSpread = 1e-18;
constexpr double kSmallestVariance = 1e-300;

// Logarithms in place of shares.
void logs_of(double* shares, std::size_t count) {
  simd::log(shares, shares, count);
  // A share that rounding pushed over 1 is 1.
  for (std::size_t i = 0; i < count; ++i) shares[i] = std::min(shares[i], 0.0);
}

std::vector<double> logs(std::vector<double> shares) {
  logs_of(shares.data(), shares.size());
  return shares;
}

std::vector<double> class_priors(const NaiveBayes& learner, const NaiveBayesModel& model) {
  if (!learner.priors.empty()) return learner.priors;
  const std::size_t classes = model.class_count();
  if (!learner.fit_prior) return std::vector<double>(classes, 1 / static_cast<double>(classes));
  std::vector<double> shares = model.seen.classes;
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= total;
  return shares;
}

void set_pseudo(const NaiveBayes& learner, NaiveBayesModel& model) {
  const auto numbers = static_cast<double>(
      std::count(model.levels.begin(), model.levels.end(), NaiveBayesModel::kNumber));
  model.pseudo.assign(model.feature_count(), learner.alpha);
  if (learner.estimate == FrequencyEstimate::laplace) return;
  for (std::size_t feature = 0; feature < model.feature_count(); ++feature) {
    const double cells =
        model.tabled(feature) ? static_cast<double>(model.level_count(feature)) : numbers;
    model.pseudo[feature] = learner.m / std::max(1.0, cells);
  }
}

void build_levels(NaiveBayesModel& model) {
  const std::size_t classes = model.class_count();
  std::vector<double> shares(model.seen.levels.size());
  std::size_t table = 0;
  for (std::size_t feature = 0; feature < model.feature_count(); ++feature) {
    if (!model.tabled(feature)) continue;
    const LevelFrequencies frequencies{model, feature, table};
    for (std::size_t label = 0; label < classes; ++label) {
      Frequency frequency = frequencies.at(0, label);
      for (std::size_t level = 0; level < model.level_count(feature); ++level) {
        const std::size_t cell = (table + level) * classes + label;
        frequency.count = model.seen.levels[cell];
        shares[cell] = frequency.value();
      }
    }
    table += model.level_count(feature);
  }
  model.tables.log_level = logs(std::move(shares));
}

// The logarithms of an event that a class never saw, by class: the same for all events.
std::vector<double> unseen_events(const EventFrequencies& frequencies,
                                  const NaiveBayesModel& model) {
  const auto untabled =
      std::find(model.levels.begin(), model.levels.end(), NaiveBayesModel::kNumber);
  std::vector<double> shares(model.class_count(), 1.0);
  for (std::size_t label = 0; label < shares.size() && untabled != model.levels.end(); ++label) {
    Frequency frequency =
        frequencies.at(static_cast<std::size_t>(untabled - model.levels.begin()), label);
    frequency.count = 0;
    shares[label] = frequency.value();
  }
  return logs(std::move(shares));
}

// log P(event|class), from one row per class to one row per feature. Most words never occur in most
// classes: only the others cost a division and a logarithm.
class EventLogs {
 public:
  EventLogs(const EventFrequencies& frequencies, NaiveBayesModel& model)
      : frequencies_(frequencies), model_(model), unseen_(unseen_events(frequencies, model)) {}

  void build(parallel::Block features) const {
    Scratch scratch;
    for (std::size_t begin = features.begin; begin < features.end; begin += kTile) {
      const std::size_t end = std::min(features.end, begin + kTile);
      for (std::size_t feature = begin; feature < end; ++feature) {
        // A feature with a table of its own has no events; its cells stay 0.
        if (!model_.tabled(feature)) std::copy(unseen_.begin(), unseen_.end(), &cell(feature, 0));
      }
      for (std::size_t label = 0; label < model_.class_count(); ++label) {
        put_seen(begin, end, label, scratch);
      }
    }
  }

 private:
  static constexpr std::size_t kTile = 128;  // features whose cells stay in the nearest caches

  double& cell(std::size_t feature, std::size_t label) const {
    return model_.tables.log_event[feature * model_.class_count() + label];
  }

  struct Scratch {
    std::array<std::size_t, kTile> seen = {};
    std::array<double, kTile> shares = {};
  };

  void put_seen(std::size_t begin, std::size_t end, std::size_t label, Scratch& scratch) const {
    const double* events = model_.seen.events.data() + label * model_.feature_count();
    auto& [seen, shares] = scratch;
    std::size_t count = 0;
    for (std::size_t feature = begin; feature < end; ++feature) {
      seen[count] = feature;
      count += events[feature] > 0 ? 1 : 0;
    }
    if (count == 0) return;
    Frequency frequency = frequencies_.at(seen[0], label);
    for (std::size_t i = 0; i < count; ++i) {
      frequency.count = events[seen[i]];
      shares[i] = frequency.value();
    }
    logs_of(shares.data(), count);
    for (std::size_t i = 0; i < count; ++i) cell(seen[i], label) = shares[i];
  }

  const EventFrequencies& frequencies_;
  NaiveBayesModel& model_;
  std::vector<double> unseen_;
};

void build_events(NaiveBayesModel& model, const Context& context) {
  constexpr std::size_t kBlockFeatures = 2048;
  const EventFrequencies frequencies(model, context);
  make_room(model);
  const EventLogs logs_of_events(frequencies, model);
  parallel::for_each_block(context, model.feature_count(), kBlockFeatures,
                           [&](parallel::Block block) { logs_of_events.build(block); });
}

Moments moments_of(const NaiveBayesModel& model, std::size_t feature, std::size_t label) {
  const std::size_t cell = label * model.feature_count() + feature;
  return {model.seen.weight[cell], model.seen.mean[cell], model.seen.squares[cell]};
}

Moments pooled(const NaiveBayesModel& model, std::size_t feature) {
  Moments all;
  for (std::size_t label = 0; label < model.class_count(); ++label) {
    all = merged(all, moments_of(model, feature, label));
  }
  return all;
}

double variance_of(const Moments& moments, int ddof) {
  if (moments.weight == 0) return 0;
  const double freedom = moments.weight - ddof;
  return moments.squares / (freedom > 0 ? freedom : moments.weight);
}

double largest_variance(const NaiveBayesModel& model) {
  double largest = 0;
  for (std::size_t feature = 0; feature < model.feature_count(); ++feature) {
    if (!model.tabled(feature)) largest = std::max(largest, variance_of(pooled(model, feature), 0));
  }
  return largest;
}

void require_finite(const Moments& moments, const FeatureNames& names, std::size_t feature) {
  if (std::isfinite(moments.mean) && std::isfinite(moments.squares)) return;
  throw Error(ErrorKind::numerical, "column " + in_quotes(names[feature].name),
              "the numbers are too large: their variance is beyond the range of floating point",
              "scale the column, for example by taking logarithms");
}

// The normal distribution of one column in one class.
void build_normal(NaiveBayesModel& model, std::size_t cell, const Moments& moments, int ddof) {
  NaiveBayesTables& tables = model.tables;
  tables.mean[cell] = moments.mean;
  double variance = variance_of(moments, ddof) + model.epsilon;
  if (variance <= 0) variance = kNoSpread * std::max(1.0, moments.mean * moments.mean);
  variance = std::clamp(variance, kSmallestVariance, std::numeric_limits<double>::max());
  tables.variance[cell] = variance;
  tables.precision[cell] = 0.5 / variance;
}

// log f(mean) = -(log 2 pi + log variance)/2: two logarithms, because the product could overflow.
void build_densities(NaiveBayesTables& tables) {
  constexpr double kLogTwoPi = 1.8378770664093454836;
  tables.log_density.resize(tables.variance.size());
  simd::log(tables.variance.data(), tables.log_density.data(), tables.variance.size());
  for (std::size_t cell = 0; cell < tables.variance.size(); ++cell) {
    const double log_variance = tables.log_density[cell];
    tables.log_density[cell] = tables.precision[cell] > 0 ? -0.5 * (kLogTwoPi + log_variance) : 0.0;
  }
}

void build_normals(const NaiveBayes& learner, const Signature& signature, NaiveBayesModel& model) {
  const std::size_t classes = model.class_count();
  NaiveBayesTables& tables = model.tables;
  tables.mean.assign(model.feature_count() * classes, 0.0);
  tables.precision.assign(model.feature_count() * classes, 0.0);
  tables.variance.assign(model.feature_count() * classes, 1.0);
  model.epsilon = learner.var_smoothing * largest_variance(model);
  for (std::size_t feature = 0; feature < model.feature_count(); ++feature) {
    if (model.tabled(feature)) continue;
    const Moments all = pooled(model, feature);
    require_finite(all, signature.features, feature);
    if (all.weight == 0) continue;  // a column without any value says nothing: precision 0
    for (std::size_t label = 0; label < classes; ++label) {
      const std::size_t cell = feature * classes + label;
      const Moments own = moments_of(model, feature, label);
      // A class that has no value takes the numbers of all classes together.
      build_normal(model, cell, own.weight > 0 ? own : all, learner.ddof);
      // The factor of a constant column is the same for all classes, and so large or small that
      // the other columns would drown in its rounding: it is left out.
      if (all.squares == 0) tables.precision[cell] = 0;
    }
  }
  build_densities(tables);
}

}  // namespace

void make_room(NaiveBayesModel& model) {
  if (model.numeric != NumericEvent::multinomial) return;
  const std::size_t cells = model.class_count() * model.feature_count();
  std::vector<double>& table = model.tables.log_event;
  reserve_large_pages(table, cells);
  table.resize(cells);
}

void build_tables(const NaiveBayes& learner, const Signature& signature, NaiveBayesModel& model,
                  const Context& context) {
  set_pseudo(learner, model);
  model.tables.prior = class_priors(learner, model);
  model.tables.log_prior = logs(model.tables.prior);
  build_levels(model);
  if (model.numeric == NumericEvent::gaussian) build_normals(learner, signature, model);
  if (model.numeric == NumericEvent::multinomial) build_events(model, context);
}

}  // namespace gradus
