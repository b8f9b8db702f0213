#include "gradus/evaluate/hypotheses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

double share(const ErrorCount& count) { return count.errors / count.n; }

void conclude(HypothesisComparison& out, double level) {
  const double first = share(out.first);
  const double second = share(out.second);
  const std::string figures =
      fmt::format("error {} against {}", readable(first, 4), readable(second, 4));
  if (!out.test.undefined.empty()) {
    out.conclusion = fmt::format("There is nothing to tell the models apart: {} ({}).", figures,
                                 out.test.undefined);
    return;
  }
  const std::string sure = fmt::format("{}, p = {}", out.test.name, readable(out.test.p, 3));
  std::string interval;
  if (out.test.interval) {
    interval = fmt::format("; the difference is {} to {} with confidence {}",
                           readable(out.test.interval->low, 3),
                           readable(out.test.interval->high, 3), readable(level, 3));
  }
  out.conclusion =
      out.test.p < 1 - level
          ? fmt::format("The {} model is better: {} ({}{}).", first < second ? "first" : "second",
                        figures, sure, interval)
          : fmt::format("The models cannot be told apart: {} ({}{}).", figures, sure, interval);
}

}  // namespace

std::vector<bool> wrong_rows(const AnyModel& model, const Dataset& data,
                             const EvaluateOptions& options, const Context& context) {
  const Signature& signature = model.signature();
  if (signature.task != Task::classify) {
    throw Error(ErrorKind::usage, "--against", "models are compared by the classes they give wrong",
                "compare learners of numbers on folds: gradus compare");
  }
  const Column actual = as_nominal(data.column(signature.outputs.front()));
  const Predictions predictions = model.predict(data, context, options.predict);
  const std::vector<std::int32_t> said = decide(predictions, decision_of(options));
  std::vector<bool> out(data.rows());
  for (std::size_t row = 0; row < out.size(); ++row) {
    if (actual.code(row) == kMissingCode) {
      throw Error(ErrorKind::bad_data, "column " + in_quotes(actual.name()),
                  fmt::format("the target is missing in row {}", row + 1));
    }
    const std::string& truth = actual.levels()[static_cast<std::size_t>(actual.code(row))];
    out[row] = predictions.classes[static_cast<std::size_t>(said[row])] != truth;
  }
  return out;
}

ErrorCount errors_in(const std::vector<bool>& wrong) {
  return {.errors = static_cast<double>(std::count(wrong.begin(), wrong.end(), true)),
          .n = static_cast<double>(wrong.size())};
}

HypothesisComparison compare_hypotheses(const std::vector<bool>& first_wrong,
                                        const std::vector<bool>& second_wrong, double level) {
  GRADUS_ASSERT(first_wrong.size() == second_wrong.size() && !first_wrong.empty());
  HypothesisComparison out{.first = errors_in(first_wrong), .second = errors_in(second_wrong)};
  double b = 0;
  double c = 0;
  for (std::size_t row = 0; row < first_wrong.size(); ++row) {
    if (first_wrong[row] == second_wrong[row]) continue;
    (first_wrong[row] ? b : c) += 1;
  }
  out.test = mcnemar({.only_first = c, .only_second = b});
  const double n = out.first.n;
  const double difference = (b - c) / n;
  const double width = normal_z(level) * std::sqrt(b + c - (b - c) * (b - c) / n) / n;
  out.test.interval =
      Interval{std::max(-1.0, difference - width), std::min(1.0, difference + width)};
  conclude(out, level);
  return out;
}

HypothesisComparison compare_independent(const ErrorCount& first, const ErrorCount& second,
                                         double level) {
  HypothesisComparison out{
      .first = first, .second = second, .test = two_proportions(first, second, level)};
  conclude(out, level);
  return out;
}

Value to_value(const HypothesisComparison& comparison) {
  Value out = object({{"error", share(comparison.first)},
                      {"other_error", share(comparison.second)},
                      {"difference", share(comparison.first) - share(comparison.second)}});
  const Value test = to_value(comparison.test);
  for (const auto& [name, value] : test.as_object()) out[name] = value;
  out["conclusion"] = comparison.conclusion;
  return out;
}

}  // namespace gradus
