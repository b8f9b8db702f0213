#include "gradus/blocks/impurity/impurity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gradus {
namespace {

using Counts = std::vector<double>;

constexpr double kDigits = 1e-9;  // the reference values are given with ten digits

TEST(Impurity, entropy_of_two_classes_follows_the_binary_curve) {
  const Counts share = {0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1};
  const Counts bits = {0, 0.4689955936, 0.7219280949, 0.8112781245, 0.8812908992, 0.9709505945,
                       1, 0.9709505945, 0.8812908992, 0.8112781245, 0.7219280949, 0.4689955936,
                       0};
  for (std::size_t i = 0; i < share.size(); ++i) {
    EXPECT_NEAR(entropy(Counts{share[i], 1 - share[i]}), bits[i], kDigits) << share[i];
  }
}

TEST(Impurity, entropy_is_exact_at_its_extremes) {
  EXPECT_EQ(entropy(Counts{7, 0}), 0.0);
  EXPECT_EQ(entropy(Counts{0, 7}), 0.0);
  EXPECT_EQ(entropy(Counts{3, 3}), 1.0);
  EXPECT_EQ(entropy(Counts{1, 1, 1, 1}), 2.0);
  EXPECT_FALSE(std::signbit(entropy(Counts{7, 0})));
}

TEST(Impurity, entropy_of_the_vertebrates_and_of_their_subsets) {
  EXPECT_NEAR(entropy(Counts{3, 2, 2, 2, 1}), 2.246439345, kDigits);
  EXPECT_NEAR(entropy(Counts{2, 1, 1}), 1.5, kDigits);
  EXPECT_NEAR(entropy(Counts{1, 1, 3, 1}), 1.79248125, kDigits);
}

TEST(Impurity, gini_and_misclassification_of_the_vertebrates) {
  EXPECT_NEAR(gini(Counts{3, 2, 2, 2, 1}), 0.78, kDigits);
  EXPECT_NEAR(misclassification(Counts{3, 2, 2, 2, 1}), 0.7, kDigits);
}

TEST(Impurity, an_empty_set_is_pure) {
  EXPECT_EQ(entropy(Counts{0, 0}), 0.0);
  EXPECT_EQ(gini(Counts{0, 0}), 0.0);
  EXPECT_EQ(misclassification(Counts{0, 0}), 0.0);
}

TEST(Impurity, weights_may_be_fractions_of_any_size) {
  EXPECT_NEAR(entropy(Counts{9e-200, 5e-200}), entropy(Counts{9, 5}), 1e-15);
  EXPECT_NEAR(entropy(Counts{9e200, 5e200}), entropy(Counts{9, 5}), 1e-15);
}

// Play tennis by outlook: sunny 2 yes 3 no, overcast 4 yes, rain 3 yes 2 no.
TEST(Impurity, gain_of_outlook_for_every_measure) {
  const Counts whole = {9, 5};
  const Counts parts = {2, 3, 4, 0, 3, 2};
  const Partition outlook{parts, 2};
  EXPECT_NEAR(gain(&entropy, whole, outlook), 0.2467498198, kDigits);
  EXPECT_NEAR(remainder(&gini, outlook), 0.3428571429, kDigits);
  EXPECT_NEAR(gain(&gini, whole, outlook), 0.1163265306, kDigits);
  EXPECT_NEAR(gain(&misclassification, whole, outlook), 1.0 / 14, kDigits);
}

// A numeric column o o x o x x x o, cut after each place.
TEST(Impurity, remainders_of_the_seven_thresholds) {
  const Counts label = {0, 0, 1, 0, 1, 1, 1, 0};
  const Counts bits = {0.862074619, 0.6887218755, 0.9512050593, 0.8112781245, 0.9512050593,
                       1,           0.862074619};
  const Counts ginis = {0.4285714286, 0.3333333333, 0.4666666667, 0.375,
                        0.4666666667, 0.5,          0.4285714286};
  Counts sides = {0, 0, 4, 4};
  for (std::size_t cut = 0; cut < bits.size(); ++cut) {
    const auto moved = static_cast<std::size_t>(label[cut]);
    sides[moved] += 1;
    sides[2 + moved] -= 1;
    EXPECT_NEAR(remainder(&entropy, {sides, 2}), bits[cut], kDigits) << cut;
    EXPECT_NEAR(remainder(&gini, {sides, 2}), ginis[cut], kDigits) << cut;
  }
}

TEST(Impurity, a_split_that_separates_nothing_gains_nothing_and_loses_nothing) {
  const Counts whole = {1, 2, 4};
  const Counts parts = {0.1, 0.2, 0.4, 0.9, 1.8, 3.6, 0, 0, 0};
  EXPECT_GE(gain(&entropy, whole, {parts, 3}), 0.0);
  EXPECT_NEAR(gain(&entropy, whole, {parts, 3}), 0.0, 1e-15);
}

}  // namespace
}  // namespace gradus
