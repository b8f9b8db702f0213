#include "gradus/models/boosting/gradient_boosting/gradient_packer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kPackedBlock = 4096;
// Rows whose gradients are on their way to the pairs at a time.
constexpr std::size_t kTakenTogether = 1024;

// Tables of fewer rows keep all digits of their gradients.
constexpr std::size_t kLeastRowsOfWords = std::size_t{1} << 13U;
// What the gradients and hessians of rows have of the largest on average, at least: 8 and 16 units.
constexpr double kLeastUsualGradient = 1.0 / 1024;
constexpr double kLeastUsualHessian = 1.0 / 128;

// Gradients and hessians of some rows. They are computed where they are needed, twice for a tree:
// once to know how large they are, once to be packed. Keeping them would take longer, but for the
// probabilities that they follow from.
struct SomeGradients {
  std::array<double, kTakenTogether> gradient;
  std::array<double, kTakenTogether> hessian;
};

void apply_times(std::span<const double> times, const parallel::Block& rows, SomeGradients& some) {
  for (std::size_t i = 0; !times.empty() && i < rows.size(); ++i) {
    some.gradient[i] *= times[rows.begin + i];
    some.hessian[i] *= times[rows.begin + i];
  }
}

void take_sizes(simd::GradientSizes& total, const simd::GradientSizes& part) {
  // Written so that a number that is none stays in sight.
  if (!(part.gradient <= total.gradient)) total.gradient = part.gradient;
  if (!(part.hessian <= total.hessian)) total.hessian = part.hessian;
  total.all_gradient += part.all_gradient;
  total.all_hessian += part.all_hessian;
  total.gradients += part.gradients;
  total.hessians += part.hessians;
}

bool may_be_words(const RoundRows& rows) {
  return rows.rows >= kLeastRowsOfWords && rows.counted <= FixedPoint::kMostWords &&
         rows.copies.empty() && rows.narrow;
}

// Whether words keep enough of the gradients: the rounding of a row, by half a unit, must be small
// beside what rows usually have. A few rows far from all others make the unit too large.
bool fit_words(const simd::GradientSizes& sizes) {
  return sizes.all_gradient >= kLeastUsualGradient * sizes.gradient * sizes.gradients &&
         sizes.all_hessian >= kLeastUsualHessian * sizes.hessian * sizes.hessians;
}

template <class T>
void make_room(std::vector<T>& packed, std::size_t rows, const Context& context) {
  if (!packed.empty()) return;
  context.require_memory(rows * sizeof(T), "the packed gradients");
  reserve_large_pages(packed, rows);
  packed.resize(rows);
}

}  // namespace

std::uint32_t RoundRows::count(std::size_t row) const {
  if (copies.empty()) return 1;
  const double share = times.empty() ? 1 : std::min(1.0, times[row]);
  return static_cast<std::uint32_t>(std::lround(share * copies[row]));
}

std::vector<double> RoundRows::gradients(std::size_t output) const {
  std::vector<double> out(rows);
  SomeGradients some;
  for (std::size_t begin = 0; begin < rows; begin += kTakenTogether) {
    const parallel::Block block{begin, std::min(begin + kTakenTogether, rows), 0};
    loss.gradients(output, block, some.gradient.data(), some.hessian.data());
    apply_times(times, block, some);
    std::copy_n(some.gradient.data(), block.size(), out.data() + begin);
  }
  return out;
}

template <class Body>
void GradientPacker::for_gradients(const RoundRows& rows, std::size_t output,
                                   const parallel::Block& all, Probabilities source,
                                   const Body& body) {
  SomeGradients some;
  double* g = some.gradient.data();
  double* h = some.hessian.data();
  for (std::size_t begin = all.begin; begin < all.end; begin += kTakenTogether) {
    const parallel::Block block{begin, std::min(begin + kTakenTogether, all.end), 0};
    const std::size_t bytes = block.size() * sizeof(double);
    if (source == Probabilities::computed) {
      rows.loss.gradients(output, block, g, h);
    } else if (source == Probabilities::to_be_kept) {
      rows.loss.probabilities(block, g);
      std::memcpy(words_.data() + begin, g, bytes);
      rows.loss.gradients_of(block, g, g, h);
    } else {
      std::memcpy(g, words_.data() + begin, bytes);
      rows.loss.gradients_of(block, g, g, h);
    }
    apply_times(rows.times, block, some);
    body(block, some);
  }
}

simd::GradientSizes GradientPacker::sizes(const RoundRows& rows, std::size_t output,
                                          Probabilities source, const Context& context) {
  return parallel::reduce_ordered<simd::GradientSizes>(
      context, rows.rows, kPackedBlock,
      [&](const parallel::Block& all) {
        simd::GradientSizes sizes;
        for_gradients(rows, output, all, source,
                      [&](const parallel::Block& block, const SomeGradients& some) {
                        take_sizes(sizes,
                                   simd::gradient_sizes({some.gradient.data(), some.hessian.data(),
                                                         nullptr, block.size()}));
                      });
        return sizes;
      },
      take_sizes);
}

Gradients GradientPacker::pack(const RoundRows& rows, std::size_t output, const Context& context) {
  const bool words = may_be_words(rows);
  if (words) make_room(words_, rows.rows, context);
  const bool keeps = words && rows.loss.has_probabilities();
  const simd::GradientSizes found =
      sizes(rows, output, keeps ? Probabilities::to_be_kept : Probabilities::computed, context);
  if (!std::isfinite(found.gradient) || !std::isfinite(found.hessian)) {
    throw Error(ErrorKind::numerical, "", "the gradients of the loss are no longer finite",
                "lower --learning_rate, or scale the target");
  }
  if (words && fit_words(found)) {
    return pack_words(rows, output,
                      FixedPoint::of_words(found.gradient, found.hessian, rows.counted),
                      keeps ? Probabilities::kept : Probabilities::computed, context);
  }
  return pack_pairs(rows, output, FixedPoint(found.gradient, found.hessian, rows.counted), context);
}

Gradients GradientPacker::pack_pairs(const RoundRows& rows, std::size_t output,
                                     const FixedPoint& scale, const Context& context) {
  make_room(pairs_, rows.rows, context);
  const bool alike = rows.alike();
  parallel::for_each_block(context, rows.rows, kPackedBlock, [&](const parallel::Block& all) {
    for_gradients(rows, output, all, Probabilities::computed,
                  [&](const parallel::Block& block, const SomeGradients& some) {
                    for (std::size_t i = 0; i < block.size(); ++i) {
                      const std::size_t row = block.begin + i;
                      const bool takes_part = alike || rows.active[row] > 0;
                      pairs_[row] = takes_part ? scale.pack(some.gradient[i], some.hessian[i],
                                                            rows.count(row))
                                               : GradientPair{};
                    }
                  });
  });
  return {pairs_, scale};
}

Gradients GradientPacker::pack_words(const RoundRows& rows, std::size_t output,
                                     const FixedPoint& scale, Probabilities source,
                                     const Context& context) {
  const double* active = rows.alike() ? nullptr : rows.active.data();
  parallel::for_each_block(context, rows.rows, kPackedBlock, [&](const parallel::Block& all) {
    for_gradients(
        rows, output, all, source, [&](const parallel::Block& block, const SomeGradients& some) {
          simd::gradient_words({some.gradient.data(), some.hessian.data(),
                                active == nullptr ? nullptr : active + block.begin, block.size()},
                               scale.units(), words_.data() + block.begin);
        });
  });
  return {{}, scale, words_};
}

}  // namespace gradus
