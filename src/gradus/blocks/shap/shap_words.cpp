#include "gradus/blocks/shap/shap_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/shap/branch_shap.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// What still fits on a page.
constexpr std::size_t kToldFeatures = 8;
constexpr std::size_t kMostPairFeatures = 64;
constexpr std::size_t kToldPairs = 10;
constexpr int kDigits = 4;

// Multiplications that a reader would wait for.
constexpr double kMostWork = 3e9;

struct Pair {
  std::size_t a = 0;
  std::size_t b = 0;
  double value = 0;
};

// Features by the size of what they add, those that add nothing left out.
std::vector<std::size_t> by_size(std::span<const double> phi) {
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < phi.size(); ++j) {
    if (phi[j] != 0) order.push_back(j);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(phi[a]) > std::abs(phi[b]);
  });
  return order;
}

std::string sum_formula(const std::string& score, std::span<const double> phi, double mean,
                        const Signature& signature) {
  const std::vector<std::size_t> order = by_size(phi);
  std::string out = fmt::format("{} = {} (mean)", score, readable(mean, kDigits));
  double rest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i >= kToldFeatures) {
      rest += phi[order[i]];
      continue;
    }
    const double x = phi[order[i]];
    out += fmt::format(" {} {} ({})", x < 0 ? "−" : "+", readable(std::abs(x), kDigits),
                       signature.features[order[i]].name);
  }
  if (order.size() > kToldFeatures) {
    out += fmt::format(" {} {} ({} more)", rest < 0 ? "−" : "+", readable(std::abs(rest), kDigits),
                       order.size() - kToldFeatures);
  }
  const double sum = std::accumulate(phi.begin(), phi.end(), mean);
  return out + " = " + readable(sum, kDigits);
}

Value pairs_value(const SplitAnswer& answer, const Signature& signature, const ShapTold& told) {
  const std::size_t features = signature.features.size();
  const std::size_t outputs = told.scores.size();
  std::vector<double> phi(outputs * features * features, 0.0);
  answer.add_pairs(phi.data());
  Value out = object();
  for (std::size_t k = 0; k < outputs; ++k) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < features; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double both = 2 * phi[(k * features + i) * features + j] / told.divisor;
        if (both != 0) pairs.push_back({j, i, both});
      }
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
      return std::abs(a.value) > std::abs(b.value);
    });
    pairs.resize(std::min(pairs.size(), kToldPairs));
    Value& list = out[told.scores[k]] = Value::Array{};
    for (const Pair& pair : pairs) {
      list.push_back(
          object({{"features", Value(std::vector<std::string>{signature.features[pair.a].name,
                                                              signature.features[pair.b].name})},
                  {"value", pair.value}}));
    }
  }
  return out;
}

}  // namespace

void tell_contributions(const SplitAnswer& answer, const Signature& signature, const ShapTold& told,
                        Trace& trace) {
  if (answer.work.values > kMostWork || !trace.wants_more()) return;
  const std::size_t features = signature.features.size();
  const std::size_t outputs = told.scores.size();
  std::vector<double> phi(outputs * (features + 1), 0.0);
  answer.add_values(phi.data());
  for (double& x : phi) x /= told.divisor;
  Step step{.title = "What each feature adds", .path = "contributions"};
  step.values = object({{"mean", object()}, {"contributions", object()}});
  std::vector<std::string> formulas;
  for (std::size_t k = 0; k < outputs; ++k) {
    const std::span<const double> mine(phi.data() + k * (features + 1), features);
    const double mean =
        phi[k * (features + 1) + features] + (told.start.empty() ? 0 : told.start[k]);
    step.values["mean"][told.scores[k]] = mean;
    Value& list = step.values["contributions"][told.scores[k]] = object();
    for (std::size_t j = 0; j < features; ++j) list[signature.features[j].name] = mine[j];
    formulas.push_back(sum_formula(told.scores[k], mine, mean, signature));
  }
  if (features <= kMostPairFeatures && answer.work.pairs <= kMostWork) {
    step.values["interactions"] = pairs_value(answer, signature, told);
  }
  step.formula = join(formulas, "; ");
  step.text =
      "Exact Shapley values: the mean answer of the training rows, and what knowing each feature "
      "of this row adds to it, averaged over all orders in which the features could become known.";
  trace.add(std::move(step));
}

void tell_contributions(const CoveredTrees& model, std::span<const double> row,
                        const Signature& signature, const ShapTold& told, Trace& trace) {
  const std::size_t outputs = told.scores.size();
  const RowBlock one{row.data(), 1, row.size()};
  const SplitAnswer answer{
      .work = split_work(model.trees),
      .add_values = [&](double* phi) { add_contributions(model, one, outputs, phi); },
      .add_pairs = [&](double* phi) { add_interactions(model, one, outputs, phi); }};
  tell_contributions(answer, signature, told, trace);
}

void tell_contributions(const BranchTree& tree, std::span<const double> row,
                        const Signature& signature, Trace& trace) {
  const RowBlock one{row.data(), 1, row.size()};
  const SplitAnswer answer{
      .work = split_work(tree),
      .add_values = [&](double* phi) { add_branch_contributions(tree, one, phi); },
      .add_pairs = [&](double* phi) { add_branch_interactions(tree, one, phi); }};
  tell_contributions(answer, signature, {.scores = signature.classes}, trace);
}

}  // namespace gradus
