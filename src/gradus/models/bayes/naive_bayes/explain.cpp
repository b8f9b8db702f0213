#include "gradus/models/bayes/naive_bayes/explain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "gradus/core/text.hpp"
#include "gradus/models/bayes/naive_bayes/tables.hpp"

namespace gradus {
namespace {

constexpr int kDigits = 4;

std::string number(double value) { return readable(value, kDigits); }

// "(3 + 1)/(5 + 1·3) = 0.5", or "3/5 = 0.6" when nothing is added.
std::string fraction(const Frequency& frequency) {
  if (frequency.pseudo == 0) {
    return fmt::format("{}/{} = {}", readable(frequency.count), readable(frequency.total),
                       number(frequency.value()));
  }
  return fmt::format("({} + {})/({} + {}·{}) = {}", readable(frequency.count),
                     readable(frequency.pseudo), readable(frequency.total),
                     readable(frequency.pseudo), readable(frequency.cells),
                     number(frequency.value()));
}

std::string smoothing_text(const NaiveBayes& learner, double pseudo) {
  if (pseudo == 0) return "The bare frequencies: nothing is added.";
  if (learner.estimate == FrequencyEstimate::m_estimate) {
    return fmt::format(
        "The m-estimate (n + m·p)/(N + m) with m = {}: m·p = {} imaginary rows each.",
        readable(learner.m), readable(pseudo));
  }
  return fmt::format("alpha = {}: so many imaginary rows are added to each count.",
                     readable(pseudo));
}

class Explainer {
 public:
  Explainer(const NaiveBayes& learner, const NaiveBayesModel& model, const Signature& signature,
            Trace& trace)
      : learner_(learner), model_(model), signature_(signature), trace_(trace) {}

  void run() {
    add_priors();
    const EventFrequencies events(model_);
    std::size_t table = 0;
    for (std::size_t feature = 0; feature < model_.feature_count(); ++feature) {
      if (!trace_.wants_more()) return;
      if (model_.tabled(feature)) {
        add_levels({model_, feature, table});
        table += model_.level_count(feature);
      } else if (model_.numeric == NumericEvent::gaussian) {
        add_normal(feature);
      } else {
        add_event(events, feature);
      }
    }
  }

 private:
  void add_priors() {
    const std::vector<double>& counts = model_.seen.classes;
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    const bool learned = learner_.priors.empty() && learner_.fit_prior;
    Step step{.title = "Class priors", .path = "priors"};
    step.values = object({{"n", total}, {"counts", object()}, {"priors", object()}});
    std::vector<std::string> parts;
    for (std::size_t label = 0; label < model_.class_count(); ++label) {
      const std::string& name = signature_.classes[label];
      const std::string prior = number(model_.tables.prior[label]);
      step.values["counts"][name] = counts[label];
      step.values["priors"][name] = model_.tables.prior[label];
      parts.push_back(learned ? fmt::format("P({}) = {}/{} = {}", name, readable(counts[label]),
                                            readable(total), prior)
                              : fmt::format("P({}) = {}", name, prior));
    }
    step.formula = join(parts, ";  ");
    step.text = learned                   ? "The share of each class in the rows."
                : learner_.priors.empty() ? "All classes are equally probable (fit_prior is off)."
                                          : "The priors are given.";
    trace_.add(std::move(step));
  }

  void add_levels(const LevelFrequencies& frequencies) {
    const std::string& column = signature_.features[frequencies.feature].name;
    const std::vector<std::string> levels = level_names(model_, signature_, frequencies.feature);
    Step step{.title = "Frequencies of " + column, .path = "conditionals/" + column};
    step.values = object({{"pseudo_count", model_.pseudo[frequencies.feature]},
                          {"counts", object()},
                          {"conditionals", object()}});
    std::vector<std::string> parts;
    double missing = 0;
    for (std::size_t label = 0; label < model_.class_count(); ++label) {
      const std::string& name = signature_.classes[label];
      missing += model_.seen.classes[label];
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const Frequency frequency = frequencies.at(level, label);
        step.values["counts"][name][levels[level]] = frequency.count;
        step.values["conditionals"][name][levels[level]] = frequency.value();
        parts.push_back(
            fmt::format("P({} = {}|{}) = {}", column, levels[level], name, fraction(frequency)));
        missing -= frequency.count;
      }
    }
    step.formula = join(parts, ";  ");
    step.text = smoothing_text(learner_, model_.pseudo[frequencies.feature]);
    if (missing > 0) {
      step.text +=
          fmt::format(" {} of the rows have no value and are left out.", readable(missing));
    }
    step.values["missing"] = missing;
    trace_.add(std::move(step));
  }

  void add_normal(std::size_t feature) {
    const std::string& column = signature_.features[feature].name;
    Step step{.title = "Mean and variance of " + column, .path = "conditionals/" + column};
    step.values = object();
    std::vector<std::string> parts;
    for (std::size_t label = 0; label < model_.class_count(); ++label) {
      const std::string& name = signature_.classes[label];
      const std::size_t cell = feature * model_.class_count() + label;
      const std::size_t seen = label * model_.feature_count() + feature;
      const double n = model_.seen.weight[seen];
      const double mean = model_.tables.mean[cell];
      const double variance = model_.tables.variance[cell];
      step.values[name] = object({{"n", n},
                                  {"sum", n * mean},
                                  {"mean", mean},
                                  {"squares", model_.seen.squares[seen]},
                                  {"variance", variance},
                                  {"sd", std::sqrt(variance)},
                                  {"missing", model_.seen.classes[label] - n}});
      if (n == 0) {
        parts.push_back(fmt::format("{}: no value, so the numbers of all classes: μ = {}, σ² = {}",
                                    name, number(mean), number(variance)));
        continue;
      }
      const double divisor = n > learner_.ddof ? n - learner_.ddof : n;
      parts.push_back(fmt::format(
          "μ({}) = Σx/n = {}/{} = {}, σ²({}) = Σ(x − μ)²/{} = {}/{} = {}", name, readable(n * mean),
          readable(n), number(mean), name, learner_.ddof == 0 ? "n" : "(n − 1)",
          readable(model_.seen.squares[seen]), readable(divisor), number(variance)));
    }
    step.formula = join(parts, ";  ");
    step.text = fmt::format(
        "ε = {} (var_smoothing times the largest variance of all columns) is added to each "
        "variance.",
        number(model_.epsilon));
    trace_.add(std::move(step));
  }

  void add_event(const EventFrequencies& events, std::size_t feature) {
    const std::string& column = signature_.features[feature].name;
    Step step{.title = "Share of " + column + " in all events", .path = "conditionals/" + column};
    step.values = object({{"pseudo_count", model_.pseudo[feature]},
                          {"counts", object()},
                          {"conditionals", object()}});
    std::vector<std::string> parts;
    for (std::size_t label = 0; label < model_.class_count(); ++label) {
      const Frequency frequency = events.at(feature, label);
      const std::string& name = signature_.classes[label];
      step.values["counts"][name] = frequency.count;
      step.values["conditionals"][name] = frequency.value();
      parts.push_back(fmt::format("P({}|{}) = {}", column, name, fraction(frequency)));
    }
    step.formula = join(parts, ";  ");
    step.text = smoothing_text(learner_, model_.pseudo[feature]);
    trace_.add(std::move(step));
  }

  const NaiveBayes& learner_;
  const NaiveBayesModel& model_;
  const Signature& signature_;
  Trace& trace_;
};

}  // namespace

void explain_naive_bayes(const NaiveBayes& learner, const NaiveBayesModel& model,
                         const Signature& signature, Trace& trace) {
  Explainer(learner, model, signature, trace).run();
}

}  // namespace gradus
