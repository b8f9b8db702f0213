#include "gradus/blocks/histogram/bin_sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "gradus/core/pages.hpp"
#include "gradus/core/random.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Numbers that quantiles are taken from: enough that a bin of 1/255 is met hundreds of times.
constexpr std::size_t kMostSampled = std::size_t{1} << 17U;
constexpr std::size_t kLeastSampled = std::size_t{1} << 14U;
constexpr std::size_t kSampleCells = std::size_t{1} << 24U;

// The stream of the sample: fixed, since bins are no random choice of the user.
constexpr std::uint32_t kSamplePurpose = 0x62696e73;

// One row of each of `count` equal stretches, so that the sample follows the table from end to end.
std::vector<std::size_t> sample_rows(std::size_t rows, std::size_t count) {
  std::vector<std::size_t> chosen(count);
  Stream stream(0, 0, kSamplePurpose);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * rows / count;
    const std::size_t end = (i + 1) * rows / count;
    chosen[i] = begin + (count == rows ? 0 : stream.below(end - begin));
  }
  return chosen;
}

bool weighs(std::span<const double> weights, std::size_t row) {
  return weights.empty() || weights[row] > 0;
}

}  // namespace

BinSample::BinSample(std::size_t rows, std::size_t cols) {
  const std::size_t limit =
      std::clamp(kSampleCells / std::max<std::size_t>(1, cols), kLeastSampled, kMostSampled);
  chosen_ = sample_rows(rows, std::min(rows, limit));
}

SampledColumns BinSample::columns(const Features& features, std::span<const double> weights,
                                  const Context& context) const {
  return features.sparse() != nullptr ? sparse_columns(*features.sparse(), weights)
                                      : dense_columns(features, weights, context);
}

std::vector<double> BinSample::column(std::span<const double> numbers,
                                      std::span<const double> weights) const {
  std::vector<double> out;
  out.reserve(chosen_.size());
  for (const std::size_t row : chosen_) {
    if (!std::isnan(numbers[row]) && weighs(weights, row)) out.push_back(numbers[row]);
  }
  return out;
}

SampledColumns BinSample::dense_columns(const Features& features, std::span<const double> weights,
                                        const Context& context) const {
  const std::size_t cols = features.cols();
  const std::size_t size = chosen_.size();
  context.require_memory(size * cols * sizeof(double), "the sample that bins are made from");
  SampledColumns out;
  reserve_large_pages(out.numbers, size * cols);
  out.numbers.resize(size * cols);
  double* numbers = out.numbers.data();
  // A line of memory takes the numbers of so many rows.
  constexpr std::size_t kTogether = 8;
  parallel::for_each_block(context, size, 64 * kTogether, [&](parallel::Block block) {
    std::array<std::vector<double>, kTogether> scratch;
    std::array<const double*, kTogether> rows;
    for (std::size_t begin = block.begin; begin < block.end; begin += kTogether) {
      const std::size_t count = std::min(kTogether, block.end - begin);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = chosen_[begin + i];
        rows[i] = features.block(row, row + 1, scratch[i]).data;
      }
      for (std::size_t j = 0; j < cols; ++j) {
        double* to = numbers + j * size + begin;
        for (std::size_t i = 0; i < count; ++i) to[i] = rows[i][j];
      }
    }
  });
  out.columns = parallel::map_slots<SampledColumn>(context, cols, [&](std::size_t j) {
    double* own = numbers + j * size;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
      own[kept] = own[i];
      kept += !std::isnan(own[i]) && weighs(weights, chosen_[i]) ? 1 : 0;
    }
    return SampledColumn{{own, kept}};
  });
  return out;
}

SampledColumns BinSample::sparse_columns(const CsrMatrix& matrix,
                                         std::span<const double> weights) const {
  std::vector<std::size_t> rows;
  for (const std::size_t row : chosen_) {
    if (weighs(weights, row)) rows.push_back(row);
  }
  const auto for_stored = [&](const auto& body) {
    for (const std::size_t row : rows) {
      const auto index = matrix.row_index(row);
      const auto value = matrix.row_value(row);
      for (std::size_t at = 0; at < index.size(); ++at) body(index[at], value[at]);
    }
  };
  std::vector<std::size_t> present(matrix.cols, 0);
  SampledColumns out;
  out.columns.assign(matrix.cols, {.zeros = rows.size()});
  for_stored([&](std::uint32_t j, double x) {
    --out.columns[j].zeros;
    present[j] += std::isnan(x) ? 0 : 1;
  });
  out.numbers.resize(std::accumulate(present.begin(), present.end(), std::size_t{0}));
  std::vector<std::size_t> next(matrix.cols);
  std::exclusive_scan(present.begin(), present.end(), next.begin(), std::size_t{0});
  for (std::size_t j = 0; j < matrix.cols; ++j) {
    out.columns[j].numbers = std::span(out.numbers).subspan(next[j], present[j]);
  }
  for_stored([&](std::uint32_t j, double x) {
    if (!std::isnan(x)) out.numbers[next[j]++] = x;
  });
  return out;
}

}  // namespace gradus
