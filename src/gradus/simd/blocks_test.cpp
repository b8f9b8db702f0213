#include "gradus/simd/blocks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

class BlockKernels : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

TEST_P(BlockKernels, equal_the_plain_twin_in_bits) {
  for (const std::size_t cols : {1, 2, 3, 4, 7, 16, 33, 51}) {
    for (const std::size_t rows : {1, 5, 64}) {
      const std::size_t stride = cols + 2;
      Stream random(1, cols * 100 + rows);
      std::vector<double> data(rows * stride), centre(cols), scale(cols), factor(rows);
      for (auto* list : {&data, &centre, &scale, &factor}) {
        for (double& x : *list) x = random.normal();
      }
      for (const double* row_factor : std::vector<const double*>{nullptr, factor.data()}) {
        const Rows block{data.data(), rows, stride};
        const Centring how{centre.data(), scale.data(), row_factor};
        std::vector<double> fast(cols), plain(cols), out(rows * cols), out_plain(rows * cols);
        column_sums(block, cols, how, fast.data());
        scalar::column_sums(block, cols, how, plain.data());
        EXPECT_EQ(fast, plain);
        centred(block, cols, how, out.data(), cols);
        scalar::centred(block, cols, how, out_plain.data(), cols);
        EXPECT_EQ(out, out_plain);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, BlockKernels, testing::ValuesIn(target_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace gradus::simd
