#include "gradus/models/cluster/kmeans/explain.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gradus/core/text.hpp"

namespace gradus::kmeans {
namespace {

constexpr std::size_t kTableRows = 50;     // rows of a distance table that a person reads
constexpr std::size_t kLabelRows = 10000;  // rows whose labels are listed
constexpr std::size_t kFormulaItems = 12;  // centres written out in a formula

Value as_rows(const std::vector<double>& numbers, std::size_t cols) {
  Value out = Value(Value::Array{});
  for (std::size_t at = 0; at < numbers.size(); at += cols) {
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(at);
    out.push_back(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(cols)));
  }
  return out;
}

std::string point(std::span<const double> numbers) {
  std::vector<std::string> parts;
  for (const double x : numbers) {
    if (parts.size() == kFormulaItems) {
      parts.push_back("…");
      break;
    }
    parts.push_back(readable(x));
  }
  return "(" + join(parts, ", ") + ")";
}

// Euclidean distances of a row to every centre.
std::vector<double> distances_to(const double* row, const std::vector<double>& centers,
                                 std::size_t cols) {
  std::vector<double> out;
  for (std::size_t at = 0; at < centers.size(); at += cols) {
    out.push_back(std::sqrt(squared_distance(row, centers.data() + at, cols)));
  }
  return out;
}

// The first centre that is as near as the chosen one, if there is another.
std::optional<std::size_t> tie_with(const std::vector<double>& distances, std::size_t chosen) {
  for (std::size_t k = 0; k < distances.size(); ++k) {
    if (k != chosen && distances[k] == distances[chosen]) return k;
  }
  return std::nullopt;
}

std::string_view stop_words(Stop stop) {
  switch (stop) {
    case Stop::no_row_moved: return "no row changed its cluster";
    case Stop::centers_rest: return "the centres moved by no more than the tolerance";
    case Stop::max_iter: return "max_iter iterations were done";
  }
  return "";
}

}  // namespace

std::string Explainer::path(std::size_t iteration) const {
  const std::string start = start_ == 0 ? "" : fmt::format("start {}/", start_);
  if (iteration == 0) return start + "end";
  return start + fmt::format("iteration {}", iteration);
}

void Explainer::started(const Points& points, const std::vector<double>& centers) {
  if (trace_ == nullptr) return;
  const std::size_t clusters = centers.size() / points.cols;
  Step step{.title = "Choose the first centres"};
  step.path = start_ == 0 ? "start" : fmt::format("start {}", start_);
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < std::min(clusters, kFormulaItems); ++k) {
    parts.push_back(fmt::format("c{} = {}", k,
                                point(std::span(centers).subspan(k * points.cols, points.cols))));
  }
  step.formula = join(parts, ",  ");
  Value names = Value(Value::Array{});
  for (const FeatureName& feature : signature_.features) names.push_back(feature.name);
  step.values = object({{"features", names}, {"centers", as_rows(centers, points.cols)}});
  step.text = fmt::format("{} rows of {} are to be grouped around {}.", points.rows,
                          counted(points.cols, "feature"), counted(clusters, "centre"));
  trace_->add(std::move(step));
}

void Explainer::assigned(const AssignEvent& event) {
  if (!trace_->wants_more()) return;
  const Points& points = event.points;
  Step step{.title = "Assign each row to its nearest centre", .path = path(event.iteration)};
  step.formula = "d(x, c) = √(Σⱼ (xⱼ − cⱼ)²)";
  step.values = object({{"centers", as_rows(event.centers, points.cols)}});
  std::vector<std::string> ties;
  if (points.rows <= kTableRows) {
    Value table = Value(Value::Array{});
    std::vector<double> scratch;
    for (std::size_t row = 0; row < points.rows; ++row) {
      const std::vector<double> distances =
          distances_to(points.row(row, scratch), event.centers, points.cols);
      const auto label = static_cast<std::size_t>(event.labels[row]);
      if (tie_with(distances, label)) ties.push_back(std::to_string(row + 1));
      table.push_back(distances);
    }
    step.values["distances"] = table;
  }
  if (points.rows <= kLabelRows) step.values["assigned"] = event.labels;
  step.values["moved"] = event.moved;
  step.values["inertia"] = event.inertia;
  step.text = event.moved == 0 ? std::string("No row changes its cluster.")
                               : fmt::format("{} its cluster; the inertia is {}.",
                                             counted(event.moved, "row changes", "rows change"),
                                             readable(event.inertia));
  if (!ties.empty()) {
    step.text += fmt::format(" Row {} is as near to a second centre: the lowest index wins.",
                             join(ties, ", "));
  }
  trace_->add(std::move(step));
}

void Explainer::updated(const UpdateEvent& event) {
  if (!trace_->wants_more()) return;
  const std::size_t clusters = event.weights.size();
  const std::size_t cols = event.centers.size() / clusters;
  for (const RepairEvent& repair : event.repairs) {
    Step step{.title = fmt::format("Fill the empty cluster {}", repair.cluster),
              .path = path(event.iteration)};
    step.formula = fmt::format("d = {}", readable(repair.distance));
    step.values = object(
        {{"cluster", repair.cluster}, {"row", repair.row + 1}, {"distance", repair.distance}});
    step.text =
        fmt::format("Row {} is farthest from its centre and becomes the centre.", repair.row + 1);
    trace_->add(std::move(step));
  }
  Step step{.title = "Move each centre to the mean of its rows", .path = path(event.iteration)};
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < std::min(clusters, kFormulaItems); ++k) {
    const auto sum = std::span(event.sums).subspan(k * cols, cols);
    const auto center = std::span(event.centers).subspan(k * cols, cols);
    parts.push_back(fmt::format("c{} = Σx / n = {} / {} = {}", k, point(sum),
                                readable(event.weights[k]), point(center)));
  }
  step.formula = join(parts, ",  ");
  step.values = object({{"centers", as_rows(event.centers, cols)},
                        {"sums", as_rows(event.sums, cols)},
                        {"sizes", event.weights},
                        {"shift", event.shift},
                        {"tolerance", event.tolerance}});
  step.text = fmt::format("The squared moves of the centres sum to {}; {} would end the fit.",
                          readable(event.shift), readable(event.tolerance));
  trace_->add(std::move(step));
}

void Explainer::stopped(const LloydResult& result) {
  if (trace_ == nullptr) return;
  Step step{.title = "Stop", .path = path(0)};
  step.formula = fmt::format("inertia = Σ w |x − c|² = {}", readable(result.inertia));
  step.values = object({{"reason", stop_words(result.stop)},
                        {"n_iter", result.n_iter},
                        {"inertia", result.inertia}});
  step.text =
      fmt::format("After {}: {}.", counted(result.n_iter, "iteration"), stop_words(result.stop));
  trace_->add(std::move(step));
}

void explain_result(const KMeansModel& model, const std::vector<std::int32_t>& labels,
                    const Signature& signature, Trace& trace) {
  Step step{.title = "Result", .path = "result"};
  step.values = model.fitted(signature);
  if (labels.size() <= kLabelRows) step.values["labels"] = labels;
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < std::min(model.clusters(), kFormulaItems); ++k) {
    parts.push_back(
        fmt::format("c{} = {} with {}", k, point(model.center(k)), readable(model.sizes[k])));
  }
  step.formula = join(parts, ",  ");
  step.text = fmt::format("{} with an inertia of {}.", counted(model.clusters(), "cluster"),
                          readable(model.inertia));
  if (model.n_distinct < static_cast<std::int64_t>(model.clusters())) {
    step.text += fmt::format(" The rows are only {} distinct points, so some clusters are empty.",
                             model.n_distinct);
  }
  trace.add(std::move(step));
}

void explain_choice(const KMeansModel& model, std::span<const double> row,
                    const Signature& signature, Trace& trace) {
  const std::vector<double> distances = distances_to(row.data(), model.centers, row.size());
  double label = 0;
  model.predict({row.data(), 1, row.size()}, &label);
  const auto chosen = static_cast<std::size_t>(label);
  for (std::size_t k = 0; k < model.clusters(); ++k) {
    if (!trace.wants_more()) return;
    Step step{.title = fmt::format("Distance to centre {}", k),
              .path = fmt::format("cluster {}", k)};
    std::vector<std::string> terms;
    for (std::size_t j = 0; j < std::min(row.size(), kFormulaItems); ++j) {
      terms.push_back(fmt::format("({} − {})²", readable(row[j]), readable(model.center(k)[j])));
    }
    if (row.size() > terms.size()) terms.push_back("…");
    step.formula =
        fmt::format("d(x, c{}) = √({}) = {}", k, join(terms, " + "), readable(distances[k]));
    for (std::size_t j = 0; j < row.size(); ++j) {
      step.values["center"][signature.features[j].name] = model.center(k)[j];
    }
    step.values["distance"] = distances[k];
    trace.add(std::move(step));
  }
  Step step{.title = "Choose the nearest centre", .path = "choice"};
  step.formula = fmt::format("argminₖ d(x, cₖ) = {}", chosen);
  step.values = object({{"distances", distances}, {"cluster", chosen}});
  step.text = fmt::format("Centre {} is nearest, at {}.", chosen, readable(distances[chosen]));
  if (tie_with(distances, chosen)) step.text += " Another is as near: the lowest index wins.";
  trace.add(std::move(step));
}

}  // namespace gradus::kmeans
