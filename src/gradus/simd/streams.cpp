#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/streams.cpp"
#include "gradus/simd/streams.hpp"

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
// The counters of several streams, a word of 32 bits in the lower half of each lane. The upper
// halves may hold anything: a product reads the lower ones alone.
template <class V>
struct Counters {
  V c0, c1, c2, c3;
};

template <class D, class V>
HWY_INLINE V product(D d, V a, V b) {
  constexpr hn::Repartition<std::uint32_t, D> words;
  static_cast<void>(d);
  return hn::MulEven(hn::BitCast(words, a), hn::BitCast(words, b));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE void philox_round(D d, Counters<V>& c, V key0, V key1) {
  const V a = product(d, c.c0, hn::Set(d, 0xD2511F53U));
  const V b = product(d, c.c2, hn::Set(d, 0xCD9E8D57U));
  c = {hn::Xor(hn::Xor(hn::ShiftRight<32>(b), c.c1), key0), b,
       hn::Xor(hn::Xor(hn::ShiftRight<32>(a), c.c3), key1), a};
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V first_of(D d, const Counters<V>& c) {
  return hn::Or(hn::ShiftLeft<32>(c.c1), hn::And(c.c0, hn::Set(d, 0xFFFFFFFFU)));
}
#endif

void numbers(const StreamFamily& family, const std::uint64_t* items, std::size_t count,
             std::uint64_t* out) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  constexpr hn::ScalableTag<std::uint64_t> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t step = hn::Lanes(d);
  const auto begin = [&](const std::uint64_t* at) HWY_ATTR {
    const V item = hn::LoadU(d, at);
    return Counters<V>{hn::Zero(d), hn::Set(d, std::uint64_t{family.purpose}), item,
                       hn::ShiftRight<32>(item)};
  };
  // Two registers of streams, so that one is multiplied while the other waits.
  for (; i + 2 * step <= count; i += 2 * step) {
    Counters<V> a = begin(items + i);
    Counters<V> b = begin(items + i + step);
    auto low = static_cast<std::uint32_t>(family.seed);
    auto high = static_cast<std::uint32_t>(family.seed >> 32U);
    for (int round = 0; round < 10; ++round) {
      const V key0 = hn::Set(d, std::uint64_t{low});
      const V key1 = hn::Set(d, std::uint64_t{high});
      philox_round(d, a, key0, key1);
      philox_round(d, b, key0, key1);
      low += 0x9E3779B9U;
      high += 0xBB67AE85U;
    }
    hn::StoreU(first_of(d, a), d, out + i);
    hn::StoreU(first_of(d, b), d, out + i + step);
  }
#endif
  scalar::first_numbers(family, items + i, count - i, out + i);
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(numbers);

void first_numbers(const StreamFamily& family, const std::uint64_t* items, std::size_t count,
                   std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(numbers)(family, items, count, out);
}

void scalar::first_numbers(const StreamFamily& family, const std::uint64_t* items,
                           std::size_t count, std::uint64_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = Stream(family.seed, items[i], family.purpose).next();
  }
}

}  // namespace gradus::simd
#endif
