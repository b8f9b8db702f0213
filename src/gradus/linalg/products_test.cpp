#include "gradus/linalg/products.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gradus/core/random.hpp"

namespace gradus::linalg {
namespace {

TEST(Products, of_tall_blocks_are_the_sums_they_stand_for) {
  Stream random(1);
  const std::size_t n = 37;
  const std::size_t p = 5;
  std::vector<double> rows(n * p);
  for (double& x : rows) x = random.normal();
  for (const std::size_t k : {1U, 3U}) {
    std::vector<double> w(k * p), out(n * k), crossed(k * (p + 2), 1.0);
    for (double& x : w) x = random.normal();
    multiply({rows.data(), n, p}, w.data(), k, out.data());
    add_cross_products({out.data(), n, k}, {rows.data(), n, p}, crossed.data(), p + 2);
    for (std::size_t c = 0; c < k; ++c) {
      std::vector<double> sums(p, 1.0);
      for (std::size_t i = 0; i < n; ++i) {
        double z = 0;
        for (std::size_t j = 0; j < p; ++j) z += rows[i * p + j] * w[c * p + j];
        EXPECT_NEAR(out[i * k + c], z, 1e-12);
        for (std::size_t j = 0; j < p; ++j) sums[j] += z * rows[i * p + j];
      }
      for (std::size_t j = 0; j < p; ++j) EXPECT_NEAR(crossed[c * (p + 2) + j], sums[j], 1e-11);
      EXPECT_EQ(crossed[c * (p + 2) + p], 1) << "nothing beyond the block is touched";
    }
  }
}

}  // namespace
}  // namespace gradus::linalg
