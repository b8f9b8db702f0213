// From the task to the best of n_init starts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "gradus/contract/pack.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/cluster/kmeans/explain.hpp"
#include "gradus/models/cluster/kmeans/lloyd.hpp"
#include "gradus/models/cluster/kmeans/model.hpp"
#include "gradus/models/cluster/kmeans/start.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

using kmeans::Points;

constexpr std::size_t kSmallestBlock = 2048;

// Sums over the rows of w, of w (x - origin) and of w (x - origin)^2 per feature.
struct Moments {
  double weight = 0;
  std::vector<double> first;
  std::vector<double> second;
};

// The weighted variance of the features, averaged: what `tol` is relative to.
double mean_variance(const Points& points, const Context& context) {
  std::vector<double> scratch;
  const double* origin = points.row(0, scratch);
  const Moments sums = parallel::reduce_ordered<Moments>(
      context, points.rows, kSmallestBlock,
      [&](parallel::Block block) {
        Moments part{0, std::vector<double>(points.cols, 0.0),
                     std::vector<double>(points.cols, 0.0)};
        for (std::size_t row = block.begin; row < block.end; ++row) {
          part.weight += points.weight(row);
        }
        const std::vector<std::int32_t> one_group(block.size(), 0);
        for_each_piece(points, block, [&](const simd::Rows& rows, std::size_t begin) {
          simd::add_moments({rows, points.cols, one_group.data(), points.weights_from(begin)},
                            {origin, part.first.data(), part.second.data(), points.cols});
        });
        return part;
      },
      [](Moments& total, Moments&& part) {
        total.weight += part.weight;
        for (std::size_t j = 0; j < total.first.size(); ++j) {
          total.first[j] += part.first[j];
          total.second[j] += part.second[j];
        }
      });
  double variance = 0;
  for (std::size_t j = 0; j < points.cols; ++j) {
    const double mean = sums.first[j] / sums.weight;
    variance += std::max(0.0, sums.second[j] / sums.weight - mean * mean);
  }
  return variance / static_cast<double>(points.cols);
}

std::vector<double> start_of(const KMeans& learner, const Points& points,
                             const kmeans::ContentOrder& order, std::uint64_t number,
                             const Context& context) {
  const Stream stream(learner.random_state, number);
  const auto clusters = static_cast<std::size_t>(learner.n_clusters);
  switch (learner.init) {
    case KMeansInit::plus_plus:
      return rows_as_centers(points, plus_plus_rows(points, order, clusters, stream, context));
    case KMeansInit::random: return rows_as_centers(points, random_rows(points, clusters, stream));
    case KMeansInit::given: return learner.centers;
  }
  assertion_failed("init is one of three", __FILE__, __LINE__);
}

KMeansModel model_of(kmeans::LloydResult result) {
  KMeansModel model;
  model.centers = std::move(result.centers);
  model.sizes = std::move(result.sizes);
  model.inertia = result.inertia;
  model.n_iter = static_cast<std::int64_t>(result.n_iter);
  model.converged = result.stop != kmeans::Stop::max_iter;
  return model;
}

void refuse_overflow(const KMeansModel& model) {
  const bool finite =
      std::isfinite(model.inertia) && std::all_of(model.centers.begin(), model.centers.end(),
                                                  [](double x) { return std::isfinite(x); });
  if (finite) return;
  throw Error(ErrorKind::numerical, "",
              "the squared distances between the rows are too large for a number",
              "scale the features, for example with --standardize");
}

}  // namespace

void KMeans::check(const TrainTask& task) const {
  if (static_cast<std::size_t>(n_clusters) > task.rows()) {
    throw Error(ErrorKind::usage, "--n_clusters",
                fmt::format("n_clusters={} must not be above the number of rows, {} (n_samples)",
                            n_clusters, task.rows()),
                "ask for fewer clusters");
  }
  if (init != Init::given) {
    if (centers.empty()) return;
    throw Error(ErrorKind::usage, "--centers", "centers are read only with init=given",
                "add --init given, or leave the centres out");
  }
  const std::size_t wanted = static_cast<std::size_t>(n_clusters) * task.features.cols();
  if (centers.size() != wanted) {
    throw Error(ErrorKind::usage, "--centers",
                fmt::format("centers must be {} numbers, {} clusters times {} (got {})", wanted,
                            n_clusters, counted(task.features.cols(), "feature"), centers.size()));
  }
}

KMeansModel KMeans::fit(const TrainTask& task, const Context& context) const {
  const FloatBlock floats = task.features.floats(0, task.rows());
  const std::size_t copied = task.features.cols() / (floats.data == nullptr ? 1 : 2);
  context.require_memory(task.rows() * (copied * 3 / 2 + 16) * sizeof(double),
                         "the table of k-means");
  std::optional<PackedRows> packed;
  if (floats.data == nullptr) packed.emplace(task.features, context);
  const Points points{packed ? packed->table().data : nullptr, task.rows(), task.features.cols(),
                      task.weights, floats.data};
  const kmeans::GridSums grid(points, context);
  const double tolerance = tol == 0 ? 0.0 : tol * mean_variance(points, context);
  const int starts = init == Init::given ? 1 : n_init;
  const bool ordered = init == Init::plus_plus;
  const kmeans::ContentOrder order(ordered ? points : Points{}, context);

  KMeansModel best;
  std::vector<std::int32_t> labels;
  for (int number = 0; number < starts && !context.has_ended(); ++number) {
    const auto done = static_cast<std::uint64_t>(number);
    if (number > 0 && context.ends_here("start", done, static_cast<std::uint64_t>(starts))) break;
    // Part of the first start is a model; of a later one it is not worth its time.
    const Context own = number == 0 ? context : context.within_unit();
    std::vector<double> start =
        start_of(*this, points, order, static_cast<std::uint64_t>(number), own);
    kmeans::Explainer explainer(context.trace, task.signature, starts > 1 ? number + 1 : 0);
    explainer.started(points, start);
    kmeans::LloydResult result =
        lloyd(points, grid, std::move(start),
              {static_cast<std::size_t>(max_iter), tolerance, explainer.watcher()}, own);
    explainer.stopped(result);
    if (number > 0 && !(result.inertia < best.inertia)) continue;
    labels = std::move(result.labels);
    best = model_of(std::move(result));
  }
  refuse_overflow(best);
  best.n_distinct =
      static_cast<std::int64_t>(count_distinct(points, static_cast<std::size_t>(n_clusters)));
  if (context.trace != nullptr)
    kmeans::explain_result(best, labels, task.signature, *context.trace);
  return best;
}

}  // namespace gradus
