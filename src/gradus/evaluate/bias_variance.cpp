#include "gradus/evaluate/bias_variance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/fold_run.hpp"
#include "gradus/evaluate/row_weight.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr double kMostExact = 20000;  // training sets that are enumerated

double weight_of(std::span<const double> weights, std::size_t i, std::size_t count) {
  return weights.empty() ? 1.0 / static_cast<double>(count) : weights[i];
}

// Means of the targets over rows with the same features.
std::vector<double> group_means(const AnswersOfModels& in, const std::vector<double>& row_shares) {
  const std::size_t rows = row_shares.size();
  const std::size_t count = *std::max_element(in.groups.begin(), in.groups.end()) + 1;
  std::vector<double> sums(count * in.width, 0.0);
  std::vector<double> totals(count, 0.0);
  for (std::size_t row = 0; row < rows; ++row) {
    totals[in.groups[row]] += row_shares[row];
    for (std::size_t k = 0; k < in.width; ++k) {
      sums[in.groups[row] * in.width + k] += row_shares[row] * in.targets[row * in.width + k];
    }
  }
  std::vector<double> out(rows * in.width);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < in.width; ++k) {
      out[row * in.width + k] = sums[in.groups[row] * in.width + k] / totals[in.groups[row]];
    }
  }
  return out;
}

struct Sets {
  std::vector<std::vector<std::size_t>> train;
  std::vector<std::size_t> test;
};

// Every sequence of `length` of the rows, in the order of counting.
std::vector<std::vector<std::size_t>> all_sequences(std::size_t rows, std::size_t length) {
  const double count = std::pow(static_cast<double>(rows), static_cast<double>(length));
  if (length == 0 || count > kMostExact) {
    throw Error(ErrorKind::usage, "--sample-rows",
                fmt::format("there are {}^{} training sets, at most {} can be tried", rows, length,
                            static_cast<std::size_t>(kMostExact)),
                "use fewer --sample-rows, or leave --exact out");
  }
  std::vector<std::vector<std::size_t>> out = {{}};
  for (std::size_t at = 0; at < length; ++at) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& begin : out) {
      for (std::size_t row = 0; row < rows; ++row) {
        longer.push_back(begin);
        longer.back().push_back(row);
      }
    }
    out = std::move(longer);
  }
  return out;
}

Sets make_sets(const Dataset& data, const BiasVarianceOptions& options, const TargetData& target) {
  Sets out;
  if (options.exact) {
    out.train = all_sequences(data.rows(), options.sample_rows);
    out.test.resize(data.rows());
    std::iota(out.test.begin(), out.test.end(), std::size_t{0});
    return out;
  }
  if (options.samples < 2) {
    throw Error(ErrorKind::usage, "--samples", "variance needs at least 2 training sets");
  }
  FoldOptions how{.scheme = FoldScheme::holdout, .test = options.test, .seed = options.seed};
  if (target.task == Task::classify) how.column = options.validate.fit.target.front();
  const Folds folds = make_folds(data, how);
  const std::vector<std::size_t> pool = folds.train(0);
  out.test = folds.test(0);
  const std::size_t length = options.sample_rows == 0 ? pool.size() : options.sample_rows;
  for (std::size_t i = 0; i < options.samples; ++i) {
    Stream stream(options.seed, i, 9);
    std::vector<std::size_t> rows(length);
    for (std::size_t& row : rows) row = pool[stream.below(pool.size())];
    out.train.push_back(std::move(rows));
  }
  return out;
}

// The columns that the learner reads.
std::vector<std::string> feature_names(const Dataset& data, const FitOptions& fit) {
  if (!fit.features.empty()) return fit.features;
  std::vector<std::string> out;
  for (const std::string& name : data.names()) {
    const auto in = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    if (!in(fit.target) && !in(fit.ignore) && name != fit.weights) out.push_back(name);
  }
  return out;
}

// Rows with the same features have the same number; sparse rows are all taken for different.
std::vector<std::size_t> groups_of(const Dataset& rows, const FitOptions& fit) {
  std::vector<std::size_t> out(rows.rows());
  std::iota(out.begin(), out.end(), std::size_t{0});
  if (rows.sparse()) return out;
  std::map<std::string, std::size_t> known;
  const std::vector<std::string> names = feature_names(rows, fit);
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    std::string key;
    for (const std::string& name : names) {
      const Column& column = rows.column(name);
      key += (column.missing(row) ? std::string("?") : "=" + column.cell(row)) + "\n";
    }
    out[row] = known.emplace(std::move(key), known.size()).first->second;
  }
  return out;
}

std::size_t doubles_in(const std::vector<std::size_t>& groups) {
  std::map<std::size_t, std::size_t> sizes;
  for (const std::size_t group : groups) ++sizes[group];
  std::size_t out = 0;
  for (const auto& [group, size] : sizes) out += size > 1 ? size : 0;
  return out;
}

// What is compared: numbers, the probability of the second of two classes, or of every class.
std::vector<double> compared(const std::vector<double>& values, std::size_t classes) {
  if (classes != 2) return values;
  std::vector<double> out(values.size() / 2);
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = values[2 * row + 1];
  return out;
}

std::vector<double> targets_of(const TargetData& target, const std::vector<std::size_t>& rows) {
  std::vector<double> out;
  if (target.task == Task::regress) {
    const std::size_t width = target.outputs.size();
    for (const std::size_t row : rows) {
      for (std::size_t k = 0; k < width; ++k) out.push_back(target.numbers[row * width + k]);
    }
    return out;
  }
  for (const std::size_t row : rows) {
    for (std::size_t k = 0; k < target.classes.size(); ++k) {
      out.push_back(target.codes[row] == static_cast<std::int32_t>(k) ? 1 : 0);
    }
  }
  return out;
}

ZeroOne zero_one_of(const std::vector<std::vector<std::int32_t>>& labels, const TargetData& target,
                    const std::vector<std::size_t>& rows) {
  ZeroOne out;
  const double share = 1.0 / static_cast<double>(rows.size());
  for (std::size_t at = 0; at < rows.size(); ++at) {
    std::vector<double> votes(target.classes.size(), 0.0);
    const auto actual = static_cast<std::size_t>(target.codes[rows[at]]);
    for (const auto& own : labels) ++votes[static_cast<std::size_t>(own[at])];
    const auto main =
        static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
    out.bias += main == actual ? 0 : share;
    out.expected_error += share * (1 - votes[actual] / static_cast<double>(labels.size()));
  }
  out.variance = out.expected_error - out.bias;
  return out;
}

std::string words_of(const BiasVariance& out) {
  const Decomposition& d = out.squared;
  const auto share = [&](double part) {
    return d.expected_error > 0 ? fmt::format("{:.0f} %", 100 * part / d.expected_error) : "0 %";
  };
  const bool seen = out.doubles > 0;
  std::string text = fmt::format("Of the expected squared error {}, {} is variance, {} bias{}{}.",
                                 readable(d.expected_error, 4), share(d.variance), share(d.bias2),
                                 seen ? "" : " with the noise in it",
                                 seen ? fmt::format(" and {} noise", share(d.noise)) : "");
  if (d.variance > d.bias2) {
    text += " The spread between training sets weighs most: more rows, a simpler model or bagging.";
  } else if (d.bias2 >= d.noise) {
    text += seen ? " The systematic error weighs most: a richer model, more features or boosting."
                 : " What does not spread weighs most: a richer model, more features or boosting, "
                   "as far as it is not noise.";
  } else {
    text += " Noise weighs most: no learner can do much better with these features.";
  }
  return text;
}

}  // namespace

Decomposition decompose(const AnswersOfModels& in) {
  GRADUS_ASSERT(!in.answers.empty() && in.width > 0 && !in.groups.empty());
  const std::size_t rows = in.groups.size();
  std::vector<double> row_shares(rows);
  double total = 0;
  for (std::size_t row = 0; row < rows; ++row) total += row_weight(in.row_weights, row);
  for (std::size_t row = 0; row < rows; ++row) {
    row_shares[row] = row_weight(in.row_weights, row) / total;
  }
  const std::vector<double> expected = group_means(in, row_shares);
  Decomposition out;
  for (std::size_t at = 0; at < rows * in.width; ++at) {
    const double share = row_shares[at / in.width];
    double mean = 0;
    for (std::size_t m = 0; m < in.answers.size(); ++m) {
      mean += weight_of(in.model_weights, m, in.answers.size()) * in.answers[m][at];
    }
    for (std::size_t m = 0; m < in.answers.size(); ++m) {
      const double part = share * weight_of(in.model_weights, m, in.answers.size());
      const double answer = in.answers[m][at];
      out.variance += part * (answer - mean) * (answer - mean);
      out.expected_error += part * (answer - in.targets[at]) * (answer - in.targets[at]);
    }
    out.bias2 += share * (mean - expected[at]) * (mean - expected[at]);
    out.noise += share * (expected[at] - in.targets[at]) * (expected[at] - in.targets[at]);
  }
  return out;
}

BiasVariance bias_variance(const AnyLearner& learner, const Dataset& table,
                           const BiasVarianceOptions& options, const Context& context) {
  ValidateOptions validate = options.validate;
  const Dataset data = weighted_rows(table, validate.fit);
  const TargetData target = read_target(
      learner.info(), data, {validate.fit.target, validate.fit.classes, validate.fit.task});
  if (target.task == Task::cluster) {
    throw Error(ErrorKind::usage, "--task", "bias and variance need a target",
                "name the column with --target");
  }
  if (target.task == Task::classify && !learner.info().gives.has(Give::probabilities)) {
    throw Error(ErrorKind::usage, "",
                fmt::format("{} gives no probabilities to decompose", learner.info().name));
  }
  // A training set may lack a class; the models still answer for all of them.
  validate.fit.classes = target.classes;
  const MetricInfo metric = find_metric(validate.metric, target.task);
  const Sets sets = make_sets(data, options, target);
  const auto test = std::make_shared<const FoldTable>(FoldTable{data, data.take(sets.test)});
  std::vector<std::vector<double>> answers(sets.train.size());
  std::vector<std::vector<std::int32_t>> labels(sets.train.size());
  FoldProgress progress(context, "bias and variance", sets.train.size());
  const Context inner = silent(context);
  parallel::for_each_index(context, sets.train.size(), [&](std::size_t i) {
    FoldResult result =
        run_fold({learner, test, validate, target.classes, metric, &sets.train[i]}, inner);
    answers[i] = compared(result.numbers, target.classes.size());
    labels[i] = std::move(result.labels);
    progress.one_more();
  });
  const std::vector<std::size_t> groups = groups_of(test->test, validate.fit);
  const std::vector<double> targets =
      compared(targets_of(target, sets.test), target.classes.size());
  BiasVariance out{.learner = std::string(learner.info().name), .task = target.task};
  out.squared = decompose({.answers = answers,
                           .targets = targets,
                           .groups = groups,
                           .width = targets.size() / sets.test.size(),
                           .row_weights = test->test.weights()});
  if (target.task == Task::classify) out.zero_one = zero_one_of(labels, target, sets.test);
  out.samples = sets.train.size();
  out.sample_rows = sets.train.front().size();
  out.examined = sets.test.size();
  out.doubles = doubles_in(groups);
  out.words = words_of(out);
  return out;
}

Value to_value(const BiasVariance& result) {
  Value out = object({{"kind", "bias-variance"},
                      {"learner", result.learner},
                      {"task", task_word(result.task)},
                      {"samples", Value(result.samples)},
                      {"sample_rows", Value(result.sample_rows)},
                      {"examined_rows", Value(result.examined)},
                      {"rows_with_doubles", Value(result.doubles)}});
  out["squared"] = object({{"expected_error", result.squared.expected_error},
                           {"variance", result.squared.variance},
                           {"bias2", result.squared.bias2},
                           {"noise", result.squared.noise}});
  if (result.zero_one) {
    out["zero_one"] = object({{"expected_error", result.zero_one->expected_error},
                              {"bias", result.zero_one->bias},
                              {"variance", result.zero_one->variance}});
  }
  out["words"] = result.words;
  return out;
}

}  // namespace gradus
