#include "gradus/data/survey.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "gradus/core/hash.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/columns.hpp"

namespace gradus {
namespace {

// Rows of a block: with 50 columns it stays in the first-level cache while its columns are visited.
constexpr std::size_t kBlockRows = 64;
// Rows per parallel part: also the unit of the fingerprint, so it is part of
// its definition.
constexpr std::size_t kPartRows = 16384;

// Well-mixed keys for the rows of a part (the finaliser of SplitMix64), so that
// swapped rows show.
std::vector<std::uint64_t> row_keys() {
  std::vector<std::uint64_t> keys(kPartRows);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    keys[i] = z ^ (z >> 31);
  }
  return keys;
}

// The numeric columns of a table as blocks of rows.
class Numbers {
 public:
  explicit Numbers(const Dataset& data) {
    for (const Column& column : data.columns()) {
      if (column.is_numeric()) columns_.push_back(&column);
    }
  }

  std::size_t cols() const { return columns_.size(); }

  // Column [first, first + count) of neighbours in one row-major matrix of
  // doubles.
  std::size_t run_from(std::size_t first) const {
    std::size_t count = 1;
    while (first + count < cols() && follows(*columns_[first], *columns_[first + count], count)) {
      ++count;
    }
    return count;
  }

  // Rows of a run of columns: where they are, or packed into `scratch`.
  simd::Rows rows(std::size_t first, std::size_t count, parallel::Block block,
                  std::vector<double>& scratch) const {
    const Column& column = *columns_[first];
    const std::byte* at =
        column.data() + static_cast<std::ptrdiff_t>(block.begin) * column.stride();
    const bool whole = column.element_type() == ElementType::float64 &&
                       column.stride() % static_cast<std::ptrdiff_t>(sizeof(double)) == 0 &&
                       column.stride() > 0;
    if (whole && (count > 1 || column.stride() == sizeof(double))) {
      const auto stride = static_cast<std::size_t>(column.stride()) / sizeof(double);
      return {reinterpret_cast<const double*>(at), block.size(), stride};
    }
    scratch.resize(block.size());
    for (std::size_t i = 0; i < block.size(); ++i, at += column.stride()) {
      if (column.element_type() == ElementType::float64) {
        std::memcpy(&scratch[i], at, sizeof(double));
      } else {
        float value;
        std::memcpy(&value, at, sizeof value);
        scratch[i] = static_cast<double>(value);
      }
    }
    return {scratch.data(), block.size(), 1};
  }

 private:
  static bool follows(const Column& first, const Column& next, std::size_t distance) {
    return first.element_type() == ElementType::float64 &&
           next.element_type() == ElementType::float64 && first.stride() == next.stride() &&
           first.stride() > static_cast<std::ptrdiff_t>(distance * sizeof(double)) &&
           next.data() == first.data() + distance * sizeof(double);
  }

  std::vector<const Column*> columns_;
};

// What one part of the rows says about each numeric column.
struct Part {
  explicit Part(std::size_t cols = 0)
      : count(cols), mean(cols), missing(cols), infinite(cols), check(cols) {}
  std::vector<double> count;  // rows that have a value
  std::vector<double> mean;
  std::vector<double> missing;
  std::vector<double> infinite;
  std::vector<std::uint64_t> check;
};

void join_mean(double& count, double& mean, double more, double other) {
  if (more == 0) return;
  count += more;
  mean += (other - mean) * (more / count);
}

// A value of each column near its numbers: sums of differences to it keep their
// digits.
void find_origins(const simd::Rows& rows, std::span<double> origin) {
  for (std::size_t j = 0; j < origin.size(); ++j) {
    origin[j] = 0;
    for (std::size_t i = 0; i < rows.count; ++i) {
      const double x = rows.data[i * rows.stride + j];
      if (!std::isfinite(x)) continue;
      origin[j] = x;
      break;
    }
  }
}

Part look_at(const Numbers& numbers, parallel::Block rows, std::span<const std::uint64_t> keys) {
  Part out(numbers.cols());
  std::vector<double> scratch;
  std::vector<double> origin(numbers.cols());
  std::vector<double> sum(numbers.cols());
  std::vector<double> missing(numbers.cols());
  for (std::size_t begin = rows.begin; begin < rows.end; begin += kBlockRows) {
    const parallel::Block block{begin, std::min(begin + kBlockRows, rows.end), 0};
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(missing.begin(), missing.end(), 0.0);
    for (std::size_t first = 0; first < numbers.cols();) {
      const std::size_t count = numbers.run_from(first);
      const simd::Rows run = numbers.rows(first, count, block, scratch);
      find_origins(run, std::span(origin).subspan(first, count));
      simd::look_at_columns(run, count, origin.data() + first, keys.data() + (begin - rows.begin),
                            {sum.data() + first, missing.data() + first,
                             out.infinite.data() + first, out.check.data() + first});
      first += count;
    }
    for (std::size_t j = 0; j < numbers.cols(); ++j) {
      const double present = static_cast<double>(block.size()) - missing[j];
      out.missing[j] += missing[j];
      join_mean(out.count[j], out.mean[j], present, origin[j] + sum[j] / std::max(present, 1.0));
    }
  }
  return out;
}

void add_other_column(Hasher& hasher, const Column& column) {
  if (column.is_categorical()) {
    for (const std::string& level : column.levels()) hasher.add(level);
    std::vector<std::int32_t> codes(column.size());
    for (std::size_t row = 0; row < codes.size(); ++row) codes[row] = column.code(row);
    hasher.add(std::as_bytes(std::span(codes)));
    return;
  }
  for (std::size_t row = 0; row < column.size(); ++row) hasher.add(column.text_at(row));
}

std::string fingerprint_of(const Dataset& data, const std::vector<Part>& parts) {
  Hasher hasher;
  hasher.add(std::uint64_t{data.rows()});
  std::size_t number = 0;
  for (const Column& column : data.columns()) {
    hasher.add(column.name());
    hasher.add(kind_word(column.kind()));
    if (column.is_numeric()) {
      for (const Part& part : parts) hasher.add(part.check[number]);
      ++number;
    } else {
      add_other_column(hasher, column);
    }
  }
  if (!data.weights().empty()) hasher.add(std::as_bytes(data.weights()));
  if (data.sparse()) {
    const CsrMatrix& matrix = *data.sparse()->matrix;
    hasher.add(std::uint64_t{matrix.cols});
    hasher.add(std::as_bytes(std::span(matrix.row_begin)));
    hasher.add(std::as_bytes(std::span(matrix.index)));
    hasher.add(std::as_bytes(std::span(matrix.value)));
  }
  return hasher.hex();
}

}  // namespace

Survey survey(const Dataset& data, const Context& context) {
  static const std::vector<std::uint64_t> keys = row_keys();
  const Numbers numbers(data);
  const std::size_t rows = numbers.cols() == 0 ? 0 : data.rows();
  std::vector<Part> parts(parallel::block_count(rows, kPartRows));
  parallel::for_each_block(context, rows, kPartRows, [&](parallel::Block block) {
    parts[block.index] = look_at(numbers, block, keys);
  });
  Survey out;
  out.fingerprint = fingerprint_of(data, parts);
  std::size_t number = 0;
  for (const Column& column : data.columns()) {
    ColumnSurvey& facts = out.columns.emplace_back();
    if (!column.is_numeric()) continue;
    double count = 0;
    double missing = 0;
    double infinite = 0;
    for (const Part& part : parts) {
      join_mean(count, facts.mean, part.count[number], part.mean[number]);
      missing += part.missing[number];
      infinite += part.infinite[number];
    }
    facts.missing = static_cast<std::size_t>(missing);
    facts.infinite = static_cast<std::size_t>(infinite);
    ++number;
  }
  return out;
}

}  // namespace gradus
