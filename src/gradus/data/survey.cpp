#include "gradus/data/survey.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "gradus/core/hash.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/columns.hpp"

namespace gradus {
namespace {

// Rows of a block: with 50 columns it stays in the first-level cache while its columns are visited.
constexpr std::size_t kBlockRows = 64;
// Rows that are packed together when columns lie apart: long enough to read each column in a row.
constexpr std::size_t kStripRows = 4 * kBlockRows;
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

bool holds_doubles(const Column& column, std::ptrdiff_t stride) {
  return column.element_type() == ElementType::float64 && column.stride() == stride;
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

  // How many columns from `first` on are read together: those of one row-major matrix of doubles
  // where they are, others packed side by side.
  std::size_t run_from(std::size_t first) const {
    std::size_t count = in_matrix_from(first);
    if (count > 1) return count;
    while (count < kPackedColumns && first + count < cols() && in_matrix_from(first + count) == 1) {
      ++count;
    }
    return count;
  }

  // Rows of a run of columns: where they are, or packed into `scratch`.
  simd::Rows rows(std::size_t first, std::size_t count, parallel::Block block,
                  std::vector<double>& scratch) const {
    const Column& column = *columns_[first];
    if (in_matrix_from(first) > 1 || (count == 1 && holds_doubles(column, sizeof(double)))) {
      const auto stride = static_cast<std::size_t>(column.stride()) / sizeof(double);
      return {reinterpret_cast<const double*>(address(column, block.begin)), block.size(), stride};
    }
    scratch.resize(block.size() * count);
    for (std::size_t j = 0; j < count;) j += pack(first + j, count - j, block, &scratch[j], count);
    return {scratch.data(), block.size(), count};
  }

 private:
  // Columns that are packed together: few enough for a strip of rows to stay in the cache.
  static constexpr std::size_t kPackedColumns = 64;

  static const std::byte* address(const Column& column, std::size_t row) {
    return column.data() + static_cast<std::ptrdiff_t>(row) * column.stride();
  }

  std::size_t in_matrix_from(std::size_t first) const {
    std::size_t count = 1;
    while (first + count < cols() && follows(*columns_[first], *columns_[first + count], count)) {
      ++count;
    }
    return count;
  }

  static bool follows(const Column& first, const Column& next, std::size_t distance) {
    return holds_doubles(first, first.stride()) && holds_doubles(next, first.stride()) &&
           first.stride() % static_cast<std::ptrdiff_t>(sizeof(double)) == 0 &&
           first.stride() > static_cast<std::ptrdiff_t>(distance * sizeof(double)) &&
           next.data() == first.data() + distance * sizeof(double);
  }

  // Packs contiguous columns of doubles or the rows of a matrix of floats together, or one column
  // of another kind; returns how many.
  std::size_t pack(std::size_t first, std::size_t most, parallel::Block block, double* out,
                   std::size_t out_stride) const {
    std::vector<const double*> starts;
    for (std::size_t j = first; j < first + most && holds_doubles(*columns_[j], sizeof(double));
         ++j) {
      starts.push_back(reinterpret_cast<const double*>(address(*columns_[j], block.begin)));
    }
    if (!starts.empty()) {
      simd::rows_from_columns(starts.data(), starts.size(), block.size(), out, out_stride);
      return starts.size();
    }
    const Column& column = *columns_[first];
    if (const std::size_t floats = floats_from(first, most); floats > 1) {
      for (std::size_t i = 0; i < block.size(); ++i) {
        simd::widen(reinterpret_cast<const float*>(address(column, block.begin + i)), floats,
                    out + i * out_stride);
      }
      return floats;
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
      out[i * out_stride] = column.number(block.begin + i);
    }
    return 1;
  }

  // How many columns from `first` on, at most `most`, stand side by side in a matrix of floats.
  std::size_t floats_from(std::size_t first, std::size_t most) const {
    const Column& column = *columns_[first];
    std::size_t count = 0;
    while (count < most && columns_[first + count]->element_type() == ElementType::float32 &&
           columns_[first + count]->stride() == column.stride() &&
           columns_[first + count]->data() == column.data() + count * sizeof(float)) {
      ++count;
    }
    return count;
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

// One run of columns over all rows of a part, strip by strip.
void look_at_run(const Numbers& numbers, parallel::Block part, std::size_t first, std::size_t count,
                 std::span<const std::uint64_t> keys, Part& out) {
  std::vector<double> scratch;
  std::vector<double> origin(count);
  std::vector<double> sum(count);
  std::vector<double> missing(count);
  for (std::size_t begin = part.begin; begin < part.end; begin += kStripRows) {
    const parallel::Block strip{begin, std::min(begin + kStripRows, part.end), 0};
    const simd::Rows all = numbers.rows(first, count, strip, scratch);
    for (std::size_t row = 0; row < all.count; row += kBlockRows) {
      const simd::Rows block{all.data + row * all.stride, std::min(kBlockRows, all.count - row),
                             all.stride};
      std::fill(sum.begin(), sum.end(), 0.0);
      std::fill(missing.begin(), missing.end(), 0.0);
      const std::uint64_t* key = keys.data() + (begin + row - part.begin);
      const simd::ColumnTotals totals{sum.data(), missing.data(), &out.infinite[first],
                                      &out.check[first]};
      // Reading a block from end to end brings it into the cache faster than column by column, and
      // nearly always there is nothing else to look for.
      if (block.stride == count && simd::all_finite(block.data, block.count * count)) {
        std::copy_n(block.data, count, origin.data());
        simd::look_at_finite_columns(block, count, origin.data(), key, totals);
      } else {
        find_origins(block, origin);
        simd::look_at_columns(block, count, origin.data(), key, totals);
      }
      for (std::size_t j = 0; j < count; ++j) {
        const double present = static_cast<double>(block.count) - missing[j];
        out.missing[first + j] += missing[j];
        join_mean(out.count[first + j], out.mean[first + j], present,
                  origin[j] + sum[j] / std::max(present, 1.0));
      }
    }
  }
}

Part look_at(const Numbers& numbers, parallel::Block rows, std::span<const std::uint64_t> keys) {
  Part out(numbers.cols());
  for (std::size_t first = 0; first < numbers.cols();) {
    const std::size_t count = numbers.run_from(first);
    look_at_run(numbers, rows, first, count, keys, out);
    first += count;
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

// An array by the hashes of its pieces, which several threads find.
void add_long_array(Hasher& hasher, std::span<const std::byte> bytes, const Context& context) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 20;  // part of the definition
  std::vector<std::uint64_t> pieces(parallel::block_count(bytes.size(), kPieceBytes));
  parallel::for_each_block(context, bytes.size(), kPieceBytes, [&](parallel::Block block) {
    pieces[block.index] = hash64(bytes.subspan(block.begin, block.size()));
  });
  hasher.add(std::uint64_t{bytes.size()});
  hasher.add(std::as_bytes(std::span(pieces)));
}

std::string fingerprint_of(const Dataset& data, const std::vector<Part>& parts,
                           const Context& context) {
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
    for (const std::span<const std::byte> array :
         {std::as_bytes(matrix.row_begin), std::as_bytes(matrix.index),
          std::as_bytes(matrix.value)}) {
      add_long_array(hasher, array, context);
    }
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
  out.fingerprint = fingerprint_of(data, parts, context);
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
