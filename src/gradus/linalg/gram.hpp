// From many rows to a small system: means, and the sums of products about the means.
//
// With weights w and columns x_j, the sums are S_jk = sum_i w_i (x_ij - m_j)(x_ik - m_k). Each
// block of rows is centred by its own mean while it is in the cache, and blocks are joined by
//   S = S_a + S_b + (W_a W_b / W) (m_b - m_a)(m_b - m_a)'        (Chan, Golub, LeVeque 1983),
// so that one pass over the data is enough and a large mean does not eat the digits of the
// variance. Where sums of products are not accurate enough, `reduced_rows` gives the triangular
// factor of the centred data instead (a QR, block by block), which never squares the condition
// number. Both are the same bytes for any number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus::linalg {

// The table [X | Y] by blocks of rows.
struct Design {
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t outputs = 0;
  // Rows [begin, end) of X, row-major; may use `scratch` or point elsewhere.
  std::function<const double*(std::size_t, std::size_t, std::vector<double>&)> block;
  std::span<const double> targets;  // rows x outputs
  std::span<const double> weights;  // empty: all 1

  std::size_t width() const { return features + outputs; }
};

enum class Centre { mean, origin };

struct Moments {
  double weight = 0;          // the sum of the weights
  std::vector<double> means;  // of each column of [X | Y]; 0 when the centre is the origin
  Matrix products;            // S, scaled: S_jk * scale_j * scale_k; both triangles
};

// `scales` multiply the centred columns: powers of two that keep squares inside the range.
Moments moments(const Design& design, Centre centre, std::span<const double> scales,
                const Context& context);

// Powers of two s_j with s_j |x_ij - x_1j| in [0, 2), or s_j |x_ij| for the origin; 1 for a column
// without any spread. An infinite spread gives 0.
std::vector<double> safe_scales(const Design& design, Centre centre, const Context& context);

// The weighted mean of each column of [X | Y], where the products are not needed.
std::vector<double> column_means(const Design& design, std::span<const double> scales,
                                 const Context& context);

// R of QR([X | Y] centred by `means`, times `scales`, rows times the roots of their weights).
Matrix reduced_rows(const Design& design, std::span<const double> means,
                    std::span<const double> scales, const Context& context);

// 2^-k with k the binary exponent of `size`: the scale that brings it into [1, 2). 1 for 0.
double power_of_two_scale(double size);

}  // namespace gradus::linalg
