#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/word_pairs.cpp"
#include "gradus/simd/word_pairs.hpp"

#include "gradus/simd/gradient_words.hpp"
#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Whole = hn::ScalableTag<std::int64_t>;
using Bits = hn::RebindToUnsigned<Whole>;
constexpr std::size_t kStep = hn::MaxLanes(Whole());

template <bool kAdds>
HWY_INLINE void unpack(std::uint64_t* sums, std::size_t count, int count_bits,
                       std::int64_t* pairs) {
  constexpr Whole whole;
  constexpr Bits bits;
  constexpr int kAbove = GradientWord::kCountBits + GradientWord::kHessianBits;
  const auto counts = hn::Set(bits, GradientWord::kMostTogether);
  const auto hessians = hn::Set(bits, (std::uint64_t{1} << GradientWord::kHessianBits) - 1);
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    const auto sum = hn::LoadU(bits, sums + i);
    const auto hessian = hn::And(hn::ShiftRight<GradientWord::kCountBits>(sum), hessians);
    auto gradient = hn::ShiftRight<kAbove>(hn::BitCast(whole, sum));
    auto weight =
        hn::BitCast(whole, hn::Add(hn::ShiftLeftSame(hessian, count_bits), hn::And(sum, counts)));
    hn::StoreU(hn::Zero(bits), bits, sums + i);
    if constexpr (kAdds) {
      hn::Vec<Whole> gradients;
      hn::Vec<Whole> weights;
      hn::LoadInterleaved2(whole, pairs + 2 * i, gradients, weights);
      gradient = hn::Add(gradient, gradients);
      weight = hn::Add(weight, weights);
    }
    hn::StoreInterleaved2(gradient, weight, whole, pairs + 2 * i);
  }
  const auto rest = kAdds ? scalar::add_unpacked_words : scalar::unpack_words;
  rest(sums + i, count - i, count_bits, pairs + 2 * i);
}

void unpack_u64(std::uint64_t* sums, std::size_t count, int count_bits, std::int64_t* pairs) {
  unpack<false>(sums, count, count_bits, pairs);
}
void add_unpacked_u64(std::uint64_t* sums, std::size_t count, int count_bits, std::int64_t* pairs) {
  unpack<true>(sums, count, count_bits, pairs);
}

void subtract_i64(std::int64_t* pairs, const std::int64_t* others, std::size_t count) {
  constexpr Whole whole;
  std::size_t i = 0;
  for (; i + kStep <= 2 * count; i += kStep) {
    hn::StoreU(hn::Sub(hn::LoadU(whole, pairs + i), hn::LoadU(whole, others + i)), whole,
               pairs + i);
  }
  for (; i < 2 * count; ++i) pairs[i] -= others[i];
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(unpack_u64);
HWY_EXPORT(add_unpacked_u64);
HWY_EXPORT(subtract_i64);

void unpack_words(std::uint64_t* sums, std::size_t count, int count_bits, std::int64_t* pairs) {
  HWY_DYNAMIC_DISPATCH(unpack_u64)(sums, count, count_bits, pairs);
}
void add_unpacked_words(std::uint64_t* sums, std::size_t count, int count_bits,
                        std::int64_t* pairs) {
  HWY_DYNAMIC_DISPATCH(add_unpacked_u64)(sums, count, count_bits, pairs);
}
void subtract_pairs(std::int64_t* pairs, const std::int64_t* others, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(subtract_i64)(pairs, others, count);
}

namespace scalar {

namespace {

template <bool kAdds>
void unpack(std::uint64_t* sums, std::size_t count, int count_bits, std::int64_t* pairs) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t hessian = GradientWord::hessian(sums[i]) << count_bits;
    const auto weight = static_cast<std::int64_t>(hessian + GradientWord::count(sums[i]));
    pairs[2 * i] = GradientWord::gradient(sums[i]) + (kAdds ? pairs[2 * i] : 0);
    pairs[2 * i + 1] = weight + (kAdds ? pairs[2 * i + 1] : 0);
    sums[i] = 0;
  }
}

}  // namespace

void unpack_words(std::uint64_t* sums, std::size_t count, int count_bits, std::int64_t* pairs) {
  unpack<false>(sums, count, count_bits, pairs);
}

void add_unpacked_words(std::uint64_t* sums, std::size_t count, int count_bits,
                        std::int64_t* pairs) {
  unpack<true>(sums, count, count_bits, pairs);
}

void subtract_pairs(std::int64_t* pairs, const std::int64_t* others, std::size_t count) {
  for (std::size_t i = 0; i < 2 * count; ++i) pairs[i] -= others[i];
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
