#include "gradus/api/fit_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/version.hpp"

namespace gradus {
namespace {

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

const Column& named_column(const Dataset& data, const std::string& name, const char* option) {
  const Column* found = data.find(name);
  if (found != nullptr) return *found;
  try {
    return data.column(name);
  } catch (const Error& error) {
    throw Error(error.kind(), option, error.message(), error.hint());
  }
}

std::vector<std::string> chosen_features(const Dataset& data, const FitOptions& options) {
  for (const std::string& name : options.ignore) named_column(data, name, "--ignore");
  std::vector<std::string> chosen;
  const std::vector<std::string>& wanted =
      options.features.empty() ? data.names() : options.features;
  for (const std::string& name : wanted) {
    if (!options.features.empty() && is_among(options.target, name)) {
      throw Error(ErrorKind::usage, "--features",
                  fmt::format("{} is the target and cannot be a feature too", in_quotes(name)));
    }
    const bool other =
        is_among(options.target, name) || is_among(options.ignore, name) || name == options.weights;
    if (!other) chosen.push_back(named_column(data, name, "--features").name());
  }
  return chosen;
}

std::vector<double> weight_column(const Dataset& data, const FitOptions& options) {
  std::vector<double> weights(data.weights().begin(), data.weights().end());
  if (options.weights.empty()) return weights;
  if (is_among(options.target, options.weights) || is_among(options.features, options.weights)) {
    throw Error(
        ErrorKind::usage, "--weights",
        fmt::format("{} is {} and cannot hold the weights too", in_quotes(options.weights),
                    is_among(options.target, options.weights) ? "the target" : "a feature"));
  }
  const Column& column = named_column(data, options.weights, "--weights");
  if (!column.is_numeric()) {
    throw Error(ErrorKind::usage, "--weights",
                fmt::format("{} is not numeric", in_quotes(column.name())));
  }
  weights.resize(data.rows());
  for (std::size_t row = 0; row < data.rows(); ++row) weights[row] = column.number(row);
  check_weights(weights, data.rows());
  return weights;
}

void refuse_infinite(const Dataset& data, const Survey& facts,
                     const std::vector<std::string>& columns) {
  for (std::size_t j = 0; j < data.columns().size(); ++j) {
    const Column& column = data.columns()[j];
    if (facts.columns[j].infinite == 0 || !is_among(columns, column.name())) continue;
    std::size_t row = 0;
    while (!std::isinf(column.number(row))) ++row;
    throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
                fmt::format("row {} is infinite (inf)", row + 1), "remove it or mark it missing");
  }
}

std::vector<double> queries_of(const AnyLearner& learner, const Dataset& data) {
  const std::string query = learner.entry().query_of(learner.address());
  const Column* column = query.empty() ? nullptr : data.find(query);
  if (column == nullptr) return {};
  const Column codes = column->is_numeric() ? *column : as_nominal(*column);
  std::vector<double> out(data.rows(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < out.size(); ++row) {
    if (codes.missing(row)) continue;
    out[row] = codes.is_numeric() ? codes.number(row) : static_cast<double>(codes.code(row));
  }
  return out;
}

Provenance provenance_of(const Dataset& data, const std::string& fingerprint,
                         const PartialWork* work) {
  Provenance out{kVersion, fingerprint, static_cast<std::int64_t>(data.rows())};
  if (work == nullptr) return out;
  const PartialWork::End end = work->end();
  out.unfinished = {end.unit, static_cast<std::int64_t>(end.done),
                    static_cast<std::int64_t>(end.planned)};
  return out;
}

void require_hands_out(const Info& info, const FitOptions& options) {
  if (!options.keep_partial || info.gives.has(Give::partial)) return;
  throw Error(ErrorKind::usage, "--keep-partial",
              fmt::format("{} has nothing to hand out before its fit is over", info.name),
              those_that_can([](const Entry& one) { return one.info.gives.has(Give::partial); }));
}

void require_weights_accepted(const Info& info, const std::vector<double>& weights) {
  if (weights.empty() || info.accepts.has(Accept::weights)) return;
  throw Error(ErrorKind::usage, "--weights", fmt::format("{} cannot use row weights", info.name));
}

std::string those_that_can(const std::function<bool(const Entry&)>& can) {
  std::vector<std::string> able;
  for (const Entry* one : catalogue()) {
    if (can(*one)) able.emplace_back(one->info.name);
  }
  return "those that can: " + join(able, ", ");
}

}  // namespace gradus
