#include "gradus/linalg/column_sums.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/linalg/products.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/blocks.hpp"

namespace gradus::linalg {
namespace {

// Numbers of a block: it stays in the second-level cache beside its centred copy.
constexpr std::size_t kCachedNumbers = std::size_t{1} << 14;
constexpr std::size_t kLeastRows = 16;
constexpr std::size_t kMostRows = 256;
// Rows per part of a reduction over columns, and over pairs of columns.
constexpr std::size_t kColumnRows = 512;
constexpr std::size_t kPairRows = 1024;
constexpr std::size_t kPairParts = 8;
// Numbers that all parts of a reduction over pairs may hold together: 256 MB.
constexpr std::size_t kPairNumbers = std::size_t{1} << 25;

std::size_t cached_rows(std::size_t width) {
  return std::clamp(kCachedNumbers / std::max<std::size_t>(1, width), kLeastRows, kMostRows);
}

// Blocks of rows one after another, centred. Allocated once per part.
class CentredBlocks {
 public:
  explicit CentredBlocks(const Design& design)
      : design_(design),
        rows_(cached_rows(design.features)),
        x_(rows_ * design.features),
        y_(rows_ * design.outputs) {
    if (!design.weights.empty()) roots_.resize(rows_);
  }

  std::size_t rows() const { return rows_; }
  std::size_t count() const { return count_; }
  double weight() const { return weight_; }
  const double* y() const { return y_.data(); }
  Tall x() const { return {x_.data(), count_, design_.features}; }

  // False when no row of the block counts.
  bool load(std::size_t begin, std::size_t end) {
    count_ = end - begin;
    raw_x_ = {design_.block(begin, end, scratch_), count_, design_.features};
    raw_y_ = {design_.targets.data() + begin * design_.outputs, count_, design_.outputs};
    weights_ = design_.weights.empty() ? nullptr : design_.weights.data() + begin;
    weight_ = weights_ == nullptr ? static_cast<double>(count_) : simd::sum(weights_, count_);
    return weight_ > 0;
  }

  // By the deviations from one row that counts: exact for a constant column of any size.
  void means(std::span<const double> scales, std::vector<double>& out) const {
    const std::size_t d = design_.features;
    std::size_t origin = 0;
    while (weights_ != nullptr && origin + 1 < count_ && weights_[origin] == 0) ++origin;
    std::copy_n(raw_x_.data + origin * d, d, out.data());
    std::copy_n(raw_y_.data + origin * design_.outputs, design_.outputs, out.data() + d);
    std::vector<double> sums(design_.width());
    simd::column_sums(raw_x_, d, {out.data(), scales.data(), weights_}, sums.data());
    simd::column_sums(raw_y_, design_.outputs, {out.data() + d, scales.data() + d, weights_},
                      sums.data() + d);
    for (std::size_t j = 0; j < sums.size(); ++j) out[j] += sums[j] / weight_ / scales[j];
  }

  void centre(std::span<const double> means, std::span<const double> scales) {
    const double* factor = nullptr;
    if (weights_ != nullptr) {
      for (std::size_t i = 0; i < count_; ++i) roots_[i] = std::sqrt(weights_[i]);
      factor = roots_.data();
    }
    const std::size_t d = design_.features;
    simd::centred(raw_x_, d, {means.data(), scales.data(), factor}, x_.data(), d);
    simd::centred(raw_y_, design_.outputs, {means.data() + d, scales.data() + d, factor}, y_.data(),
                  design_.outputs);
  }

 private:
  const Design& design_;
  std::size_t rows_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> roots_;
  std::vector<double> scratch_;
  simd::Rows raw_x_;
  simd::Rows raw_y_;
  const double* weights_ = nullptr;
  std::size_t count_ = 0;
  double weight_ = 0;
};

// Squares and products about the means of each join as those of `moments` do.
void join_sums(ColumnSums& total, const ColumnSums& part, std::span<const double> scales) {
  if (part.weight == 0) return;
  const std::size_t width = part.means.size();
  const std::size_t d = part.cross.width();
  const double both = total.weight + part.weight;
  const double factor = total.weight * (part.weight / both);
  std::vector<double> delta(width);
  for (std::size_t j = 0; j < width; ++j) {
    const double apart = part.means[j] - total.means[j];
    delta[j] = total.weight > 0 ? apart * scales[j] : 0;
    total.means[j] = total.weight > 0 ? total.means[j] + apart * (part.weight / both)  //
                                      : part.means[j];
    total.squares[j] += part.squares[j] + factor * delta[j] * delta[j];
  }
  for (std::size_t k = 0; k < part.cross.height(); ++k) {
    const double* from = part.cross.row(k).data();
    double* to = total.cross.row(k).data();
    for (std::size_t j = 0; j < d; ++j) to[j] += from[j] + factor * delta[j] * delta[d + k];
  }
  total.weight = both;
}

ColumnSums no_sums(const Design& design) {
  const std::size_t width = design.width();
  return {0, std::vector<double>(width, 0.0), std::vector<double>(width, 0.0),
          Matrix::zeros(design.outputs, design.features)};
}

// Sums of squares of the columns of a table.
void square_columns(const simd::Rows& rows, std::size_t cols, double* out) {
  const std::vector<std::int32_t> group(rows.count, 0);
  const std::vector<double> origin(cols, 0.0);
  std::vector<double> sum(cols);
  simd::add_moments({rows, cols, group.data(), nullptr}, {origin.data(), sum.data(), out, cols});
}

ColumnSums sums_of_part(const Design& design, Centre centre, std::span<const double> scales,
                        parallel::Block part) {
  const std::size_t d = design.features;
  ColumnSums total = no_sums(design);
  ColumnSums one = no_sums(design);
  CentredBlocks block(design);
  for (std::size_t begin = part.begin; begin < part.end; begin += block.rows()) {
    if (!block.load(begin, std::min(begin + block.rows(), part.end))) continue;
    if (centre == Centre::mean) block.means(scales, one.means);
    block.centre(one.means, scales);
    std::fill(one.squares.begin(), one.squares.end(), 0.0);
    std::fill(one.cross.values.begin(), one.cross.values.end(), 0.0);
    square_columns({block.x().data, block.count(), d}, d, one.squares.data());
    square_columns({block.y(), block.count(), design.outputs}, design.outputs,
                   one.squares.data() + d);
    add_cross_products({block.y(), block.count(), design.outputs}, block.x(),
                       one.cross.values.data(), d);
    one.weight = block.weight();
    join_sums(total, one, scales);
  }
  return total;
}

// Columns `columns` of a block of rows, centred: count x columns.
void gather(const Design& design, const ColumnUnits& units, std::span<const std::uint32_t> columns,
            const simd::Rows& rows, const double* weights, double* out) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double* row = rows.data + i * design.features;
    const double factor = weights == nullptr ? 1 : std::sqrt(weights[i]);
    for (const std::uint32_t j : columns) {
      *out++ = (row[j] - units.means[j]) * units.scales[j] * factor;
    }
  }
}

void add_left_over(LeftOver& total, const LeftOver& part) {
  total.square += part.square;
  total.with_target += part.with_target;
  for (std::size_t j = 0; j < total.products.size(); ++j) total.products[j] += part.products[j];
}

}  // namespace

ColumnSums column_sums(const Design& design, Centre centre, std::span<const double> scales,
                       const Context& context) {
  return parallel::reduce_ordered<ColumnSums>(
      context, design.rows, kColumnRows,
      [&](parallel::Block part) { return sums_of_part(design, centre, scales, part); },
      [&](ColumnSums& total, ColumnSums&& part) { join_sums(total, part, scales); });
}

Matrix chosen_products(const Design& design, const ColumnUnits& units, const Chosen& chosen,
                       const Context& context) {
  const std::size_t all = chosen.columns.size();
  const std::size_t fresh = all - chosen.from;
  const auto body = [&](parallel::Block part) {
    Matrix out = Matrix::zeros(fresh, all);
    std::vector<double> scratch;
    std::vector<double> wide(kMostRows * all);
    std::vector<double> narrow(kMostRows * fresh);
    for (std::size_t begin = part.begin; begin < part.end; begin += kMostRows) {
      const std::size_t end = std::min(begin + kMostRows, part.end);
      const simd::Rows rows{design.block(begin, end, scratch), end - begin, design.features};
      const double* weights = design.weights.empty() ? nullptr : design.weights.data() + begin;
      gather(design, units, chosen.columns, rows, weights, wide.data());
      for (std::size_t i = 0; i < rows.count; ++i) {
        std::copy_n(wide.data() + i * all + chosen.from, fresh, narrow.data() + i * fresh);
      }
      add_cross_products({narrow.data(), rows.count, fresh}, {wide.data(), rows.count, all},
                         out.values.data(), all);
    }
    return out;
  };
  const std::size_t parts =
      std::clamp(kPairNumbers / (fresh * all + 1), std::size_t{2}, kPairParts);
  const std::size_t length = std::max(kPairRows, parallel::block_count(design.rows, parts));
  return parallel::reduce_ordered<Matrix>(context, design.rows, length, body,
                                          [](Matrix& total, Matrix&& part) {
                                            for (std::size_t i = 0; i < part.values.size(); ++i)
                                              total.values[i] += part.values[i];
                                          });
}

LeftOver left_over(const Design& design, const ColumnUnits& units, const Line& line,
                   const Context& context) {
  const auto body = [&](parallel::Block part) {
    LeftOver out{0, 0, std::vector<double>(design.features, 0.0)};
    CentredBlocks block(design);
    std::vector<double> rest(block.rows());
    for (std::size_t begin = part.begin; begin < part.end; begin += block.rows()) {
      if (!block.load(begin, std::min(begin + block.rows(), part.end))) continue;
      block.centre(units.means, units.scales);
      multiply(block.x(), line.w.data(), 1, rest.data());
      for (std::size_t i = 0; i < block.count(); ++i) {
        const double y = block.y()[i * design.outputs + line.output];
        rest[i] = y - rest[i];
        out.square += rest[i] * rest[i];
        out.with_target += rest[i] * y;
      }
      add_cross_products({rest.data(), block.count(), 1}, block.x(), out.products.data(),
                         design.features);
    }
    return out;
  };
  return parallel::reduce_ordered<LeftOver>(
      context, design.rows, kColumnRows, body,
      [](LeftOver& total, LeftOver&& part) { add_left_over(total, part); });
}

}  // namespace gradus::linalg
