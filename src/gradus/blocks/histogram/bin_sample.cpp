#include "gradus/blocks/histogram/bin_sample.hpp"

#include <algorithm>
#include <cmath>

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

std::vector<SampledColumn> BinSample::columns(const Features& features,
                                              std::span<const double> weights,
                                              const Context& context) const {
  return features.sparse() != nullptr ? sparse_columns(*features.sparse(), weights)
                                      : dense_columns(features, weights, context);
}

SampledColumn BinSample::column(std::span<const double> numbers,
                                std::span<const double> weights) const {
  SampledColumn out;
  out.numbers.reserve(chosen_.size());
  for (const std::size_t row : chosen_) {
    if (!std::isnan(numbers[row]) && weighs(weights, row)) out.numbers.push_back(numbers[row]);
  }
  return out;
}

std::vector<SampledColumn> BinSample::dense_columns(const Features& features,
                                                    std::span<const double> weights,
                                                    const Context& context) const {
  const std::size_t cols = features.cols();
  context.require_memory(chosen_.size() * cols * sizeof(double),
                         "the sample that bins are made from");
  std::vector<SampledColumn> columns(cols);
  for (SampledColumn& column : columns) column.numbers.resize(chosen_.size());
  parallel::for_each_block(context, chosen_.size(), 512, [&](parallel::Block block) {
    std::vector<double> scratch;
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const RowBlock row = features.block(chosen_[i], chosen_[i] + 1, scratch);
      for (std::size_t j = 0; j < cols; ++j) columns[j].numbers[i] = row.data[j];
    }
  });
  parallel::for_each_index(context, cols, [&](std::size_t j) {
    std::vector<double>& numbers = columns[j].numbers;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!std::isnan(numbers[i]) && weighs(weights, chosen_[i])) numbers[kept++] = numbers[i];
    }
    numbers.resize(kept);
  });
  return columns;
}

std::vector<SampledColumn> BinSample::sparse_columns(const CsrMatrix& matrix,
                                                     std::span<const double> weights) const {
  std::vector<SampledColumn> columns(matrix.cols);
  std::vector<std::size_t> stored(matrix.cols, 0);
  std::size_t kept = 0;
  for (const std::size_t row : chosen_) {
    if (!weighs(weights, row)) continue;
    ++kept;
    const auto index = matrix.row_index(row);
    const auto value = matrix.row_value(row);
    for (std::size_t at = 0; at < index.size(); ++at) {
      ++stored[index[at]];
      if (!std::isnan(value[at])) columns[index[at]].numbers.push_back(value[at]);
    }
  }
  for (std::size_t j = 0; j < columns.size(); ++j) columns[j].zeros = kept - stored[j];
  return columns;
}

}  // namespace gradus
