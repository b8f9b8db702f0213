#include "gradus/simd/scalar.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "gradus/simd/constants.hpp"

namespace gradus::simd::scalar {
namespace {

// The lanes of one sum, and the tree that folds them.
template <class T>
struct Lanes {
  T lane[kLanes<T>] = {};

  void add(std::size_t i, T term) { lane[i % kLanes<T>] += term; }
  T folded() {
    for (std::size_t half = kLanes<T> / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) lane[i] += lane[i + half];
    }
    return lane[0];
  }
};

template <class T>
T dot_of(const T* a, const T* b, std::size_t size) {
  Lanes<T> lanes;
  for (std::size_t i = 0; i < size; ++i) lanes.add(i, a[i] * b[i]);
  return lanes.folded();
}

template <class T>
std::size_t first_infinite_of(const T* x, std::size_t size) {
  std::size_t i = 0;
  while (i < size && !std::isinf(x[i])) ++i;
  return i;
}

// 2^k for a rounded number k that still carries kRoundToInteger.
double power_of_two(double shifted) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
}

double squared_distance(const double* row, const double* panel, std::size_t features) {
  double total = 0;
  for (std::size_t j = 0; j < features; ++j) {
    const double difference = row[j] - panel[j * PointTable::kPanel];
    total += difference * difference;
  }
  return total;
}

}  // namespace

double dot(const double* a, const double* b, std::size_t size) { return dot_of(a, b, size); }
float dot(const float* a, const float* b, std::size_t size) { return dot_of(a, b, size); }

double sum(const double* x, std::size_t size) {
  Lanes<double> lanes;
  for (std::size_t i = 0; i < size; ++i) lanes.add(i, x[i]);
  return lanes.folded();
}

void axpy(double alpha, const double* x, double* y, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) y[i] += alpha * x[i];
}

std::size_t first_infinite(const double* x, std::size_t size) { return first_infinite_of(x, size); }
std::size_t first_infinite(const float* x, std::size_t size) { return first_infinite_of(x, size); }

double exp(double x) {
  if (std::isnan(x)) return x;
  const double inside = std::fmin(std::fmax(x, kExpLowest), kExpHighest);
  const double shifted = inside * kLog2E + kRoundToInteger;
  const double k = shifted - kRoundToInteger;
  const double high = inside - k * kLn2High;
  const double low = k * kLn2Low;
  const double r = high - low;
  const double t = r * r;
  double p = kExpPoly[4];
  for (int i = 3; i >= 0; --i) p = p * t + kExpPoly[i];
  const double c = r - t * p;
  const double y = 1 - ((low - (r * c) / (2 - c)) - high);
  // Two halves of the exponent: the first product is exact, the second rounds once if denormal.
  const double half_shifted = k * 0.5 + kRoundToInteger;
  const double rest_shifted = (k - (half_shifted - kRoundToInteger)) + kRoundToInteger;
  return y * power_of_two(half_shifted) * power_of_two(rest_shifted);
}

double log(double x) {
  if (std::isnan(x) || x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  const bool denormal = x < kSmallestNormal;
  const double normal = denormal ? x * kTwo54 : x;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(normal) + (kOneBits - kSqrtHalfBits);
  const double exponent = std::bit_cast<double>((bits >> 52) | kTwo52Bits) - kTwo52;
  const double k = exponent - (denormal ? kExponentBias + 54 : kExponentBias);
  const double f = std::bit_cast<double>((bits & kMantissaBits) + kSqrtHalfBits) - 1;
  const double s = f / (2 + f);
  const double z = s * s;
  double p = kLogPoly[6];
  for (int i = 5; i >= 0; --i) p = p * z + kLogPoly[i];
  const double half_square = 0.5 * f * f;
  return k * kLn2High - ((half_square - (s * (half_square + z * p) + k * kLn2Low)) - f);
}

void exp(const double* x, double* out, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out[i] = exp(x[i]);
}

void log(const double* x, double* out, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out[i] = log(x[i]);
}

void add_moments(const GroupedRows& rows, const GroupMoments& moments) {
  for (std::size_t i = 0; i < rows.rows.count; ++i) {
    const double* x = rows.rows.data + i * rows.rows.stride;
    const std::size_t at = static_cast<std::size_t>(rows.group[i]) * moments.stride;
    const double weight = rows.weight == nullptr ? 1.0 : rows.weight[i];
    for (std::size_t j = 0; j < rows.cols; ++j) {
      const double distance = x[j] - moments.origin[at + j];
      const double weighted = weight * distance;
      moments.sum[at + j] += weighted;
      moments.square[at + j] += weighted * distance;
    }
  }
}

void squared_distances(const Rows& rows, const PointTable& points, double* out) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    for (std::size_t c = 0; c < points.count(); ++c) {
      const double* panel = points.panel(c / PointTable::kPanel) + c % PointTable::kPanel;
      *out++ = squared_distance(rows.data + i * rows.stride, panel, points.features());
    }
  }
}

void nearest(const Rows& rows, const PointTable& points, std::int32_t* index, double* distance) {
  std::vector<double> all(points.count());
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Rows row{rows.data + i * rows.stride, 1, rows.stride};
    scalar::squared_distances(row, points, all.data());
    scalar::argmin_rows({all.data(), 1, all.size()}, all.size(), index + i);
    const double least = all[static_cast<std::size_t>(index[i])];
    // A row of NaN or of infinite distances has no nearest point: index 0, infinitely far.
    if (distance != nullptr) {
      distance[i] = std::isnan(least) ? std::numeric_limits<double>::infinity() : least;
    }
  }
}

void argmin_rows(const Rows& rows, std::size_t cols, std::int32_t* out) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double* row = rows.data + i * rows.stride;
    double least = std::numeric_limits<double>::infinity();
    out[i] = 0;
    for (std::size_t c = 0; c < cols; ++c) {
      if (!(row[c] < least)) continue;
      least = row[c];
      out[i] = static_cast<std::int32_t>(c);
    }
  }
}

}  // namespace gradus::simd::scalar
