#include "gradus/blocks/linear/sparse_scores.hpp"

#include <gtest/gtest.h>

#include "gradus/core/random.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

CsrMatrix random_rows(std::size_t rows, std::size_t cols, Stream& stream) {
  CsrArrays arrays;
  arrays.cols = cols;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = stream.below(40); j < cols; j += 1 + stream.below(60)) {
      arrays.add(static_cast<std::uint32_t>(j), stream.normal());
    }
    arrays.end_row();
  }
  return arrays;
}

TEST(SparseScores, have_the_bytes_of_the_dense_products_for_few_and_for_many_features) {
  Stream stream(4);
  for (const std::size_t cols : {50U, 5000U}) {
    for (const std::size_t functions : {1U, 2U, 3U, 20U}) {
      const CsrMatrix matrix = random_rows(30, cols, stream);
      linalg::Matrix coefficients = linalg::Matrix::zeros(functions, cols);
      for (double& w : coefficients.values) w = stream.normal();
      std::vector<double> out(28 * functions);
      std::vector<double> unturned(28 * functions);
      SparseScores(coefficients, Turned::for_many_rows).products({matrix, 1, 29}, out.data());
      SparseScores(coefficients, Turned::never).products({matrix, 1, 29}, unturned.data());
      EXPECT_EQ(out, unturned);
      for (std::size_t i = 1; i < 29; ++i) {
        std::vector<double> dense(cols, 0.0);
        for (std::size_t k = 0; k < matrix.row_index(i).size(); ++k) {
          dense[matrix.row_index(i)[k]] = matrix.row_value(i)[k];
        }
        for (std::size_t k = 0; k < functions; ++k) {
          EXPECT_EQ(out[(i - 1) * functions + k],
                    simd::dot(dense.data(), coefficients.row(k).data(), cols))
              << cols << " columns, row " << i << ", function " << k;
        }
      }
    }
  }
}

}  // namespace
}  // namespace gradus
