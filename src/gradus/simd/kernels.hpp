// Loops over arrays of numbers that run as wide as the machine allows.
//
// One binary holds each loop for several instruction sets and picks the widest at the first call.
// A call per block, never per element: the dispatch costs a few nanoseconds.
//
// The promise: every function here gives THE SAME BYTES on every machine, and the same as its plain
// twin in scalar.hpp (when a result is NaN, its payload is not promised). It holds because
// - a sum has a fixed shape: element i goes to virtual lane i mod 16 (32 for float), a product is
//   rounded before it is added (no fused operation), and the lanes are folded as a tree,
//   lane[i] += lane[i + h] for h = 8, 4, 2, 1;
// - everything else works on each element by itself, with the four IEEE operations alone.
// A narrow machine does with several registers what a wide one does with one.
//
//   double y = intercept + simd::dot(row, coefficients, features);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gradus::simd {

// Sum of a[i] * b[i].
double dot(const double* a, const double* b, std::size_t size);
float dot(const float* a, const float* b, std::size_t size);

double sum(const double* x, std::size_t size);

// y[i] += alpha * x[i].
void axpy(double alpha, const double* x, double* y, std::size_t size);

// The index of the first infinite number, `size` when there is none. NaN is not infinite.
std::size_t first_infinite(const double* x, std::size_t size);
std::size_t first_infinite(const float* x, std::size_t size);

// out[i] = e^x[i], within 1 ulp of the exact value over the whole range, also where the result is
// denormal. Overflow gives infinity, underflow 0, NaN gives NaN. `out` may be `x`.
void exp(const double* x, double* out, std::size_t size);

// out[i] = natural logarithm of x[i], within 1 ulp, also of denormals. log(0) = -infinity,
// log(x < 0) = NaN, log(+infinity) = +infinity. `out` may be `x`.
void log(const double* x, double* out, std::size_t size);

// Rows of numbers, `stride` numbers apart.
struct Rows {
  const double* data = nullptr;
  std::size_t count = 0;
  std::size_t stride = 0;
};

// Rows that belong to groups, with a weight each.
struct GroupedRows {
  Rows rows = {};
  std::size_t cols = 0;
  const std::int32_t* group = nullptr;  // of each row
  const double* weight = nullptr;       // of each row; null: every row weighs 1
};

// Tables of groups x columns, `stride` numbers per group.
struct GroupMoments {
  const double* origin = nullptr;
  double* sum = nullptr;
  double* square = nullptr;
  std::size_t stride = 0;
};

// For every row, with d = x[j] - origin[g, j] of its group g: sum[g, j] += weight * d and
// square[g, j] += (weight * d) * d.
void add_moments(const GroupedRows& rows, const GroupMoments& moments);

// Points to measure distances to, packed once for many calls: panels of 8 points, feature by
// feature, so that 8 distances grow side by side. The missing points of the last panel are infinite
// and never the nearest.
class PointTable {
 public:
  static constexpr std::size_t kPanel = 8;

  PointTable(const double* points, std::size_t count, std::size_t features);

  std::size_t count() const { return count_; }
  std::size_t features() const { return features_; }
  std::size_t panels() const { return (count_ + kPanel - 1) / kPanel; }
  // Numbers of panel p: [feature][point in panel].
  const double* panel(std::size_t p) const { return values_.data() + p * features_ * kPanel; }

 private:
  std::size_t count_;
  std::size_t features_;
  std::vector<double> values_;
};

// out[i * points.count() + c] = sum over the features, in their order, of (x - c)^2. The
// differences are taken first: nothing cancels, and equal points have distance exactly 0.
void squared_distances(const Rows& rows, const PointTable& points, double* out);

// The nearest point of each row, ties to the lowest index, and its squared distance. The numbers
// are those of `squared_distances`, without the table of all pairs. `distance` may be null.
void nearest(const Rows& rows, const PointTable& points, std::int32_t* index, double* distance);

// out[i] = the lowest index of the smallest number of row i. NaN is never the smallest; a row
// without any number below infinity gives 0. Rows hold `cols` numbers, at least one.
void argmin_rows(const Rows& rows, std::size_t cols, std::int32_t* out);

}  // namespace gradus::simd
