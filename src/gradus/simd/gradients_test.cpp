#include "gradus/simd/gradients.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

class Gradients : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

TEST_P(Gradients, are_the_bytes_of_the_plain_twin) {
  Stream stream(4);
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{203}}) {
    std::vector<double> scores(count);
    std::vector<double> targets(count);
    std::vector<double> weights(count);
    std::vector<std::int32_t> codes(count);
    for (std::size_t i = 0; i < count; ++i) {
      scores[i] = 6 * stream.normal();
      targets[i] = stream.normal();
      weights[i] = stream.below(3) == 0 ? 0 : stream.uniform();
      codes[i] = static_cast<std::int32_t>(stream.below(3));
    }
    std::vector<double> p(count);
    logistic(scores.data(), count, p.data());
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_NEAR(p[i], 1 / (1 + std::exp(-scores[i])), 1e-15);
    }
    for (const bool weighed : {false, true}) {
      const RowWeights own{weighed ? weights.data() : nullptr};
      std::vector<double> g[2] = {p, p};
      std::vector<double> h[2] = {p, p};
      class_gradients(g[0].data(), codes.data(), 1, own, count, g[0].data(), h[0].data());
      scalar::class_gradients(g[1].data(), codes.data(), 1, own, count, g[1].data(), h[1].data());
      EXPECT_EQ(g[0], g[1]);
      EXPECT_EQ(h[0], h[1]);
      square_gradients(scores.data(), targets.data(), own, count, g[0].data(), h[0].data());
      scalar::square_gradients(scores.data(), targets.data(), own, count, g[1].data(), h[1].data());
      EXPECT_EQ(g[0], g[1]);
      EXPECT_EQ(h[0], h[1]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Gradients, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gradus::simd
