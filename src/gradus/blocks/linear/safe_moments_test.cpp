#include "gradus/blocks/linear/safe_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// Two features and a target, five rows.
struct Table {
  std::vector<double> rows;
  std::vector<double> targets = {1, 2, 2, 5, 7};
  Signature signature;

  Table(double first_unit, double second_unit) {
    const double x[] = {1, 4, 2, 9, 5};
    const double z[] = {3, 1, 4, 1, 5};
    for (std::size_t i = 0; i < 5; ++i) {
      rows.push_back(x[i] * first_unit);
      rows.push_back(z[i] * second_unit);
    }
    signature.features = FeatureNames({{"x"}, {"z"}});
    signature.outputs = {"y"};
  }
  linalg::Design design() const {
    linalg::Design out;
    out.rows = 5;
    out.features = 2;
    out.outputs = 1;
    out.block = [this](std::size_t begin, std::size_t, std::vector<double>&) {
      return rows.data() + begin * 2;
    };
    out.targets = targets;
    return out;
  }
};

TEST(SafeMoments, are_the_sums_of_products_in_any_unit) {
  const Table plain(1, 1);
  const SafeMoments expected =
      safe_moments(plain.design(), linalg::Centre::mean, plain.signature, {});
  const double cross = expected.products(0, 1) / expected.scales[0] / expected.scales[1];
  EXPECT_NEAR(cross, -9.8, 1e-12);
  for (const double unit : {1e150, 1e-150}) {
    const Table table(unit, 1 / unit);
    const SafeMoments found =
        safe_moments(table.design(), linalg::Centre::mean, table.signature, {});
    EXPECT_GE(found.products(0, 0), 1);
    EXPECT_LT(found.products(0, 0), 4);
    EXPECT_NEAR(
        found.products(0, 1) / std::sqrt(found.products(0, 0) * found.products(1, 1)),
        expected.products(0, 1) / std::sqrt(expected.products(0, 0) * expected.products(1, 1)),
        1e-12);
  }
}

TEST(SafeMoments, in_common_units_have_one_scale) {
  const Table table(1, 1000);
  const SafeMoments found =
      in_common_units(safe_moments(table.design(), linalg::Centre::mean, table.signature, {}), 2);
  EXPECT_EQ(found.scales[0], found.scales[1]);
  EXPECT_NEAR(found.products(0, 1) / found.scales[0] / found.scales[0], -9800, 1e-8);
}

TEST(SafeMoments, a_constant_column_is_named_and_a_huge_one_refused) {
  const Table constant(0, 1);
  EXPECT_TRUE(
      safe_moments(constant.design(), linalg::Centre::mean, constant.signature, {}).constant[0]);
  Table huge(1, 1);
  huge.rows[1] = 1.7e308;
  huge.rows[3] = -1.7e308;
  try {
    safe_moments(huge.design(), linalg::Centre::mean, huge.signature, {});
    FAIL() << "took it";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "column \"z\"");
  }
}

}  // namespace
}  // namespace gradus
