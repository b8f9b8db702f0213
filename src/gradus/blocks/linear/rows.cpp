#include "gradus/blocks/linear/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {
constexpr std::size_t kBlockRows = 256;
}  // namespace

LinearRows::LinearRows(const Features& features, const Context& context)
    : rows_(features.rows()), features_(features.cols()), sparse_(features.sparse()) {
  if (sparse_ != nullptr) return;
  every_.resize(features_);
  std::iota(every_.begin(), every_.end(), std::uint32_t{0});
  dense_ = features.block(0, rows_, copy_).data;
  if (!copy_.empty()) context.require_memory(copy_.size() * sizeof(double), "a table of the rows");
}

// Four sums, so that additions do not wait for each other.
double LinearRows::sparse_dot(std::size_t i, const double* w) const {
  const std::uint64_t begin = sparse_->row_begin[i];
  const std::size_t count = sparse_->row_begin[i + 1] - begin;
  const std::uint32_t* index = sparse_->index.data() + begin;
  const double* value = sparse_->value.data() + begin;
  double sum[4] = {};
  std::size_t at = 0;
  for (; at + 4 <= count; at += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      sum[lane] += value[at + lane] * w[index[at + lane]];
    }
  }
  for (; at < count; ++at) sum[0] += value[at] * w[index[at]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

bool LinearRows::are_mostly_zero() const {
  constexpr std::size_t kManyColumns = 100;
  constexpr double kFew = 0.1;
  if (features_ < kManyColumns) return false;
  std::size_t used = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    for_each(i, [&](std::size_t, double) { ++used; });
  }
  return static_cast<double>(used) <
         kFew * static_cast<double>(rows_) * static_cast<double>(features_);
}

double LinearRows::square(std::size_t i) const {
  double total = 0;
  for_each(i, [&](std::size_t, double x) { total += x * x; });
  return total;
}

void require_squares(const LinearRows& rows, const Signature& signature) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (std::isfinite(rows.square(i))) continue;
    std::size_t worst = 0;
    double largest = 0;
    rows.for_each(i, [&](std::size_t j, double x) {
      if (std::abs(x) <= largest) return;
      largest = std::abs(x);
      worst = j;
    });
    throw Error(ErrorKind::numerical, "column " + in_quotes(signature.features[worst].name),
                "the magnitude of its numbers is too large to compute with",
                "divide the column by a power of ten, or look for wrong values in it");
  }
}

CsrMatrix as_sparse(const Features& features, const Context& context) {
  const std::size_t d = features.cols();
  context.require_memory(features.rows() * d * 12, "the rows without their zeros");
  CsrArrays out;
  out.cols = d;
  std::vector<double> scratch;
  for (std::size_t begin = 0; begin < features.rows(); begin += kBlockRows) {
    context.stop_if_cancelled();
    const std::size_t end = std::min(begin + kBlockRows, features.rows());
    const RowBlock block = features.block(begin, end, scratch);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const auto row = block.row(i);
      for (std::size_t j = 0; j < d; ++j) {
        if (row[j] == 0) continue;
        out.add(static_cast<std::uint32_t>(j), row[j]);
      }
      out.end_row();
    }
  }
  return CsrMatrix(std::move(out));
}

}  // namespace gradus
