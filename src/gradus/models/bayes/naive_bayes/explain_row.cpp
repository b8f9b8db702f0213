// The steps of one prediction: every factor, their product per class, and the normalisation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/text.hpp"
#include "gradus/models/bayes/naive_bayes/model.hpp"
#include "gradus/models/bayes/naive_bayes/tables.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

constexpr int kFactorDigits = 4;
constexpr std::size_t kShownFactors = 12;  // in the formula; the values hold all
constexpr std::size_t kShownClasses = 12;  // likewise

std::string factor_text(double value) { return readable(value, kFactorDigits); }

// What one column says about every class.
struct Factor {
  std::string column;
  std::string event;         // "outlook = sunny"
  bool density = false;      // f(...) rather than P(...)
  std::vector<double> logs;  // per class

  std::string term(const std::string& given) const {
    return fmt::format("{}({}|{})", density ? "f" : "P", event, given);
  }
};

class RowReader {
 public:
  RowReader(const NaiveBayesModel& model, const Signature& signature, std::span<const double> row)
      : model_(model), signature_(signature) {
    std::size_t table = 0;
    for (std::size_t feature = 0; feature < model.feature_count(); ++feature) {
      const bool known = model.tabled(feature) ? add_level(feature, row[feature], table)
                                               : add_number(feature, row[feature]);
      if (!known) left_out.push_back(signature.features[feature].name);
      if (model.tabled(feature)) table += model.level_count(feature);
    }
  }

  std::vector<Factor> factors;
  std::vector<std::string> left_out;

 private:
  std::string name(std::size_t feature) const { return signature_.features[feature].name; }

  bool add_level(std::size_t feature, double x, std::size_t table) {
    std::size_t level = 0;
    if (!model_.find_level(feature, x, level)) return false;
    const std::vector<std::string> names = level_names(model_, signature_, feature);
    Factor factor{name(feature), fmt::format("{} = {}", name(feature), names[level]), false, {}};
    const std::size_t classes = model_.class_count();
    const double* logs = model_.tables.log_level.data() + (table + level) * classes;
    factor.logs.assign(logs, logs + classes);
    factors.push_back(std::move(factor));
    return true;
  }

  bool add_number(std::size_t feature, double x) {
    if (x != x) return false;
    const bool gaussian = model_.numeric == NumericEvent::gaussian;
    if (!gaussian && x == 0) return true;  // an event that did not happen is no factor
    const std::size_t at = feature * model_.class_count();
    const NaiveBayesTables& tables = model_.tables;
    Factor factor{name(feature), {}, gaussian, {}};
    factor.event = gaussian ? fmt::format("{} = {}", name(feature), readable(x))
                            : fmt::format("{} × {}", readable(x), name(feature));
    for (std::size_t c = at; c < at + model_.class_count(); ++c) {
      factor.logs.push_back(gaussian ? tables.log_density[c] - (x - tables.mean[c]) *
                                                                   (x - tables.mean[c]) *
                                                                   tables.precision[c]
                                     : x * tables.log_event[c]);
    }
    factors.push_back(std::move(factor));
    return true;
  }

  const NaiveBayesModel& model_;
  const Signature& signature_;
};

// "P(yes)·P(outlook = sunny|yes)·… = 0.6429·0.2222·… = 0.005291"
Step class_step(const NaiveBayesModel& model, const std::vector<Factor>& factors,
                const std::string& name, std::size_t label) {
  Step step{.title = "Likelihood of " + name, .path = "likelihood/" + name};
  const double prior = model.tables.prior[label];
  double log_sum = model.tables.log_prior[label];
  step.values = object({{"prior", prior}, {"factors", object()}});
  std::vector<std::string> words = {fmt::format("P({})", name)};
  std::vector<std::string> numbers = {factor_text(prior)};
  for (const Factor& factor : factors) {
    const double value = std::exp(factor.logs[label]);
    log_sum += factor.logs[label];
    step.values["factors"][factor.column] = value;
    if (words.size() > kShownFactors) continue;
    words.push_back(factor.term(name));
    numbers.push_back(factor_text(value));
  }
  if (factors.size() > kShownFactors) {
    words.emplace_back("…");
    numbers.emplace_back("…");
  }
  const double product = std::exp(log_sum);
  step.values["likelihood"] = product;
  step.values["log_likelihood"] = log_sum;
  // A product of many small factors is below every number; its logarithm is not.
  const bool small = product == 0 && std::isfinite(log_sum);
  step.formula =
      fmt::format("{} = {} = {}", join(words, "·"), join(numbers, "·"),
                  small ? fmt::format("e^({})", factor_text(log_sum)) : factor_text(product));
  step.text =
      fmt::format("The logarithm, which the computation adds up, is {}.", factor_text(log_sum));
  return step;
}

// "P(yes|x) = 0.0053/(0.0053 + 0.0206) = 20.5%;  …" of the first classes.
std::string posterior_formula(const std::vector<std::string>& products,
                              std::span<const double> shares,
                              const std::vector<std::string>& classes) {
  const bool all = products.size() == classes.size();
  const std::string sum = join(products, " + ") + (all ? "" : " + …");
  std::vector<std::string> parts;
  for (std::size_t label = 0; label < products.size(); ++label) {
    parts.push_back(fmt::format("P({}|x) = {}/({}) = {}%", classes[label], products[label], sum,
                                readable(100 * shares[label], 3)));
  }
  if (!all) parts.emplace_back("…");
  return join(parts, ";  ");
}

}  // namespace

void NaiveBayesModel::explain(std::span<const double> row, const Signature& signature,
                              Trace& trace) const {
  const RowReader reader(*this, signature, row);
  std::vector<double> shares(class_count());
  predict({row.data(), 1, row.size()}, shares.data());
  Step last{.title = "Normalise", .path = "posterior"};
  last.values = object({{"likelihoods", object()},
                        {"log_likelihoods", object()},
                        {"probabilities", object()},
                        {"left_out", Value(reader.left_out)}});
  std::vector<std::string> products;
  double evidence = 0;
  for (std::size_t label = 0; label < class_count(); ++label) {
    const std::string& name = signature.classes[label];
    Step step = class_step(*this, reader.factors, name, label);
    last.values["likelihoods"][name] = step.values.at("likelihood");
    last.values["log_likelihoods"][name] = step.values.at("log_likelihood");
    last.values["probabilities"][name] = shares[label];
    const double product = step.values.at("likelihood").as_number();
    evidence += product;
    if (label < kShownClasses) {
      const double log_product = step.values.at("log_likelihood").as_number();
      products.push_back(product > 0 ? factor_text(product)
                                     : fmt::format("e^({})", factor_text(log_product)));
    }
    trace.add(std::move(step));
  }
  last.values["evidence"] = evidence;
  last.formula = posterior_formula(products, shares, signature.classes);
  const auto best =
      static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  last.values["prediction"] = signature.classes[best];
  last.text = fmt::format("The most probable class is {}.", signature.classes[best]);
  if (!reader.left_out.empty()) {
    last.text +=
        fmt::format(" Missing, and left out of every product: {}.", join(reader.left_out, ", "));
  }
  trace.add(std::move(last));
}

}  // namespace gradus
