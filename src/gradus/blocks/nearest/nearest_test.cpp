#include "gradus/blocks/nearest/nearest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus {
namespace {

using Numbers = std::vector<double>;
using Labels = std::vector<std::int32_t>;

Numbers normal_numbers(std::size_t count, Seed seed) {
  Stream stream(seed);
  Numbers out(count);
  for (double& x : out) x = stream.normal();
  return out;
}

Labels plain(const Numbers& rows, const Numbers& points, std::size_t features) {
  const simd::PointTable table(points.data(), points.size() / features, features);
  Labels out(rows.size() / features);
  simd::nearest({rows.data(), out.size(), features}, table, out.data(), nullptr);
  return out;
}

Labels screened(const Numbers& rows, const Numbers& points, std::size_t features) {
  const NearestPoint nearest(points.data(), points.size() / features, features);
  Labels out(rows.size() / features);
  nearest.find(simd::Rows{rows.data(), out.size(), features}, out.data());
  return out;
}

TEST(NearestPoint, says_what_double_precision_says_on_every_instruction_set) {
  for (const std::string& target : simd::target_names()) {
    const simd::OnlyTarget only(target);
    for (const std::size_t features : {1, 2, 3, 7, 20, 130}) {
      for (const std::size_t points : {1, 2, 7, 8, 9, 16, 17, 50}) {
        SCOPED_TRACE(testing::Message() << target << ": " << features << " x " << points);
        const Numbers rows = normal_numbers(301 * features, features);
        const Numbers centers = normal_numbers(points * features, 1000 + points);
        EXPECT_EQ(screened(rows, centers, features), plain(rows, centers, features));
      }
    }
  }
}

TEST(NearestPoint, ties_and_near_ties_go_where_double_precision_sends_them) {
  Stream stream(7);
  Numbers rows;
  Numbers points;
  for (int i = 0; i < 400 * 3; ++i) rows.push_back(static_cast<double>(stream.below(4)));
  for (int i = 0; i < 12 * 3; ++i) points.push_back(static_cast<double>(stream.below(4)));
  EXPECT_EQ(screened(rows, points, 3), plain(rows, points, 3));
  for (double& x : rows) x += 1e-9 * stream.normal();  // far below what a float can tell
  EXPECT_EQ(screened(rows, points, 3), plain(rows, points, 3));
}

TEST(NearestPoint, stays_right_far_from_the_origin_and_at_extreme_scales) {
  for (const double scale : {1e-170, 1e-150, 1e-30, 1.0, 1e30, 1e152, 1e200}) {
    for (const double shift : {0.0, 1e6}) {
      Numbers rows = normal_numbers(200 * 4, 1);
      Numbers points = normal_numbers(9 * 4, 2);
      for (double& x : rows) x = (x + shift) * scale;
      for (double& x : points) x = (x + shift) * scale;
      EXPECT_EQ(screened(rows, points, 4), plain(rows, points, 4)) << scale << " " << shift;
    }
  }
}

TEST(NearestPoint, a_row_far_beyond_the_points_is_measured_exactly) {
  const Numbers points = {0, 1, 1 + 1e-12};
  const Numbers rows = {1e20, 1e300, -1e30, 0.5, 1 + 6e-13};
  EXPECT_EQ(screened(rows, points, 1), plain(rows, points, 1));
}

TEST(NearestPoint, rows_of_floats_get_the_answers_of_their_doubles) {
  for (const std::size_t features : {1, 3, 20, 130}) {
    for (const double shift : {0.0, 1e4}) {  // around zero, and where they have to be moved
      for (const double scale : {1e-30, 1.0, 1e15}) {
        SCOPED_TRACE(testing::Message() << features << " features, " << shift << ", " << scale);
        Numbers points = normal_numbers(17 * features, 3);
        for (double& x : points) x = (x + shift) * scale;
        std::vector<float> floats;
        for (const double x : normal_numbers(301 * features, features)) {
          floats.push_back(static_cast<float>((x + shift) * scale));
        }
        const Numbers rows(floats.begin(), floats.end());
        Labels found(301);
        const NearestPoint nearest(points.data(), 17, features);
        nearest.find(NearestPoint::FloatRows{floats.data(), found.size()}, found.data());
        EXPECT_EQ(found, plain(rows, points, features));
      }
    }
  }
}

TEST(NearestPoint, floats_that_are_not_numbers_or_too_large_are_measured_exactly) {
  const Numbers points = {-1, 0.5, 1, 1 + 1e-6};
  const std::vector<float> floats = {1e30F,
                                     -3e38F,
                                     0.75F,
                                     std::numeric_limits<float>::infinity(),
                                     std::numeric_limits<float>::quiet_NaN(),
                                     0.99F,
                                     1};
  Labels found(floats.size());
  NearestPoint(points.data(), 4, 1)
      .find(NearestPoint::FloatRows{floats.data(), found.size()}, found.data());
  EXPECT_EQ(found, plain(Numbers(floats.begin(), floats.end()), points, 1));
}

TEST(NearestScreen, is_certain_about_rows_that_lie_clearly_and_its_bounds_hold) {
  const Numbers points = normal_numbers(10 * 20, 5);
  const Frame frame(points.data(), 10, 20);
  const NearestScreen screen(frame, points.data(), 10);
  const Numbers rows = normal_numbers(NearestScreen::kMost * 20, 6);
  std::vector<float> floats(rows.size());
  std::array<NearestScreen::Row, NearestScreen::kMost> placed;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    placed[i] = {&floats[i * 20], frame.place(&rows[i * 20], &floats[i * 20])};
  }
  std::array<NearestScreen::Answer, NearestScreen::kMost> answers;
  screen.look(placed.data(), placed.size(), answers.data());
  std::size_t certain = 0;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    certain += answers[i].certain ? 1 : 0;
    for (std::size_t c = 0; c < 10; ++c) {
      double squared = 0;
      for (std::size_t j = 0; j < 20; ++j) {
        squared += std::pow(rows[i * 20 + j] - points[c * 20 + j], 2);
      }
      if (static_cast<std::int32_t>(c) == answers[i].nearest) {
        EXPECT_LE(std::sqrt(squared), answers[i].above);
        EXPECT_LT(answers[i].above - std::sqrt(squared), 1e-4);
      } else {
        EXPECT_GE(std::sqrt(squared), answers[i].below);
      }
    }
  }
  EXPECT_GE(certain, placed.size() - 2);
}

}  // namespace
}  // namespace gradus
