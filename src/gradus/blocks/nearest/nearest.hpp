// The nearest of many points, found in single precision and proved in double.
//
// Rows and points are moved to a common origin and scaled, so that floats hold them well. A quick
// look (simd/screen.hpp) ranks the points; its error is bounded, so the two best scores become an
// upper bound on the distance to the best point and a lower bound on the distance to every other.
// If the bounds are apart, the double-precision distances could not say anything else. If they are
// not, those distances are computed. The answer is therefore always that of simd::nearest, ties to
// the lowest index, at the price of single precision. Rows that are floats already are not moved
// when they lie around zero: then the look is all that is done to them.
//
//   const NearestPoint nearest(centers.data(), clusters, features);
//   nearest.find(simd::Rows{rows, count, features}, labels);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gradus/simd/kernels.hpp"
#include "gradus/simd/screen.hpp"

namespace gradus {

// Where floats begin to count, and in which unit: around the mean of some points, with the farthest
// coordinate of those points between a half and one.
class Frame {
 public:
  Frame(const double* points, std::size_t count, std::size_t features);
  // The frame of numbers as they are: rows of floats stand in it without being moved.
  explicit Frame(std::size_t features) : origin_(features, 0.0), moves_(false) {}

  // Whether rows change when they are placed here.
  bool moves() const { return moves_; }

  std::size_t features() const { return origin_.size(); }
  double scale() const { return scale_; }

  // A row in the frame; returns the square of its norm there.
  double place(const double* row, float* out) const {
    return simd::centred(row, origin_.data(), scale_, origin_.size(), out);
  }

 private:
  std::vector<double> origin_;
  double scale_ = 1;
  bool moves_ = true;
};

// Whether floats as they are tell these points apart nearly as well as in a frame of their own:
// they lie around zero, and their squares are ordinary floats.
bool lie_around_zero(const double* points, std::size_t count, std::size_t features);

// Points to be compared with rows of the same frame.
class NearestScreen {
 public:
  NearestScreen(const Frame& frame, const double* points, std::size_t count);

  struct Row {
    const float* at = nullptr;
    double norm2 = 0;
  };
  // Distances in the unit of the data.
  struct Answer {
    std::int32_t nearest = 0;
    bool certain = false;  // else `nearest` is a guess and the bounds still hold
    double above = 0;      // the distance to `nearest` is at most this
    double below = 0;      // that to every other point is at least this
  };
  static constexpr std::size_t kMost = 64;  // rows of one call
  void look(const Row* rows, std::size_t count, Answer* out) const;

 private:
  Answer answer(const simd::Screened& screened, double norm2) const;

  double scale_;
  double features_;
  double margin_;     // relative error of a distance in double precision, with room
  double reach_ = 0;  // the largest norm of a point
  simd::ScreenTable table_;
};

class NearestPoint {
 public:
  NearestPoint(const double* points, std::size_t count, std::size_t features)
      : frame_(points, count, features),
        screen_(frame_, points, count),
        exact_(points, count, features) {
    if (lie_around_zero(points, count, features)) {
      screen_as_is_.emplace(Frame(features), points, count);
    }
  }

  // Rows of floats, one after the other.
  struct FloatRows {
    const float* data = nullptr;
    std::size_t count = 0;
  };
  // index[i] = the point nearest to row i, as simd::nearest says.
  void find(const simd::Rows& rows, std::int32_t* index) const;
  void find(const FloatRows& rows, std::int32_t* index) const;

 private:
  Frame frame_;
  NearestScreen screen_;
  std::optional<NearestScreen> screen_as_is_;  // in the frame of numbers as they are
  simd::PointTable exact_;
};

}  // namespace gradus
