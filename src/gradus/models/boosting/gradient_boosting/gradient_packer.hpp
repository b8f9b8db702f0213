// The gradients of a round as a tree takes them: whole numbers in pairs or, from some thousand rows
// on, in words (simd/gradient_words.hpp).
//
//   GradientPacker packer;
//   Gradients packed = packer.pack(rows, output, context);   // until the next call
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/grow.hpp"
#include "gradus/models/boosting/gradient_boosting/losses.hpp"
#include "gradus/simd/gradient_words.hpp"

namespace gradus {

// The rows of a round.
struct RoundRows {
  const RoundLoss& loss;
  std::size_t rows = 0;
  std::size_t counted = 0;                     // rows, each as often as it is a copy
  std::span<const double> active = {};         // their weights in this round
  std::span<const double> times = {};          // how often a row counts in this round; empty: once
  std::span<const std::uint32_t> copies = {};  // of each row; empty: one
  bool narrow = true;                          // codes of the table are bytes

  // Whether every row takes part, as one of its kind.
  bool alike() const { return loss.unit_weights() && times.empty() && copies.empty(); }
  // The copies of a row that the round sees.
  std::uint32_t count(std::size_t row) const;
  // The gradient of each row.
  std::vector<double> gradients(std::size_t output) const;
};

class GradientPacker {
 public:
  // Error{numerical} when a gradient is not finite.
  Gradients pack(const RoundRows& rows, std::size_t output, const Context& context);

 private:
  simd::GradientSizes sizes(const RoundRows& rows, std::size_t output, const Context& context);
  simd::GradientSizes class_sizes(const RoundRows& rows, const Context& context);
  Gradients pack_pairs(const RoundRows& rows, std::size_t output, const FixedPoint& scale,
                       const Context& context);
  void pack_words(const RoundRows& rows, std::size_t output, const FixedPoint& scale,
                  const Context& context);
  void pack_class_words(const RoundRows& rows, const FixedPoint& scale, const Context& context);

  std::vector<GradientPair> pairs_;
  std::vector<std::uint64_t> words_;
};

}  // namespace gradus
