#include "gradus/blocks/linear/standardise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kScaledRows = 256;
// Rows from which the units of a long table are taken.
constexpr std::size_t kUnitRows = 16384;
constexpr double kScaleRounding = std::numeric_limits<double>::epsilon();

Units units_of(const linalg::Design& design, Shift shift, const Context& context) {
  const std::size_t d = design.features;
  Units units{std::vector<double>(d, 0.0), std::vector<double>(d, 0.0)};
  linalg::Design features = design;
  features.outputs = 0;
  features.targets = {};
  const auto centre = shift == Shift::mean ? linalg::Centre::mean : linalg::Centre::origin;
  const std::vector<double> safe = linalg::safe_scales(features, centre, context);
  if (shift == Shift::mean) units.shift = linalg::column_means(features, safe, context);
  const auto body = [&](parallel::Block part) {
    std::vector<double> squares(d + 1, 0.0);
    std::vector<double> scratch;
    for (std::size_t begin = part.begin; begin < part.end; begin += kScaledRows) {
      const std::size_t end = std::min(begin + kScaledRows, part.end);
      const double* x = features.block(begin, end, scratch);
      for (std::size_t i = begin; i < end; ++i, x += d) {
        const double weight = design.weights.empty() ? 1.0 : design.weights[i];
        squares[d] += weight;
        if (weight == 0) continue;
        for (std::size_t j = 0; j < d; ++j) {
          const double z = (x[j] - units.shift[j]) * safe[j];
          squares[j] += weight * z * z;
        }
      }
    }
    return squares;
  };
  const auto squares = parallel::reduce_ordered<std::vector<double>>(
      context, design.rows, 4 * kScaledRows, body,
      [](std::vector<double>& total, std::vector<double>&& part) {
        for (std::size_t j = 0; j < total.size(); ++j) total[j] += part[j];
      });
  for (std::size_t j = 0; j < d; ++j) {
    const double deviation = std::sqrt(squares[j] / squares[d]) / safe[j];
    const double rounding = 4 * kScaleRounding * std::abs(units.shift[j]);
    const bool moves = deviation > rounding && std::isfinite(1 / deviation);
    units.scale[j] = moves ? 1 / deviation : 0.0;
    units.reach.push_back(1 / safe[j]);
    // The spread itself overflows: such a column cannot be computed with.
    if (safe[j] == 0) units.scale[j] = std::numeric_limits<double>::quiet_NaN();
  }
  return units;
}

}  // namespace

linalg::Design design_of(const TrainTask& task, std::span<const double> targets,
                         std::size_t outputs, std::span<const double> weights) {
  linalg::Design design;
  design.rows = task.rows();
  design.features = task.features.cols();
  design.outputs = outputs;
  design.block = [&task](std::size_t begin, std::size_t end, std::vector<double>& scratch) {
    return task.features.block(begin, end, scratch).data;
  };
  design.targets = targets;
  design.weights = weights;
  return design;
}

void Units::to_data(std::span<const double> c, std::span<double> w, double& constant) const {
  for (std::size_t j = 0; j < w.size(); ++j) {
    w[j] = c[j] * scale[j];
    constant -= w[j] * shift[j];
  }
}

void share_one_scale(Units& units) {
  constexpr double kAboutAsFar = 0.25;
  double furthest = 0;
  for (std::size_t j = 0; j < units.scale.size(); ++j) {
    if (!std::isfinite(units.scale[j])) return;
    if (units.scale[j] > 0) furthest = std::max(furthest, units.reach[j]);
  }
  std::size_t moving = 0;
  std::size_t far = 0;
  double squares = 0;  // of the deviations, in units of the furthest reach
  for (std::size_t j = 0; j < units.scale.size(); ++j) {
    if (units.scale[j] == 0) continue;
    ++moving;
    far += units.reach[j] >= kAboutAsFar * furthest ? 1 : 0;
    const double deviation = 1 / units.scale[j] / furthest;
    squares += deviation * deviation;
  }
  if (2 * far < moving || moving == 0) return;
  const double scale = 1 / std::sqrt(squares / static_cast<double>(moving)) / furthest;
  if (!std::isfinite(scale) || scale == 0) return;
  for (double& s : units.scale) s = s == 0 ? 0 : scale;
}

Units comfortable_units(const linalg::Design& design, Shift shift, const Context& context) {
  const std::size_t stride = std::max<std::size_t>(1, design.rows / kUnitRows);
  if (stride == 1) return units_of(design, shift, context);
  const Sample sample = every_nth_row(design, stride, context);
  const bool counts =
      std::any_of(sample.weights.begin(), sample.weights.end(), [](double w) { return w > 0; });
  if (counts || sample.weights.empty()) {
    Units units = units_of(sample.design(), shift, context);
    // A column that stands still in the sample may move elsewhere.
    if (std::find(units.scale.begin(), units.scale.end(), 0.0) == units.scale.end()) return units;
  }
  return units_of(design, shift, context);
}

linalg::Design Sample::design() const {
  linalg::Design out;
  out.rows = count;
  out.features = features;
  out.outputs = outputs;
  out.block = [this](std::size_t begin, std::size_t, std::vector<double>&) {
    return rows.data() + begin * features;
  };
  out.targets = targets;
  out.weights = weights;
  return out;
}

Sample every_nth_row(const linalg::Design& design, std::size_t stride, const Context& context) {
  const std::size_t d = design.features;
  Sample out;
  out.features = d;
  out.outputs = design.outputs;
  out.count = (design.rows + stride - 1) / stride;
  context.require_memory(out.count * d * sizeof(double), "a sample of the rows");
  out.rows.resize(out.count * d);
  out.targets.resize(out.count * design.outputs);
  if (!design.weights.empty()) out.weights.resize(out.count);
  const std::size_t length = stride * std::max<std::size_t>(1, kScaledRows / stride);
  parallel::for_each_block(context, design.rows, length, [&](parallel::Block block) {
    std::vector<double> scratch;
    const double* x = design.block(block.begin, block.end, scratch);
    for (std::size_t i = block.begin; i < block.end; i += stride) {
      const std::size_t to = i / stride;
      std::copy_n(x + (i - block.begin) * d, d, out.rows.data() + to * d);
      std::copy_n(design.targets.data() + i * design.outputs, design.outputs,
                  out.targets.data() + to * design.outputs);
      if (!design.weights.empty()) out.weights[to] = design.weights[i];
    }
  });
  return out;
}

}  // namespace gradus
