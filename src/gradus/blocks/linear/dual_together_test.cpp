#include "gradus/blocks/linear/dual_together.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace gradus {
namespace {

constexpr std::size_t kGroups = 5;

// Five clouds in a plane and a column that says nothing, with rows of several costs.
struct Clouds {
  std::vector<std::vector<double>> columns = std::vector<std::vector<double>>(3);
  std::vector<std::int32_t> codes;
  std::vector<double> costs;

  explicit Clouds(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      Stream stream(9, i);
      const auto code = static_cast<std::int32_t>(stream.below(kGroups));
      columns[0].push_back(code + stream.normal());
      columns[1].push_back((code * 2 % 5) + stream.normal());
      columns[2].push_back(i % 3 == 0 ? 0 : stream.normal());
      codes.push_back(code);
      costs.push_back(static_cast<double>(stream.below(3)) / 2);
    }
  }

  Features features() const {
    std::vector<FeatureColumn> out;
    for (const auto& column : columns) out.push_back({Column::numeric("x", column), {}});
    return Features(codes.size(), std::move(out));
  }

  std::vector<double> signs(std::size_t k) const {
    std::vector<double> out;
    for (const std::int32_t code : codes) {
      out.push_back(static_cast<std::size_t>(code) == k ? 1 : -1);
    }
    return out;
  }
};

TEST(DualTogether, finds_what_each_class_finds_alone) {
  const Clouds clouds(150);
  const Features features = clouds.features();
  const Context context;
  const LinearRows rows(features, context);
  const DualOptions options{.max_iter = 100000, .tol = 1e-9};
  for (const DualLoss loss : {DualLoss::hinge, DualLoss::squared_hinge}) {
    const auto found =
        descend_dual_together({rows, clouds.codes, 0, kGroups, clouds.costs, loss, 0.5}, options);
    ASSERT_EQ(found.size(), kGroups);
    for (std::size_t k = 0; k < kGroups; ++k) {
      const std::vector<double> signs = clouds.signs(k);
      const DualSolution alone =
          descend_dual({rows, signs, clouds.costs, loss, 0, 0.5, false}, options);
      EXPECT_TRUE(found[k].converged);
      EXPECT_NEAR(found[k].primal, alone.primal, 1e-6 * alone.primal);
      EXPECT_NEAR(found[k].primal, found[k].dual, 1e-6 * found[k].primal);
      EXPECT_NEAR(found[k].intercept, alone.intercept, 1e-4);
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found[k].w[j], alone.w[j], 1e-4);
      ASSERT_EQ(found[k].bounds.size(), static_cast<std::size_t>(found[k].sweeps) + 1);
      EXPECT_NEAR(found[k].bounds.back(), found[k].dual, 1e-9 * found[k].primal);
      EXPECT_TRUE(std::is_sorted(found[k].bounds.begin(), found[k].bounds.end()));
    }
  }
}

TEST(DualTogether, a_class_does_not_depend_on_those_beside_it) {
  const Clouds clouds(120);
  const Features features = clouds.features();
  const Context context;
  const LinearRows rows(features, context);
  const DualLoss loss = DualLoss::squared_hinge;
  const auto all = descend_dual_together({rows, clouds.codes, 0, kGroups, clouds.costs, loss}, {});
  for (std::size_t k = 0; k < kGroups; ++k) {
    const auto one = descend_dual_together({rows, clouds.codes, k, 1, clouds.costs, loss}, {});
    EXPECT_EQ(one[0].w, all[k].w);
    EXPECT_EQ(one[0].multipliers, all[k].multipliers);
    EXPECT_EQ(one[0].bounds, all[k].bounds);
    EXPECT_EQ(one[0].primal, all[k].primal);
  }
}

TEST(DualTogether, tells_the_steps_of_each_class_and_stops_at_its_limit) {
  const Clouds clouds(40);
  const Features features = clouds.features();
  const Context context;
  const LinearRows rows(features, context);
  std::vector<std::vector<double>> a(kGroups, std::vector<double>(40, 0.0));
  const auto found =
      descend_dual_together({rows, clouds.codes, 0, kGroups, clouds.costs},
                            {.max_iter = 2, .tol = 0}, [&](std::size_t k, const DualStep& step) {
                              EXPECT_EQ(step.before, a[k][step.row]);
                              a[k][step.row] = step.after;
                            });
  for (std::size_t k = 0; k < kGroups; ++k) {
    EXPECT_EQ(found[k].multipliers, a[k]);
    EXPECT_EQ(found[k].sweeps, 2);
    EXPECT_FALSE(found[k].converged);
  }
}

}  // namespace
}  // namespace gradus
