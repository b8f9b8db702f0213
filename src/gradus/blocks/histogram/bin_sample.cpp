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

// That are held at a time (8 MB), where columns can be read in parts.
constexpr std::size_t kCellsTogether = std::size_t{1} << 20U;

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

void BinSample::for_columns(const Features& features, std::span<const double> weights,
                            const Context& context, const TakeColumns& take) const {
  if (features.sparse() != nullptr) return sparse_columns(*features.sparse(), weights, take);
  dense_columns(features, weights, context, take);
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

// Column by column, each as long as the sample.
void BinSample::gather(const Features& features, std::size_t first, std::size_t count,
                       const Context& context, double* numbers) const {
  // A line of memory takes the numbers of so many rows.
  constexpr std::size_t kTogether = 8;
  const std::size_t size = chosen_.size();
  parallel::for_each_block(context, size, 64 * kTogether, [&](parallel::Block block) {
    std::array<std::vector<double>, kTogether> scratch;
    std::array<const double*, kTogether> rows;
    for (std::size_t begin = block.begin; begin < block.end; begin += kTogether) {
      const std::size_t here = std::min(kTogether, block.end - begin);
      for (std::size_t i = 0; i < here; ++i) {
        const std::size_t row = chosen_[begin + i];
        rows[i] = features.block(row, row + 1, scratch[i]).data + first;
      }
      for (std::size_t j = 0; j < count; ++j) {
        double* to = numbers + j * size + begin;
        for (std::size_t i = 0; i < here; ++i) to[i] = rows[i][j];
      }
    }
  });
}

void BinSample::dense_columns(const Features& features, std::span<const double> weights,
                              const Context& context, const TakeColumns& take) const {
  const std::size_t cols = features.cols();
  const std::size_t size = chosen_.size();
  if (cols == 0 || size == 0) return take(0, std::vector<SampledColumn>(cols));
  std::vector<double> scratch;
  const bool as_it_is = features.block(0, 1, scratch).data != scratch.data();
  // Rows that must be prepared are prepared once.
  const std::size_t together =
      as_it_is ? std::clamp<std::size_t>(kCellsTogether / size, 1, cols) : cols;
  context.require_memory(size * together * sizeof(double), "the sample that bins are made from");
  std::vector<double> numbers;
  reserve_large_pages(numbers, size * together);
  numbers.resize(size * together);
  for (std::size_t first = 0; first < cols; first += together) {
    const std::size_t count = std::min(together, cols - first);
    gather(features, first, count, context, numbers.data());
    take(first, parallel::map_slots<SampledColumn>(context, count, [&](std::size_t j) {
           double* own = numbers.data() + j * size;
           std::size_t kept = 0;
           for (std::size_t i = 0; i < size; ++i) {
             own[kept] = own[i];
             kept += !std::isnan(own[i]) && weighs(weights, chosen_[i]) ? 1 : 0;
           }
           return SampledColumn{{own, kept}};
         }));
  }
}

void BinSample::sparse_columns(const CsrMatrix& matrix, std::span<const double> weights,
                               const TakeColumns& take) const {
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
  std::vector<SampledColumn> columns(matrix.cols, {.zeros = rows.size()});
  for_stored([&](std::uint32_t j, double x) {
    --columns[j].zeros;
    present[j] += std::isnan(x) ? 0 : 1;
  });
  std::vector<double> numbers(std::accumulate(present.begin(), present.end(), std::size_t{0}));
  std::vector<std::size_t> next(matrix.cols);
  std::exclusive_scan(present.begin(), present.end(), next.begin(), std::size_t{0});
  for (std::size_t j = 0; j < matrix.cols; ++j) {
    columns[j].numbers = std::span(numbers).subspan(next[j], present[j]);
  }
  for_stored([&](std::uint32_t j, double x) {
    if (!std::isnan(x)) numbers[next[j]++] = x;
  });
  take(0, columns);
}

}  // namespace gradus
