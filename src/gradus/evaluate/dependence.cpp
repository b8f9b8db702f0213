#include "gradus/evaluate/dependence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/quantile/quantile.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::uint32_t kRowsPurpose = 0x64657065;

std::vector<std::size_t> asked_rows(std::size_t rows, const DependenceOptions& options) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options.most_rows == 0 || rows <= options.most_rows) return order;
  Stream stream(options.seed, 0, kRowsPurpose);
  stream.shuffle(std::span<std::size_t>(order));
  order.resize(options.most_rows);
  std::sort(order.begin(), order.end());
  return order;
}

// All values when there are few; else quantiles, so that the grid is dense where the rows are.
std::vector<double> grid_of(const Column& column, std::size_t points) {
  std::vector<double> values;
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (std::isfinite(column.number(row))) values.push_back(column.number(row));
  }
  std::vector<double> distinct = values;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() <= points) return distinct;
  std::vector<double> grid;
  for (std::size_t i = 0; i < points; ++i) {
    const double q = static_cast<double>(i) / static_cast<double>(points - 1);
    grid.push_back(quantile(values, q));
  }
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  return grid;
}

// The levels that occur, as a column of codes would name them.
std::vector<std::int32_t> codes_that_occur(const Column& column) {
  std::vector<bool> seen(column.levels().size(), false);
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (!column.missing(row)) seen[static_cast<std::size_t>(column.code(row))] = true;
  }
  std::vector<std::int32_t> codes;
  for (std::size_t code = 0; code < seen.size(); ++code) {
    if (seen[code]) codes.push_back(static_cast<std::int32_t>(code));
  }
  return codes;
}

Column constant(const Column& like, double number, std::int32_t code, std::size_t rows) {
  if (like.is_numeric()) return Column::numeric(like.name(), std::vector<double>(rows, number));
  std::vector<std::int32_t> codes(rows, code);
  if (like.kind() == ColumnKind::ordinal) {
    return Column::ordinal(like.name(), std::move(codes), like.levels());
  }
  return Column::nominal(like.name(), std::move(codes), like.levels());
}

const Column& source_column(const AnyModel& model, const Dataset& data, std::string_view name) {
  std::vector<std::string> names;
  for (const SourceColumn& source : model.preparation().sources) {
    if (source.name == name) return data.column(name);
    names.push_back(source.name);
  }
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = "it learns from " + join(names, ", ");
  throw Error(ErrorKind::usage, "--columns",
              fmt::format("the model does not learn from {}", in_quotes(name)), hint);
}

}  // namespace

double Dependence::range() const {
  double widest = 0;
  for (const std::vector<double>& line : mean) {
    if (line.empty()) continue;
    const auto [low, high] = std::minmax_element(line.begin(), line.end());
    widest = std::max(widest, *high - *low);
  }
  return widest;
}

Dependence partial_dependence(const AnyModel& model, const Dataset& data, std::string_view name,
                              const DependenceOptions& options, const Context& context) {
  if (data.rows() == 0) throw Error(ErrorKind::bad_data, "", "there are 0 rows to ask about");
  if (model.signature().task == Task::cluster) {
    throw Error(ErrorKind::usage, "", "clusters are no number that could depend on a column");
  }
  const Column& column = source_column(model, data, name);
  if (!column.is_numeric() && !column.is_categorical()) {
    throw Error(ErrorKind::usage, "--columns", fmt::format("{} is text", in_quotes(name)));
  }
  Dependence out{.column = std::string(name)};
  std::vector<std::int32_t> codes;
  if (column.is_numeric()) {
    out.numbers = grid_of(column, std::max<std::size_t>(2, options.points));
  } else {
    codes = codes_that_occur(column);
    for (const std::int32_t code : codes) {
      out.levels.push_back(column.levels()[static_cast<std::size_t>(code)]);
    }
  }
  const std::vector<std::size_t> chosen = asked_rows(data.rows(), options);
  const Dataset asked = data.take(chosen);
  out.rows = asked.rows();
  const Signature& signature = model.signature();
  out.outputs = signature.task == Task::classify ? signature.classes : signature.outputs;
  const std::size_t width = out.outputs.size();
  const std::size_t curves = std::min(options.curves, asked.rows());
  // Curves of rows from end to end of those asked.
  for (std::size_t c = 0; c < curves; ++c) {
    out.curve_rows.push_back(chosen[c * asked.rows() / curves]);
  }
  out.mean.assign(width, std::vector<double>(out.points(), 0.0));
  out.curves.assign(
      width, std::vector<std::vector<double>>(curves, std::vector<double>(out.points(), 0.0)));
  const std::span<const double> weights = asked.weights();
  parallel::for_each_index(context, out.points(), [&](std::size_t point) {
    const double number = out.numbers.empty() ? 0 : out.numbers[point];
    const std::int32_t code = codes.empty() ? 0 : codes[point];
    const Dataset changed = asked.with_column(constant(column, number, code, asked.rows()));
    const Predictions said = model.predict(changed, context, {.extra = Extra::ignore});
    double total = 0;
    for (std::size_t row = 0; row < said.rows; ++row) {
      const double w = weights.empty() ? 1 : weights[row];
      total += w;
      for (std::size_t k = 0; k < width; ++k) out.mean[k][point] += w * said.row(row)[k];
    }
    for (std::size_t k = 0; k < width; ++k) {
      out.mean[k][point] /= total;
      for (std::size_t c = 0; c < curves; ++c) {
        out.curves[k][c][point] = said.row(c * asked.rows() / curves)[k];
      }
    }
  });
  return out;
}

Value to_value(const Dependence& dependence) {
  Value out = object({{"column", dependence.column}, {"rows", dependence.rows}});
  if (dependence.levels.empty()) {
    out["values"] = Value(dependence.numbers);
  } else {
    out["values"] = Value(dependence.levels);
  }
  out["range"] = dependence.range();
  Value& mean = out["mean"] = object();
  for (std::size_t k = 0; k < dependence.outputs.size(); ++k) {
    mean[dependence.outputs[k]] = Value(dependence.mean[k]);
  }
  if (dependence.curve_rows.empty()) return out;
  Value& curves = out["curves"] = Value::Array{};
  for (std::size_t c = 0; c < dependence.curve_rows.size(); ++c) {
    Value one = object({{"row", dependence.curve_rows[c] + 1}});
    for (std::size_t k = 0; k < dependence.outputs.size(); ++k) {
      one["answers"][dependence.outputs[k]] = Value(dependence.curves[k][c]);
    }
    curves.push_back(std::move(one));
  }
  return out;
}

}  // namespace gradus
