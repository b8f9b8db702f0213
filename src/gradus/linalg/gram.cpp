#include "gradus/linalg/gram.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/linalg/lapack.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/blocks.hpp"

namespace gradus::linalg {
namespace {

// Rows that are centred and multiplied together: with 50 columns they stay in the second-level
// cache.
constexpr std::size_t kBlockRows = 256;
// Rows per parallel part, at least.
constexpr std::size_t kPartRows = 4096;
// Products from which a second part pays, however few the rows are.
constexpr std::size_t kMuchWork = std::size_t{1} << 28;
// Numbers that all parts of a reduction may hold together: 256 MB.
constexpr std::size_t kMaxPartNumbers = std::size_t{1} << 25;

// Everything one part needs while it works, allocated once per part.
struct Workspace {
  explicit Workspace(const Design& design)
      : packed(kBlockRows * design.width()), shift(design.width()), sums(design.width()) {
    if (!design.weights.empty()) roots.resize(kBlockRows);
  }
  std::vector<double> scratch;  // for Design::block
  std::vector<double> packed;   // [X | Y] of a block, centred
  std::vector<double> shift;
  std::vector<double> sums;
  std::vector<double> roots;  // of the weights
};

// One block of [X | Y], not yet copied.
struct Block {
  simd::Rows x;
  simd::Rows y;
  const double* weights = nullptr;
};

Block block_of(const Design& design, std::size_t begin, std::size_t end, Workspace& space) {
  const std::size_t count = end - begin;
  Block block;
  block.x = {design.block(begin, end, space.scratch), count, design.features};
  block.y = {design.targets.data() + begin * design.outputs, count, design.outputs};
  if (!design.weights.empty()) block.weights = design.weights.data() + begin;
  return block;
}

void pack(const Design& design, const Block& block, std::span<const double> centre,
          std::span<const double> scales, Workspace& space) {
  const double* factor = nullptr;
  if (block.weights != nullptr) {
    for (std::size_t i = 0; i < block.x.count; ++i) space.roots[i] = std::sqrt(block.weights[i]);
    factor = space.roots.data();
  }
  const std::size_t d = design.features;
  const std::size_t width = design.width();
  double* out = space.packed.data();
  simd::centred(block.x, d, {centre.data(), scales.data(), factor}, out, width);
  simd::centred(block.y, design.outputs, {centre.data() + d, scales.data() + d, factor}, out + d,
                width);
}

// The first row that counts: a far-away row of weight 0 would be a bad origin.
std::size_t first_weighted_row(const Block& block) {
  std::size_t row = 0;
  while (block.weights != nullptr && row + 1 < block.x.count && block.weights[row] == 0) ++row;
  return row;
}

double weight_of(const Block& block) {
  return block.weights == nullptr ? static_cast<double>(block.x.count)
                                  : simd::sum(block.weights, block.x.count);
}

// Means by the deviations from one row: exact for a constant column of any size.
void block_means(const Design& design, const Block& block, std::span<const double> scales,
                 double weight, Workspace& space) {
  const std::size_t d = design.features;
  const std::size_t origin = first_weighted_row(block);
  std::copy_n(block.x.data + origin * d, d, space.shift.data());
  std::copy_n(block.y.data + origin * design.outputs, design.outputs, space.shift.data() + d);
  simd::column_sums(block.x, d, {space.shift.data(), scales.data(), block.weights},
                    space.sums.data());
  simd::column_sums(block.y, design.outputs,
                    {space.shift.data() + d, scales.data() + d, block.weights},
                    space.sums.data() + d);
  for (std::size_t j = 0; j < design.width(); ++j) {
    space.shift[j] += space.sums[j] / weight / scales[j];
  }
}

void move_means(Moments& total, double weight, std::span<const double> means) {
  if (weight == 0) return;
  const double both = total.weight + weight;
  for (std::size_t j = 0; j < means.size(); ++j) {
    total.means[j] += (means[j] - total.means[j]) * (weight / both);
  }
  total.weight = both;
}

// S += (W_a W_b / W) delta delta', means and weight joined.
void join_means(Moments& total, double weight, std::span<const double> means,
                std::span<const double> scales) {
  const double both = total.weight + weight;
  const std::size_t width = means.size();
  std::vector<double> delta(width);
  for (std::size_t j = 0; j < width; ++j) delta[j] = (means[j] - total.means[j]) * scales[j];
  const double factor = total.weight * (weight / both);
  for (std::size_t i = 0; i < width && total.weight > 0; ++i) {
    simd::axpy(factor * delta[i], delta.data(), total.products.row(i).data(), i + 1);
  }
  move_means(total, weight, means);
}

Moments part_moments(const Design& design, Centre centre, std::span<const double> scales,
                     parallel::Block part) {
  const std::size_t width = design.width();
  Moments total{0, std::vector<double>(width, 0.0), Matrix::zeros(width, width)};
  Workspace space(design);
  for (std::size_t begin = part.begin; begin < part.end; begin += kBlockRows) {
    const Block block = block_of(design, begin, std::min(begin + kBlockRows, part.end), space);
    const double weight = weight_of(block);
    if (weight == 0) continue;
    if (centre == Centre::mean) block_means(design, block, scales, weight, space);
    pack(design, block, space.shift, scales, space);
    add_products(space.packed.data(), block.x.count, width, total.products.values.data());
    join_means(total, weight, space.shift, scales);
  }
  return total;
}

// Rows per part so that neither the number of parts nor their memory runs away. The parts are even
// in number and equal in length: two threads end together.
std::size_t rows_per_part(const Design& design, std::size_t numbers_per_part) {
  const std::size_t most = std::max<std::size_t>(2, kMaxPartNumbers / numbers_per_part);
  const std::size_t length = std::max(kPartRows, parallel::block_count(design.rows, most));
  const std::size_t parts = parallel::block_count(design.rows, length);
  const bool wide = design.rows * numbers_per_part > kMuchWork;
  if (parts <= 1 && !wide) return length;
  return parallel::block_count(design.rows, (parts + 1) / 2 * 2);
}

}  // namespace

double power_of_two_scale(double size) {
  if (size == 0) return 1;
  if (!std::isfinite(size)) return 0;
  // The smallest normal number has no finite reciprocal power to spare: 2^1022 is enough.
  return std::ldexp(1.0, std::min(-std::ilogb(size), 1022));
}

Moments moments(const Design& design, Centre centre, std::span<const double> scales,
                const Context& context) {
  const std::size_t width = design.width();
  const std::size_t smallest = rows_per_part(design, width * width);
  const auto join = [&](Moments& total, Moments&& part) {
    if (part.weight == 0) return;
    for (std::size_t i = 0; i < part.products.values.size(); ++i) {
      total.products.values[i] += part.products.values[i];
    }
    if (total.weight == 0) total.means = part.means;
    join_means(total, part.weight, part.means, scales);
  };
  Moments total = parallel::reduce_ordered<Moments>(
      context, design.rows, smallest,
      [&](parallel::Block part) { return part_moments(design, centre, scales, part); }, join);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < i; ++j) total.products(j, i) = total.products(i, j);
  }
  return total;
}

std::vector<double> column_means(const Design& design, std::span<const double> scales,
                                 const Context& context) {
  const auto body = [&](parallel::Block part) {
    Moments total{0, std::vector<double>(design.width(), 0.0), {}};
    Workspace space(design);
    for (std::size_t begin = part.begin; begin < part.end; begin += kBlockRows) {
      const Block block = block_of(design, begin, std::min(begin + kBlockRows, part.end), space);
      const double weight = weight_of(block);
      if (weight == 0) continue;
      block_means(design, block, scales, weight, space);
      move_means(total, weight, space.shift);
    }
    return total;
  };
  return parallel::reduce_ordered<Moments>(
             context, design.rows, kPartRows, body,
             [](Moments& total, Moments&& part) { move_means(total, part.weight, part.means); })
      .means;
}

std::vector<double> safe_scales(const Design& design, Centre centre, const Context& context) {
  using Spread = std::vector<double>;
  const std::size_t d = design.features;
  const std::size_t width = design.width();
  std::vector<double> origin(width, 0.0);
  if (centre == Centre::mean) {
    std::vector<double> scratch;
    std::size_t row = 0;
    while (!design.weights.empty() && row + 1 < design.rows && design.weights[row] == 0) ++row;
    std::copy_n(design.block(row, row + 1, scratch), d, origin.data());
    std::copy_n(design.targets.data() + row * design.outputs, design.outputs, origin.data() + d);
  }
  const auto body = [&](parallel::Block part) {
    Spread spread(width, 0.0);
    std::vector<double> scratch;
    for (std::size_t begin = part.begin; begin < part.end; begin += kBlockRows) {
      const std::size_t end = std::min(begin + kBlockRows, part.end);
      const double* x = design.block(begin, end, scratch);
      for (std::size_t i = begin; i < end; ++i) {
        if (!design.weights.empty() && design.weights[i] == 0) continue;
        for (std::size_t j = 0; j < width; ++j) {
          const double value =
              j < d ? x[(i - begin) * d + j] : design.targets[i * design.outputs + (j - d)];
          spread[j] = std::max(spread[j], std::abs(value - origin[j]));
        }
      }
    }
    return spread;
  };
  Spread spread = parallel::reduce_ordered<Spread>(context, design.rows, kPartRows, body,
                                                   [&](Spread& total, Spread&& part) {
                                                     for (std::size_t j = 0; j < width; ++j)
                                                       total[j] = std::max(total[j], part[j]);
                                                   });
  std::transform(spread.begin(), spread.end(), spread.begin(), power_of_two_scale);
  return spread;
}

Matrix reduced_rows(const Design& design, std::span<const double> means,
                    std::span<const double> scales, const Context& context) {
  const std::size_t width = design.width();
  const std::size_t smallest = std::max(rows_per_part(design, width * width), 4 * width);
  const auto factor_of = [&](parallel::Block part) {
    std::vector<double> rows(part.size() * width);
    Workspace space(design);
    for (std::size_t begin = part.begin; begin < part.end; begin += kBlockRows) {
      const Block block = block_of(design, begin, std::min(begin + kBlockRows, part.end), space);
      pack(design, block, means, scales, space);
      std::copy_n(space.packed.data(), block.x.count * width,
                  rows.data() + (begin - part.begin) * width);
    }
    return triangular_factor(rows, part.size(), width);
  };
  const auto join = [&](Matrix& total, Matrix&& part) {
    std::vector<double> both = std::move(total.values);
    both.insert(both.end(), part.values.begin(), part.values.end());
    total = triangular_factor(both, both.size() / width, width);
  };
  return parallel::reduce_ordered<Matrix>(context, design.rows, smallest, factor_of, join);
}

}  // namespace gradus::linalg
