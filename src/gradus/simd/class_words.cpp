#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/class_words.cpp"
#include "gradus/simd/class_words.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "gradus/simd/gradient_columns.hpp"
#include "gradus/simd/gradients.hpp"
#include "gradus/simd/scalar.hpp"
#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "gradus/simd/elementary_inl.hpp"
#include "gradus/simd/gradient_words_inl.hpp"

#ifndef GRADUS_SIMD_CLASS_WORDS_ONCE
#define GRADUS_SIMD_CLASS_WORDS_ONCE
namespace gradus::simd {

// A row's gradient and hessian, from the probability.
struct ClassGradient {
  double g;
  double h;

  ClassGradient(const ClassRows& rows, std::size_t i, double p) {
    scalar::class_gradients(&p, rows.codes + i, rows.said,
                            {rows.weights == nullptr ? nullptr : rows.weights + i}, 1, &g, &h);
    if (rows.times == nullptr) return;
    g *= rows.times[i];
    h *= rows.times[i];
  }
};

inline std::uint64_t word_of(const ClassRows& rows, std::size_t i, const GradientUnits& units,
                             std::uint64_t kept) {
  const ClassGradient of(rows, i, std::bit_cast<double>(kept));
  std::uint64_t word = 0;
  scalar::gradient_words({&of.g, &of.h, rows.active == nullptr ? nullptr : rows.active + i, 1},
                         units, &word);
  return word;
}

// The loss of a row is ln(1 + e^-m), m its score or, of the other class, −score: max(−m, 0) and
// the logarithm of a factor from 1 to 2. Of 512 factors of a column one logarithm is taken.
struct LossColumns {
  static constexpr std::size_t kFactors = 512;
  std::array<double, kSumColumns> linear = {};
  std::array<double, kSumColumns> factor;
  LossColumns() { factor.fill(1); }

  void add(std::size_t column, double margin) {
    linear[column] += std::max(-margin, 0.0);
    factor[column] *= 1 + scalar::exp(-std::abs(margin));
  }
  double sum() {
    double out = 0;
    for (std::size_t k = 0; k < kSumColumns; ++k) out += linear[k] + scalar::log(factor[k]);
    factor.fill(1);
    linear.fill(0);
    return out;
  }
};

inline double margin_of(const ClassRows& rows, std::size_t i) {
  return rows.codes[i] == rows.said ? rows.scores[i] : -rows.scores[i];
}

}  // namespace gradus::simd
#endif

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {

// All bits of rows of the class that is meant, as whole numbers: −1, else 0.
HWY_INLINE V said_of(const ClassRows& rows, std::size_t i) {
  constexpr hn::Rebind<std::int32_t, D> whole_numbers;
  const auto same =
      hn::Eq(hn::LoadU(whole_numbers, rows.codes + i), hn::Set(whole_numbers, rows.said));
  return hn::PromoteTo(D(), hn::VecFromMask(whole_numbers, same));
}

HWY_INLINE void derive(const ClassRows& rows, std::size_t i, V p, V& g, V& h) {
  constexpr D d;
  g = hn::Add(p, said_of(rows, i));
  h = hn::Mul(p, hn::Sub(hn::Set(d, 1.0), p));
  for (const double* factor : {rows.weights, rows.times}) {
    if (factor == nullptr) continue;
    const V own = hn::LoadU(d, factor + i);
    g = hn::Mul(g, own);
    h = hn::Mul(h, own);
  }
}

struct FromScores {
  const ClassRows& rows;
  std::uint64_t* kept;

  HWY_INLINE void both(std::size_t i, V& g, V& h) const {
    constexpr D d;
    constexpr hn::RebindToUnsigned<D> bits;
    const V one = hn::Set(d, 1.0);
    const V e = exp_of(hn::Neg(hn::LoadU(d, rows.scores + i)));
    const V p = hn::Div(one, hn::Add(one, e));
    hn::StoreU(hn::BitCast(bits, p), bits, kept + i);
    derive(rows, i, p, g, h);
  }
};

struct FromKept {
  const ClassRows& rows;
  const std::uint64_t* kept;

  HWY_INLINE void both(std::size_t i, V& g, V& h) const {
    constexpr D d;
    constexpr hn::RebindToUnsigned<D> bits;
    derive(rows, i, hn::BitCast(d, hn::LoadU(bits, kept + i)), g, h);
  }
};

GradientSizes class_sizes_f64(const ClassRows& rows, std::uint64_t* kept) {
  SizeColumns columns;
  for (std::size_t i = sizes_from(FromScores{rows, kept}, rows.count, columns); i < rows.count;
       ++i) {
    const double p = 1 / (1 + scalar::exp(-rows.scores[i]));
    kept[i] = std::bit_cast<std::uint64_t>(p);
    const ClassGradient of(rows, i, p);
    columns.add(i % kSumColumns, of.g, of.h);
  }
  return columns.sizes();
}

void class_words_u64(const ClassRows& rows, const GradientUnits& units, std::uint64_t* kept) {
  for (std::size_t i = words_from(FromKept{rows, kept}, rows.active, units, rows.count, kept);
       i < rows.count; ++i) {
    kept[i] = word_of(rows, i, units, kept[i]);
  }
}

double class_loss_f64(const ClassRows& rows) {
  constexpr D d;
  const V one = hn::Set(d, 1.0);
  const V none = hn::Zero(d);
  double sum = 0;
  LossColumns columns;
  std::size_t i = 0;
  while (i + kSumColumns <= rows.count) {
    V linear[kVectors];
    V factor[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      linear[v] = none;
      factor[v] = one;
    }
    const std::size_t end = std::min(rows.count, i + LossColumns::kFactors * kSumColumns);
    for (; i + kSumColumns <= end; i += kSumColumns) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::size_t at = i + v * kStep;
        const V score = hn::LoadU(d, rows.scores + at);
        // −1 where the score is the margin: its sign is turned, to be that of −margin.
        const V turned = hn::IfThenElse(hn::Ne(said_of(rows, at), none), hn::Neg(score), score);
        linear[v] = hn::Add(linear[v], hn::Max(turned, none));
        factor[v] = hn::Mul(factor[v], hn::Add(one, exp_of(hn::Neg(hn::Abs(score)))));
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(linear[v], d, columns.linear.data() + v * kStep);
      hn::StoreU(factor[v], d, columns.factor.data() + v * kStep);
    }
    if (i < end || i == rows.count) break;
    sum += columns.sum();
  }
  for (; i < rows.count; ++i) columns.add(i % kSumColumns, margin_of(rows, i));
  return sum + columns.sum();
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(class_sizes_f64);
HWY_EXPORT(class_words_u64);
HWY_EXPORT(class_loss_f64);

GradientSizes class_sizes(const ClassRows& rows, std::uint64_t* kept) {
  return HWY_DYNAMIC_DISPATCH(class_sizes_f64)(rows, kept);
}
void class_words(const ClassRows& rows, const GradientUnits& units, std::uint64_t* kept) {
  HWY_DYNAMIC_DISPATCH(class_words_u64)(rows, units, kept);
}
double class_loss(const ClassRows& rows) { return HWY_DYNAMIC_DISPATCH(class_loss_f64)(rows); }

namespace scalar {

GradientSizes class_sizes(const ClassRows& rows, std::uint64_t* kept) {
  SizeColumns columns;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double p = 1 / (1 + exp(-rows.scores[i]));
    kept[i] = std::bit_cast<std::uint64_t>(p);
    const ClassGradient of(rows, i, p);
    columns.add(i % kSumColumns, of.g, of.h);
  }
  return columns.sizes();
}

void class_words(const ClassRows& rows, const GradientUnits& units, std::uint64_t* kept) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    kept[i] = word_of(rows, i, units, kept[i]);
  }
}

double class_loss(const ClassRows& rows) {
  double sum = 0;
  LossColumns columns;
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (i > 0 && i % (LossColumns::kFactors * kSumColumns) == 0) sum += columns.sum();
    columns.add(i % kSumColumns, margin_of(rows, i));
  }
  return sum + columns.sum();
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
