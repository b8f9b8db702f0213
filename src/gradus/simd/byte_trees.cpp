#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/byte_trees.cpp"
#include "gradus/simd/byte_trees.hpp"

#include <bit>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
// The leaves that one row can still reach in a tree; `low` and `high` hold its codes twice each.
template <class V>
HWY_INLINE std::uint32_t leaves_left(const ByteTree& tree, V low, V high) {
  constexpr hn::CappedTag<std::uint8_t, kByteTests> d;
  constexpr hn::RebindToSigned<decltype(d)> s;
  constexpr hn::CappedTag<std::int32_t, 8> words;
  constexpr hn::Rebind<std::int8_t, decltype(words)> some;
  const auto column = hn::Load(d, tree.column);
  // A place with its highest bit set looks up nothing: columns from 16 on, and those below.
  const auto in_low = hn::TableLookupBytesOr0(low, hn::SaturatedAdd(column, hn::Set(d, 0x70)));
  const auto in_high = hn::TableLookupBytesOr0(high, hn::Sub(column, hn::Set(d, 16)));
  const auto code = hn::BitCast(s, hn::Or(in_low, in_high));
  alignas(32) std::int8_t no[kByteTests];
  hn::Store(hn::VecFromMask(s, hn::Gt(code, hn::Load(s, tree.code))), s, no);
  auto cleared = hn::Zero(words);
  for (std::size_t at = 0; at < kByteTests; at += 8) {
    const auto wide = hn::PromoteTo(words, hn::Load(some, no + at));
    const auto clear =
        hn::BitCast(words, hn::Load(hn::RebindToUnsigned<decltype(words)>(), tree.clear + at));
    cleared = hn::Or(cleared, hn::And(wide, clear));
  }
  const auto half =
      hn::Or(hn::LowerHalf(cleared), hn::UpperHalf(hn::Half<decltype(words)>(), cleared));
  const auto quarter = hn::Or(half, hn::Shuffle1032(half));
  const auto one = hn::Or(quarter, hn::Shuffle2301(quarter));
  return ~static_cast<std::uint32_t>(hn::GetLane(one));
}

void leaves_of(const ByteTree* trees, std::size_t count, const ByteCode* codes,
               std::uint8_t* leaves) {
  constexpr hn::CappedTag<std::uint8_t, kByteTests> d;
  constexpr hn::CappedTag<std::uint8_t, 16> half;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(codes);
  const auto first = hn::LoadU(half, bytes);
  const auto second = hn::LoadU(half, bytes + 16);
  const auto low = hn::Combine(d, first, first);
  const auto high = hn::Combine(d, second, second);
  for (std::size_t t = 0; t < count; ++t) {
    leaves[t] = static_cast<std::uint8_t>(std::countr_zero(leaves_left(trees[t], low, high)));
  }
}

bool pays() { return true; }
#else
void leaves_of(const ByteTree* trees, std::size_t count, const ByteCode* codes,
               std::uint8_t* leaves) {
  scalar::byte_leaves(trees, count, codes, leaves);
}

bool pays() { return false; }
#endif

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(leaves_of);
HWY_EXPORT(pays);

void byte_leaves(const ByteTree* trees, std::size_t count, const ByteCode* codes,
                 std::uint8_t* leaves) {
  HWY_DYNAMIC_DISPATCH(leaves_of)(trees, count, codes, leaves);
}

bool byte_trees_pay() { return HWY_DYNAMIC_DISPATCH(pays)(); }

namespace scalar {

void byte_leaves(const ByteTree* trees, std::size_t count, const ByteCode* codes,
                 std::uint8_t* leaves) {
  for (std::size_t t = 0; t < count; ++t) {
    std::uint32_t left = ~0U;
    for (std::size_t test = 0; test < kByteTests; ++test) {
      if (codes[trees[t].column[test]] > trees[t].code[test]) left &= ~trees[t].clear[test];
    }
    leaves[t] = static_cast<std::uint8_t>(std::countr_zero(left));
  }
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
