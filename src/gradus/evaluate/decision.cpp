#include "gradus/evaluate/decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/core/name_list.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

std::size_t index_of(const std::vector<std::string>& labels, std::string_view label) {
  return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

// `actual:predicted` as indices of labels; a colon inside a label is no problem.
std::pair<std::size_t, std::size_t> cost_cell(const std::string& pair,
                                              const std::vector<std::string>& labels) {
  for (std::size_t colon = pair.find(':'); colon != std::string::npos;
       colon = pair.find(':', colon + 1)) {
    const std::size_t actual = index_of(labels, std::string_view(pair).substr(0, colon));
    const std::size_t predicted = index_of(labels, std::string_view(pair).substr(colon + 1));
    if (actual < labels.size() && predicted < labels.size()) return {actual, predicted};
  }
  throw Error(ErrorKind::usage, "--costs",
              fmt::format("{} names no pair of classes", in_quotes(pair)),
              fmt::format("write ACTUAL:PREDICTED=COST with the classes {}", join(labels, ", ")));
}

std::size_t cheapest(std::span<const double> probabilities,
                     const std::vector<std::vector<double>>& costs) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < probabilities.size(); ++p) {
    double expected = 0;
    for (std::size_t a = 0; a < probabilities.size(); ++a) {
      expected += probabilities[a] * costs[a][p];
    }
    if (expected < least) {
      least = expected;
      best = p;
    }
  }
  return best;
}

std::size_t from_threshold(std::span<const double> probabilities, std::size_t positive,
                           double threshold) {
  if (probabilities[positive] >= threshold || probabilities.size() == 1) return positive;
  std::size_t best = positive == 0 ? 1 : 0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    if (k != positive && probabilities[k] > probabilities[best]) best = k;
  }
  return best;
}

void require_probabilities(const Predictions& predictions, const char* option) {
  if (predictions.task != Task::classify) {
    throw Error(ErrorKind::usage, option,
                fmt::format("only classes are decided by probabilities, and this is {}",
                            task_word(predictions.task)));
  }
  if (predictions.probabilities) return;
  throw Error(ErrorKind::usage, option, "the model gives no probabilities of classes",
              "calibrate it: gradus calibrate MODEL --data HELD_OUT --model OUT");
}

}  // namespace

std::vector<std::vector<double>> cost_matrix(
    const std::vector<std::pair<std::string, double>>& costs,
    const std::vector<std::string>& labels) {
  if (costs.empty()) return {};
  std::vector<std::vector<double>> out(labels.size(), std::vector<double>(labels.size(), 1.0));
  for (std::size_t k = 0; k < labels.size(); ++k) out[k][k] = 0;
  for (const auto& [pair, cost] : costs) {
    const auto [actual, predicted] = cost_cell(pair, labels);
    out[actual][predicted] = cost;
  }
  return out;
}

std::vector<std::int32_t> decide(const Predictions& predictions, const DecisionRule& rule) {
  std::vector<std::int32_t> out(predictions.rows);
  const auto fill = [&](const auto& choose) {
    for (std::size_t row = 0; row < out.size(); ++row) {
      out[row] = static_cast<std::int32_t>(choose(row));
    }
  };
  if (!rule.costs.empty()) {
    require_probabilities(predictions, "--costs");
    const auto costs = cost_matrix(rule.costs, predictions.classes);
    fill([&](std::size_t row) { return cheapest(predictions.row(row), costs); });
  } else if (!rule.positive.empty()) {
    require_probabilities(predictions, "--threshold");
    const std::size_t positive = index_of(predictions.classes, rule.positive);
    if (positive == predictions.classes.size()) {
      throw Error(ErrorKind::usage, "--threshold",
                  fmt::format("there is no class {}: the classes are {}", in_quotes(rule.positive),
                              name_list(predictions.classes)),
                  did_you_mean(rule.positive, predictions.classes));
    }
    fill([&](std::size_t row) {
      return from_threshold(predictions.row(row), positive, rule.threshold);
    });
  } else {
    fill([&](std::size_t row) { return predictions.label(row); });
  }
  return out;
}

}  // namespace gradus
