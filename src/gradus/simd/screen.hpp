// Which of many points is nearest to a row, in single precision and with the runner-up: a quick
// look that is right nearly always and knows when it may be wrong (blocks/nearest turns it into a
// proof).
//
// With half the squared norm h(c) = |c|^2 / 2 of a point, |x - c|^2 / 2 = |x|^2 / 2 + (h(c) - x.c):
// the points are ranked by the score s(c) = h(c) - x.c, one fused operation per coordinate.
// Unlike the kernels of kernels.hpp these promise no bytes, only an error: a computed score differs
// from the exact one by at most (d + 3) units in the last place of h(c) + |x| |c|.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gradus::simd {

// Points packed for `screen`. Short ones in panels of 8, coordinate by coordinate, so that scores
// grow side by side; the panels that are missing to a whole tile have an infinite score. Long ones
// one after the other: a score is then a dot product, and no register works for a missing point.
class ScreenTable {
 public:
  static constexpr std::size_t kPanel = 8;
  static constexpr std::size_t kTilePanels = 2;
  static constexpr std::size_t kLong = 128;  // features from which on adding up lanes is cheap

  // `half_norms` has one number per point.
  ScreenTable(const float* points, const float* half_norms, std::size_t count,
              std::size_t features);

  std::size_t count() const { return count_; }
  std::size_t features() const { return features_; }
  bool in_panels() const { return features_ < kLong; }
  const float* point(std::size_t c) const { return values_.data() + c * features_; }
  std::size_t panels() const { return panels_; }
  const float* panel(std::size_t p) const { return values_.data() + p * features_ * kPanel; }
  const float* scores(std::size_t p) const { return scores_.data() + p * kPanel; }

 private:
  std::size_t count_;
  std::size_t features_;
  std::size_t panels_;
  std::vector<float> values_;
  std::vector<float> scores_;
};

struct Screened {
  std::int32_t nearest = 0;  // the point of the least score
  float least = 0;
  float second = 0;  // the least score but for that point
};

// `rows` are addresses of `features` numbers each. A row with a number that is not finite gets
// scores that compare with nothing.
void screen(const float* const* rows, std::size_t count, const ScreenTable& points, Screened* out);

// out[j] = (x[j] - origin[j]) * scale as a float. Returns the sum of the squares of what was
// written.
double centred(const double* x, const double* origin, double scale, std::size_t size, float* out);

// The sum of the squares of floats, in double precision.
double sum_of_squares(const float* x, std::size_t size);

}  // namespace gradus::simd
