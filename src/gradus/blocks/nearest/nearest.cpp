#include "gradus/blocks/nearest/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gradus/simd/columns.hpp"

namespace gradus {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr double kFloatUnit = std::numeric_limits<float>::epsilon() / 2;
// Covers second-order terms of every bound below.
constexpr double kRoom = 1.01;

// What a coordinate may lose below the smallest float.
constexpr double kLost = std::numeric_limits<float>::min();

// Distances whose squares are ordinary numbers. Beyond them the squares in double precision lose
// their digits, so that only computing them tells what they say.
constexpr double kShortest = 1e-140;
constexpr double kLongest = 1e150;

struct FloatPoints {
  std::vector<float> coordinates;
  std::vector<float> half_norms;
  double largest_norm2 = 0;
};

FloatPoints place_points(const Frame& frame, const double* points, std::size_t count) {
  FloatPoints out;
  out.coordinates.resize(count * frame.features());
  for (std::size_t c = 0; c < count; ++c) {
    const double norm2 =
        frame.place(points + c * frame.features(), out.coordinates.data() + c * frame.features());
    out.half_norms.push_back(static_cast<float>(norm2 / 2));
    // A norm that is not a number must stay, so that nothing is ever certain.
    if (!(norm2 <= out.largest_norm2)) out.largest_norm2 = norm2;
  }
  return out;
}

simd::ScreenTable table_of(const FloatPoints& points, std::size_t features) {
  return {points.coordinates.data(), points.half_norms.data(), points.half_norms.size(), features};
}

}  // namespace

Frame::Frame(const double* points, std::size_t count, std::size_t features)
    : origin_(features, 0.0) {
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t j = 0; j < features; ++j) {
      origin_[j] += points[c * features + j] / static_cast<double>(count);
    }
  }
  double farthest = 0;
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t j = 0; j < features; ++j) {
      farthest = std::max(farthest, std::abs(points[c * features + j] - origin_[j]));
    }
  }
  if (farthest == 0 || !std::isfinite(farthest)) return;
  constexpr int kLargest = 1000;  // a scale of 2^1000 is still a number, and so is its inverse
  scale_ = std::ldexp(1.0, -std::clamp(std::ilogb(farthest) + 1, -kLargest, kLargest));
}

bool lie_around_zero(const double* points, std::size_t count, std::size_t features) {
  constexpr double kFarthest = 16;  // mean squared norm over the spread: the error grows with it
  constexpr double kSmallest = 1e-16;
  constexpr double kLargest = 1e16;
  std::vector<double> mean(features, 0.0);
  double norm2 = 0;
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t j = 0; j < features; ++j) {
      const double x = points[c * features + j];
      mean[j] += x / static_cast<double>(count);
      norm2 += x * x / static_cast<double>(count);
    }
  }
  double spread = norm2;
  for (const double x : mean) spread -= x * x;
  return norm2 > kSmallest && norm2 < kLargest && norm2 <= kFarthest * spread;
}

NearestScreen::NearestScreen(const Frame& frame, const double* points, std::size_t count)
    : scale_(frame.scale()),
      features_(static_cast<double>(frame.features())),
      margin_((features_ + 16) * kUnit),
      table_([&] {
        const FloatPoints placed = place_points(frame, points, count);
        reach_ = std::sqrt(placed.largest_norm2);
        return table_of(placed, frame.features());
      }()) {}

void NearestScreen::look(const Row* rows, std::size_t count, Answer* out) const {
  std::array<const float*, kMost> addresses{};
  std::array<simd::Screened, kMost> found{};
  for (std::size_t i = 0; i < count; ++i) addresses[i] = rows[i].at;
  simd::screen(addresses.data(), count, table_, found.data());
  for (std::size_t i = 0; i < count; ++i) out[i] = answer(found[i], rows[i].norm2);
}

// Two errors: of the scores, and of taking rows and points for the floats next to them, which moves
// a distance by at most the sum of what the two ends lost. Written so that NaN means "not certain".
NearestScreen::Answer NearestScreen::answer(const simd::Screened& screened, double norm2) const {
  const double norm = std::sqrt(norm2);
  const double of_scores =
      kRoom * (features_ + 4) * kFloatUnit * (reach_ * reach_ / 2 + norm * reach_);
  const double of_ends = kRoom * (kFloatUnit * (norm + reach_) + features_ * kLost);
  const double least = norm2 + 2 * (static_cast<double>(screened.least) + of_scores);
  const double second = norm2 + 2 * (static_cast<double>(screened.second) - of_scores);
  Answer out;
  out.nearest = screened.nearest;
  out.above = (std::sqrt(std::max(least, 0.0)) + of_ends) * (1 + margin_) / scale_;
  out.below = (std::sqrt(std::max(second, 0.0)) - of_ends) * (1 - margin_) / scale_;
  if (out.above < kShortest) out.above = kShortest;
  if (!(out.below > kShortest)) out.below = 0;
  out.certain = out.above < out.below && out.above < kLongest;
  return out;
}

void NearestPoint::find(const simd::Rows& rows, std::int32_t* index) const {
  constexpr std::size_t kMost = NearestScreen::kMost;
  const std::size_t features = frame_.features();
  std::vector<float> floats(std::min(rows.count, kMost) * features);
  std::array<NearestScreen::Row, kMost> placed;
  std::array<NearestScreen::Answer, kMost> answers;
  for (std::size_t begin = 0; begin < rows.count; begin += kMost) {
    const std::size_t count = std::min(kMost, rows.count - begin);
    for (std::size_t i = 0; i < count; ++i) {
      float* at = floats.data() + i * features;
      placed[i] = {at, frame_.place(rows.data + (begin + i) * rows.stride, at)};
    }
    screen_.look(placed.data(), count, answers.data());
    for (std::size_t i = 0; i < count; ++i) {
      index[begin + i] = answers[i].nearest;
      if (answers[i].certain) continue;
      simd::nearest({rows.data + (begin + i) * rows.stride, 1, rows.stride}, exact_,
                    index + begin + i, nullptr);
    }
  }
}

void NearestPoint::find(const FloatRows& rows, std::int32_t* index) const {
  constexpr std::size_t kMost = NearestScreen::kMost;
  const std::size_t features = frame_.features();
  std::vector<double> wide;
  std::array<NearestScreen::Row, kMost> placed;
  std::array<NearestScreen::Answer, kMost> answers;
  for (std::size_t begin = 0; begin < rows.count; begin += kMost) {
    const std::size_t count = std::min(kMost, rows.count - begin);
    const float* first = rows.data + begin * features;
    if (!screen_as_is_) {
      wide.resize(count * features);
      simd::widen(first, wide.size(), wide.data());
      find(simd::Rows{wide.data(), count, features}, index + begin);
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const float* at = first + i * features;
      placed[i] = {at, simd::sum_of_squares(at, features)};
    }
    screen_as_is_->look(placed.data(), count, answers.data());
    for (std::size_t i = 0; i < count; ++i) {
      index[begin + i] = answers[i].nearest;
      if (answers[i].certain) continue;
      wide.resize(features);
      simd::widen(first + i * features, features, wide.data());
      simd::nearest({wide.data(), 1, features}, exact_, index + begin + i, nullptr);
    }
  }
}

}  // namespace gradus
