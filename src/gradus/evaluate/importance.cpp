#include "gradus/evaluate/importance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::uint32_t kShufflePurpose = 0x7065726d;

// Rows whose contributions are held at a time.
constexpr std::size_t kRowsAtOnce = 4096;

double score_of(const AnyModel& model, const Dataset& data, const MetricInfo& metric,
                const Context& context) {
  EvaluateOptions options;
  options.depth = metric.name == "auc_hand_till" ? Depth::thorough : Depth::quick;
  options.predict.extra = Extra::ignore;
  const Predictions predictions = model.predict(data, context, options.predict);
  const Value scores = evaluate_predictions(model, data, predictions, options, context);
  const std::optional<double> value = metric_value(scores, metric);
  if (value) return *value;
  throw Error(ErrorKind::bad_data, "", fmt::format("{} is undefined on these rows", metric.words),
              "choose another --metric");
}

std::vector<std::size_t> shuffled(std::size_t rows, Seed seed, std::uint64_t item) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Stream stream(seed, item, kShufflePurpose);
  stream.shuffle(std::span<std::size_t>(order));
  return order;
}

void summarise(ColumnImportance& column) {
  const auto n = static_cast<double>(column.drops.size());
  column.mean = std::accumulate(column.drops.begin(), column.drops.end(), 0.0) / n;
  if (column.drops.size() < 2) return;
  double squares = 0;
  for (const double drop : column.drops) squares += (drop - column.mean) * (drop - column.mean);
  column.deviation = std::sqrt(squares / (n - 1));
}

void largest_first(std::vector<ColumnImportance>& columns) {
  std::stable_sort(
      columns.begin(), columns.end(),
      [](const ColumnImportance& a, const ColumnImportance& b) { return a.mean > b.mean; });
}

}  // namespace

Importance permutation_importance(const AnyModel& model, const Dataset& data,
                                  const ImportanceOptions& options, const Context& context) {
  if (data.sparse()) {
    throw Error(ErrorKind::usage, "--data", "the columns of a sparse table are not shuffled",
                "use --method contributions, or a dense table");
  }
  const bool ranks = options.metric.empty() && !model.query().empty();
  const MetricInfo& metric = find_metric(ranks ? "ndcg" : options.metric, model.signature().task);
  Importance out{.method = "permutation", .metric = std::string(metric.name), .rows = data.rows()};
  out.score = score_of(model, data, metric, context);
  // Nothing is learned from the column of the queries, and it must go on telling them apart.
  std::vector<SourceColumn> sources = model.preparation().sources;
  std::erase_if(sources, [query = model.query()](const SourceColumn& source) {
    return source.name == query;
  });
  const double sign = metric.better == Better::higher ? 1 : -1;
  const std::vector<double> drops =
      parallel::map_slots<double>(context, sources.size() * options.repeats, [&](std::size_t item) {
        const Column& column = data.column(sources[item / options.repeats].name);
        const std::vector<std::size_t> order = shuffled(data.rows(), options.seed, item);
        const Dataset changed = data.with_column(column.take(order));
        return sign * (out.score - score_of(model, changed, metric, context));
      });
  for (std::size_t j = 0; j < sources.size(); ++j) {
    ColumnImportance column{.column = sources[j].name};
    const auto first = drops.begin() + static_cast<std::ptrdiff_t>(j * options.repeats);
    column.drops.assign(first, first + static_cast<std::ptrdiff_t>(options.repeats));
    summarise(column);
    out.columns.push_back(std::move(column));
  }
  largest_first(out.columns);
  return out;
}

Importance contribution_importance(const AnyModel& model, const Dataset& data,
                                   const Context& context) {
  Importance out{.method = "contributions", .rows = data.rows()};
  std::vector<double> sums;
  std::vector<std::string> names;
  std::vector<std::size_t> rows;
  for (std::size_t begin = 0; begin < data.rows(); begin += kRowsAtOnce) {
    rows.resize(std::min(kRowsAtOnce, data.rows() - begin));
    std::iota(rows.begin(), rows.end(), begin);
    const Contributions part =
        model.contributions(data.take(rows), context, {.extra = Extra::ignore});
    names = part.features;
    sums.resize(names.size(), 0.0);
    for (std::size_t at = 0; at < part.rows * part.scores; ++at) {
      for (std::size_t j = 0; j < names.size(); ++j) {
        sums[j] +=
            std::abs(part.values[at * (names.size() + 1) + j]) / static_cast<double>(part.scores);
      }
    }
  }
  for (std::size_t j = 0; j < names.size(); ++j) {
    const double mean = sums[j] / static_cast<double>(data.rows());
    out.columns.push_back({.column = names[j], .mean = mean});
  }
  largest_first(out.columns);
  return out;
}

Importance tree_importance(const AnyModel& model, TreeUse use) {
  const bool gains = use == TreeUse::gain;
  const std::optional<FeatureUse> known = model.core().feature_use(model.signature());
  if (!known || (gains && known->gains.empty())) {
    throw Error(ErrorKind::usage, "--method",
                fmt::format("{} {}", model.info().name,
                            known ? "does not know what its splits gained"
                                  : "keeps no trees whose splits could be counted by column"),
                known ? "count the splits with method=split, or shuffle columns with "
                        "method=permutation"
                      : "any model can be asked with method=permutation");
  }
  Importance out{.method = gains ? "gain" : "split"};
  const std::vector<double>& numbers = gains ? known->gains : known->splits;
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    out.columns.push_back({.column = model.signature().features[j].name, .mean = numbers[j]});
  }
  largest_first(out.columns);
  return out;
}

Value to_value(const Importance& importance) {
  Value out = object({{"method", importance.method}, {"rows", importance.rows}});
  if (!importance.metric.empty()) {
    out["metric"] = importance.metric;
    out["score"] = importance.score;
  }
  Value& columns = out["columns"] = Value::Array{};
  for (const ColumnImportance& column : importance.columns) {
    Value one = object({{"column", column.column}, {"importance", column.mean}});
    if (!column.drops.empty()) {
      one["deviation"] = column.deviation;
      one["drops"] = Value(column.drops);
    }
    columns.push_back(std::move(one));
  }
  return out;
}

}  // namespace gradus
