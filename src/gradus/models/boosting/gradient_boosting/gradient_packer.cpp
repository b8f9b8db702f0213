#include "gradus/models/boosting/gradient_boosting/gradient_packer.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
// once to know how large they are, once to be packed. Keeping them would take longer.
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

template <class Body>
void for_gradients(const RoundRows& rows, std::size_t output, const parallel::Block& all,
                   const Body& body) {
  SomeGradients some;
  for (std::size_t begin = all.begin; begin < all.end; begin += kTakenTogether) {
    const parallel::Block block{begin, std::min(begin + kTakenTogether, all.end), 0};
    rows.loss.gradients(output, block, some.gradient.data(), some.hessian.data());
    apply_times(rows.times, block, some);
    body(block, some);
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

// What the kernels of two classes ask for.
simd::ClassRows class_rows(const RoundRows& rows, const parallel::Block& block) {
  simd::ClassRows out = rows.loss.class_rows(block);
  if (!rows.times.empty()) out.times = rows.times.data() + block.begin;
  if (!rows.alike()) out.active = rows.active.data() + block.begin;
  return out;
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

simd::GradientSizes GradientPacker::sizes(const RoundRows& rows, std::size_t output,
                                          const Context& context) {
  return parallel::reduce_ordered<simd::GradientSizes>(
      context, rows.rows, kPackedBlock,
      [&](const parallel::Block& all) {
        simd::GradientSizes sizes;
        for_gradients(
            rows, output, all, [&](const parallel::Block& block, const SomeGradients& some) {
              take_sizes(sizes, simd::gradient_sizes({some.gradient.data(), some.hessian.data(),
                                                      nullptr, block.size()}));
            });
        return sizes;
      },
      take_sizes);
}

// Keeps the probabilities where the words will stand: a double is as long as a word.
simd::GradientSizes GradientPacker::class_sizes(const RoundRows& rows, const Context& context) {
  return parallel::reduce_ordered<simd::GradientSizes>(
      context, rows.rows, kPackedBlock,
      [&](const parallel::Block& block) {
        return simd::class_sizes(class_rows(rows, block), words_.data() + block.begin);
      },
      take_sizes);
}

Gradients GradientPacker::pack(const RoundRows& rows, std::size_t output, const Context& context) {
  const bool words = may_be_words(rows);
  if (words) make_room(words_, rows.rows, context);
  const bool two_classes = words && rows.loss.of_two_classes();
  const simd::GradientSizes found =
      two_classes ? class_sizes(rows, context) : sizes(rows, output, context);
  if (!std::isfinite(found.gradient) || !std::isfinite(found.hessian)) {
    throw Error(ErrorKind::numerical, "", "the gradients of the loss are no longer finite",
                "lower --learning_rate, or scale the target");
  }
  if (!words || !fit_words(found)) {
    const FixedPoint scale(found.gradient, found.hessian, rows.counted);
    return pack_pairs(rows, output, scale, context);
  }
  const FixedPoint scale = FixedPoint::of_words(found.gradient, found.hessian, rows.counted);
  if (two_classes) {
    pack_class_words(rows, scale, context);
  } else {
    pack_words(rows, output, scale, context);
  }
  return {{}, scale, words_};
}

Gradients GradientPacker::pack_pairs(const RoundRows& rows, std::size_t output,
                                     const FixedPoint& scale, const Context& context) {
  make_room(pairs_, rows.rows, context);
  const bool alike = rows.alike();
  parallel::for_each_block(context, rows.rows, kPackedBlock, [&](const parallel::Block& all) {
    for_gradients(rows, output, all, [&](const parallel::Block& block, const SomeGradients& some) {
      for (std::size_t i = 0; i < block.size(); ++i) {
        const std::size_t row = block.begin + i;
        const bool takes_part = alike || rows.active[row] > 0;
        pairs_[row] = takes_part ? scale.pack(some.gradient[i], some.hessian[i], rows.count(row))
                                 : GradientPair{};
      }
    });
  });
  return {pairs_, scale};
}

void GradientPacker::pack_words(const RoundRows& rows, std::size_t output, const FixedPoint& scale,
                                const Context& context) {
  const double* active = rows.alike() ? nullptr : rows.active.data();
  parallel::for_each_block(context, rows.rows, kPackedBlock, [&](const parallel::Block& all) {
    for_gradients(rows, output, all, [&](const parallel::Block& block, const SomeGradients& some) {
      simd::gradient_words({some.gradient.data(), some.hessian.data(),
                            active == nullptr ? nullptr : active + block.begin, block.size()},
                           scale.units(), words_.data() + block.begin);
    });
  });
}

void GradientPacker::pack_class_words(const RoundRows& rows, const FixedPoint& scale,
                                      const Context& context) {
  parallel::for_each_block(context, rows.rows, kPackedBlock, [&](const parallel::Block& block) {
    simd::class_words(class_rows(rows, block), scale.units(), words_.data() + block.begin);
  });
}

}  // namespace gradus
