#include "gradus/blocks/linear/sparse_objective.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"
#include "gradus/simd/sparse.hpp"

namespace gradus {
namespace {

// Rows per parallel part, and columns, at least.
constexpr std::size_t kSparsePartRows = 256;
constexpr std::size_t kPartColumns = 512;
constexpr double kStepRounding = std::numeric_limits<double>::epsilon();

void add_to(std::vector<double>& total, const std::vector<double>& part) {
  for (std::size_t k = 0; k < total.size(); ++k) total[k] += part[k];
}

}  // namespace

// What a part of the rows adds.
struct SparseObjective::RowPart {
  double value = 0;
  Leads leads;
  std::vector<double> totals;  // of the factors, per output
};

SparseObjective::SparseObjective(const SparseProblem& problem, const Context& context)
    : problem_(problem),
      context_(context),
      features_(problem.matrix.cols),
      outputs_(problem.outputs),
      factor_(problem.matrix.rows() * problem.outputs),
      curve_(problem.matrix.rows() * problem.outputs) {
  const std::size_t rows = problem.matrix.rows();
  context.require_memory(problem.matrix.stored() * 20 + 2 * rows * outputs_ * sizeof(double),
                         "the transposed copy of the sparse rows");
  weight_ = problem.weights.empty() ? static_cast<double>(rows)
                                    : simd::sum(problem.weights.data(), problem.weights.size());
  transpose();
  take_units(context);
}

void SparseObjective::transpose() {
  const CsrMatrix& x = problem_.matrix;
  column_begin_.assign(features_ + 1, 0);
  for (const std::uint32_t j : x.index) ++column_begin_[j + 1];
  std::partial_sum(column_begin_.begin(), column_begin_.end(), column_begin_.begin());
  column_row_.resize(x.stored());
  column_value_.resize(x.stored());
  std::vector<std::uint64_t> next(column_begin_.begin(), column_begin_.end() - 1);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::uint64_t at = x.row_begin[i]; at < x.row_begin[i + 1]; ++at) {
      const std::uint64_t to = next[x.index[at]]++;
      column_row_[to] = static_cast<std::uint32_t>(i);
      column_value_[to] = x.value[at];
    }
  }
}

void SparseObjective::take_units(const Context& context) {
  units_ = {std::vector<double>(features_, 0.0), std::vector<double>(features_, 0.0)};
  offset_.assign(features_, 0.0);
  l2_.assign(features_, 1.0);
  const bool shifts = problem_.intercept && problem_.intercept_l2 == 0;
  parallel::for_each_block(context, features_, kPartColumns, [&](parallel::Block block) {
    for (std::size_t j = block.begin; j < block.end; ++j) {
      double sum = 0;
      double stored = 0;
      for (std::uint64_t at = column_begin_[j]; at < column_begin_[j + 1]; ++at) {
        const double w = weight_of(column_row_[at]);
        stored += w;
        sum += w * column_value_[at];
      }
      const double mean = shifts ? sum / weight_ : 0;
      double squares = (weight_ - stored) * mean * mean;
      for (std::uint64_t at = column_begin_[j]; at < column_begin_[j + 1]; ++at) {
        const double r = column_value_[at] - mean;
        squares += weight_of(column_row_[at]) * r * r;
      }
      const double variance = squares / weight_;
      const double extra = problem_.extra.empty() ? 0 : problem_.extra[j];
      const double scale = 1 / std::sqrt(problem_.curvature * variance + problem_.l2 + extra);
      // A column without spread takes no part and is held at 0 by a penalty of its own.
      const bool moves = extra > 0 || std::sqrt(variance) > 4 * kStepRounding * std::abs(mean);
      units_.shift[j] = mean;
      if (!std::isfinite(variance)) {
        units_.scale[j] = std::numeric_limits<double>::quiet_NaN();
      } else if (moves && std::isfinite(scale)) {
        units_.scale[j] = scale;
        l2_[j] = problem_.l2 * scale * scale;
      }
      offset_[j] = mean * units_.scale[j];
      for (std::uint64_t at = column_begin_[j]; at < column_begin_[j + 1]; ++at) {
        column_value_[at] *= units_.scale[j];
      }
    }
  });
  const CsrMatrix& x = problem_.matrix;
  value_.resize(x.stored());
  for (std::size_t at = 0; at < x.stored(); ++at) {
    value_[at] = x.value[at] * units_.scale[x.index[at]];
  }
}

std::vector<double> SparseObjective::constants(std::span<const double> c) const {
  const auto body = [&](parallel::Block block) {
    std::vector<double> part(outputs_, 0.0);
    for (std::size_t j = block.begin; j < block.end; ++j) {
      for (std::size_t k = 0; k < outputs_; ++k) part[k] -= offset_[j] * c[j * outputs_ + k];
    }
    return part;
  };
  std::vector<double> out = parallel::reduce_ordered<std::vector<double>>(
      context_, features_, 4 * kPartColumns, body,
      [](std::vector<double>& total, std::vector<double>&& part) { add_to(total, part); });
  for (std::size_t k = 0; k < outputs_ && problem_.intercept; ++k) {
    out[k] += c[features_ * outputs_ + k];
  }
  return out;
}

void SparseObjective::scores(std::span<const double> c, std::span<const double> constant,
                             std::size_t row, double* out) const {
  const CsrMatrix& x = problem_.matrix;
  std::copy(constant.begin(), constant.end(), out);
  const std::uint64_t at = x.row_begin[row];
  simd::add_scaled_rows({x.index.data() + at, value_.data() + at, x.row_begin[row + 1] - at},
                        c.data(), outputs_, out);
}

void SparseObjective::softmax_losses(std::size_t begin, std::size_t end, RowPart& part) {
  double value[kLossRows];
  const std::size_t count = end - begin;
  double* p = curve_.data() + begin * outputs_;
  cross_entropy_block(p, problem_.targets.data() + begin, count, outputs_, value);
  for (std::size_t i = begin; i < end; ++i, p += outputs_) {
    const double weight = weight_of(i);
    if (weight != 0) part.value += weight * value[i - begin];
    double* slope = factor_.data() + i * outputs_;
    for (std::size_t k = 0; k < outputs_; ++k) slope[k] = weight * p[k];
    slope[static_cast<std::size_t>(problem_.targets[i])] -= weight;
  }
}

void SparseObjective::separate_losses(std::size_t begin, std::size_t end, RowPart& part) {
  double target[kLossRows];
  double score[kLossRows];
  double value[kLossRows];
  double slope[kLossRows];
  double curvature[kLossRows];
  const std::size_t count = end - begin;
  for (std::size_t k = 0; k < outputs_; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      const double y = problem_.targets[begin + i];
      score[i] = curve_[(begin + i) * outputs_ + k];
      target[i] = outputs_ == 1 ? y : (y == static_cast<double>(k) ? 1.0 : 0.0);
    }
    loss_block(problem_.loss, score, target, count, {value, slope, curvature});
    for (std::size_t i = 0; i < count; ++i) {
      const double weight = weight_of(begin + i);
      if (weight != 0) part.value += weight * value[i];
      factor_[(begin + i) * outputs_ + k] = weight * slope[i];
      curve_[(begin + i) * outputs_ + k] = weight * curvature[i];
    }
  }
}

SparseObjective::RowPart SparseObjective::losses(std::span<const double> c,
                                                 std::span<const double> constant,
                                                 std::size_t begin, std::size_t end) {
  RowPart part;
  part.totals.assign(outputs_, 0.0);
  const bool softmax = outputs_ > 1 && problem_.kind == Outputs::softmax;
  for (std::size_t first = begin; first < end; first += kLossRows) {
    const std::size_t last = std::min(first + kLossRows, end);
    for (std::size_t i = first; i < last; ++i) {
      double* score = curve_.data() + i * outputs_;
      scores(c, constant, i, score);
      if (weight_of(i) != 0) part.leads.add(score, outputs_, problem_.targets[i]);
    }
    softmax ? softmax_losses(first, last, part) : separate_losses(first, last, part);
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t k = 0; k < outputs_; ++k) part.totals[k] += factor_[i * outputs_ + k];
    }
  }
  return part;
}

double SparseObjective::operator()(std::span<const double> c, std::span<double> gradient) {
  const std::vector<double> constant = constants(c);
  const RowPart total = parallel::reduce_ordered<RowPart>(
      context_, problem_.matrix.rows(), kSparsePartRows,
      [&](parallel::Block block) { return losses(c, constant, block.begin, block.end); },
      [](RowPart& sum, RowPart&& part) {
        sum.value += part.value;
        sum.leads.join(part.leads);
        add_to(sum.totals, part.totals);
      });
  leads_ = total.leads;
  collect(total.totals, c, gradient);
  return total.value / weight_ + penalty(c);
}

void SparseObjective::bend(std::size_t row, const double* change, double* out) const {
  const double* curve = curve_.data() + row * outputs_;
  if (outputs_ == 1 || problem_.kind == Outputs::one_vs_rest) {
    for (std::size_t k = 0; k < outputs_; ++k) out[k] = curve[k] * change[k];
    return;
  }
  double mean = 0;
  for (std::size_t k = 0; k < outputs_; ++k) mean += curve[k] * change[k];
  const double weight = weight_of(row);
  for (std::size_t k = 0; k < outputs_; ++k) out[k] = weight * curve[k] * (change[k] - mean);
}

void SparseObjective::product(std::span<const double> v, std::span<double> out) {
  const std::vector<double> constant = constants(v);
  const std::vector<double> totals = parallel::reduce_ordered<std::vector<double>>(
      context_, problem_.matrix.rows(), kSparsePartRows,
      [&](parallel::Block block) {
        std::vector<double> total(outputs_, 0.0);
        std::vector<double> change(outputs_);
        for (std::size_t i = block.begin; i < block.end; ++i) {
          scores(v, constant, i, change.data());
          double* bent = factor_.data() + i * outputs_;
          bend(i, change.data(), bent);
          for (std::size_t k = 0; k < outputs_; ++k) total[k] += bent[k];
        }
        return total;
      },
      [](std::vector<double>& total, std::vector<double>&& part) { add_to(total, part); });
  collect(totals, v, out);
}

void SparseObjective::collect(std::span<const double> totals, std::span<const double> c,
                              std::span<double> out) {
  const double share = 1 / weight_;
  parallel::for_each_block(context_, features_, kPartColumns, [&](parallel::Block block) {
    for (std::size_t j = block.begin; j < block.end; ++j) {
      double* sums = out.data() + j * outputs_;
      for (std::size_t k = 0; k < outputs_; ++k) sums[k] = -offset_[j] * totals[k];
      const std::uint64_t at = column_begin_[j];
      simd::add_scaled_rows(
          {column_row_.data() + at, column_value_.data() + at, column_begin_[j + 1] - at},
          factor_.data(), outputs_, sums);
      for (std::size_t k = 0; k < outputs_; ++k) {
        sums[k] = sums[k] * share + l2_[j] * c[j * outputs_ + k];
      }
    }
  });
  for (std::size_t k = 0; k < outputs_ && problem_.intercept; ++k) {
    const std::size_t at = features_ * outputs_ + k;
    out[at] = totals[k] * share + problem_.intercept_l2 * c[at];
  }
}

double SparseObjective::penalty(std::span<const double> c) const {
  double constants = 0;
  for (const double b : c.subspan(features_ * outputs_)) {
    constants += 0.5 * problem_.intercept_l2 * b * b;
  }
  return constants + parallel::reduce_ordered<double>(
                         context_, features_, 4 * kPartColumns,
                         [&](parallel::Block block) {
                           double sum = 0;
                           for (std::size_t j = block.begin; j < block.end; ++j) {
                             const double* row = c.data() + j * outputs_;
                             double square = 0;
                             for (std::size_t k = 0; k < outputs_; ++k) square += row[k] * row[k];
                             sum += 0.5 * l2_[j] * square;
                           }
                           return sum;
                         },
                         [](double& total, double part) { total += part; });
}

void SparseObjective::to_data(std::span<const double> c, linalg::Matrix& w,
                              std::vector<double>& intercept) const {
  w = linalg::Matrix::zeros(outputs_, features_);
  intercept.assign(outputs_, 0.0);
  const std::vector<double> constant = constants(c);
  for (std::size_t k = 0; k < outputs_; ++k) {
    for (std::size_t j = 0; j < features_; ++j) w(k, j) = c[j * outputs_ + k] * units_.scale[j];
    if (problem_.intercept) intercept[k] = constant[k];
  }
}

void SparseObjective::take_out_penalty(std::span<const double> c,
                                       std::span<double> gradient) const {
  for (std::size_t at = 0; at < c.size(); ++at) {
    const std::size_t j = at / outputs_;
    gradient[at] -= (j < features_ ? l2_[j] : problem_.intercept_l2) * c[at];
  }
}

double SparseObjective::bend_of(std::size_t row, std::size_t output) const {
  const double curve = curve_[row * outputs_ + output];
  if (outputs_ == 1 || problem_.kind == Outputs::one_vs_rest) return curve;
  return weight_of(row) * curve * (1 - curve);
}

std::vector<double> SparseObjective::diagonal() const {
  const std::size_t width = features_ + (problem_.intercept ? 1 : 0);
  std::vector<double> bends(problem_.matrix.rows() * outputs_);
  std::vector<double> out(size(), 0.0);
  for (std::size_t i = 0; i < problem_.matrix.rows(); ++i) {
    for (std::size_t k = 0; k < outputs_; ++k) {
      bends[i * outputs_ + k] = bend_of(i, k);
      if (problem_.intercept) out[k * width + features_] += bends[i * outputs_ + k];
    }
  }
  parallel::for_each_block(context_, features_, kPartColumns, [&](parallel::Block block) {
    std::vector<double> squares;
    std::vector<double> sums(outputs_);
    for (std::size_t j = block.begin; j < block.end; ++j) {
      if (!(units_.scale[j] > 0)) continue;
      squares.clear();
      for (std::uint64_t at = column_begin_[j]; at < column_begin_[j + 1]; ++at) {
        const double x = column_value_[at] / units_.scale[j];
        squares.push_back(x * x);
      }
      std::fill(sums.begin(), sums.end(), 0.0);
      simd::add_scaled_rows({column_row_.data() + column_begin_[j], squares.data(), squares.size()},
                            bends.data(), outputs_, sums.data());
      for (std::size_t k = 0; k < outputs_; ++k) out[k * width + j] = sums[k];
    }
  });
  return out;
}

std::vector<double> SparseObjective::by_feature(std::span<const double> c) const {
  const std::size_t width = features_ + (problem_.intercept ? 1 : 0);
  std::vector<double> out(c.size());
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t k = 0; k < outputs_; ++k) out[j * outputs_ + k] = c[k * width + j];
  }
  return out;
}

std::vector<double> SparseObjective::by_output(std::span<const double> c) const {
  const std::size_t width = features_ + (problem_.intercept ? 1 : 0);
  std::vector<double> out(c.size());
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t k = 0; k < outputs_; ++k) out[k * width + j] = c[j * outputs_ + k];
  }
  return out;
}

}  // namespace gradus
