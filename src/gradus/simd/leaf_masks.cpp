#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/leaf_masks.cpp"
#include "gradus/simd/leaf_masks.hpp"

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
// As many codes as a register has masks, each as wide as a mask.
template <class D>
HWY_INLINE hn::Vec<D> widened(D d, const std::uint8_t* codes) {
  constexpr hn::Rebind<std::uint8_t, D> bytes;
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(std::uint32_t)) {
    return hn::PromoteTo(d, hn::LoadU(bytes, codes));
  } else {
    constexpr hn::Rebind<std::uint32_t, D> words;
    return hn::PromoteTo(d, hn::PromoteTo(words, hn::LoadU(bytes, codes)));
  }
}
#endif

// Four registers of rows go through all questions together, so that a question is read once for
// all of them.
template <class Mask>
void masks_of(const LeafTest<Mask>* tests, std::size_t count, const std::uint8_t* const* columns,
              std::size_t rows, Mask* masks) {
#if HWY_TARGET == HWY_SCALAR
  scalar::leaf_masks(tests, count, columns, rows, masks);
#else
  constexpr hn::ScalableTag<Mask> d;
  constexpr hn::RebindToSigned<decltype(d)> s;
  constexpr std::size_t kStep = hn::MaxLanes(d);
  using Signed = hn::TFromD<decltype(s)>;
  std::size_t row = 0;
  for (; row + 4 * kStep <= rows; row += 4 * kStep) {
    auto a = hn::Set(d, static_cast<Mask>(~Mask{0}));
    auto b = a;
    auto c = a;
    auto e = a;
    for (std::size_t t = 0; t < count; ++t) {
      const std::uint8_t* codes = columns[tests[t].column] + row;
      const auto limit = hn::Set(s, static_cast<Signed>(tests[t].code));
      const auto clear = hn::Set(d, tests[t].clear);
      const auto left_of = [&](auto mask, const std::uint8_t* at) HWY_ATTR {
        const auto code = hn::BitCast(s, widened(d, at));
        const auto no = hn::BitCast(d, hn::VecFromMask(s, hn::Gt(code, limit)));
        return hn::AndNot(hn::And(no, clear), mask);
      };
      a = left_of(a, codes);
      b = left_of(b, codes + kStep);
      c = left_of(c, codes + 2 * kStep);
      e = left_of(e, codes + 3 * kStep);
    }
    hn::StoreU(a, d, masks + row);
    hn::StoreU(b, d, masks + row + kStep);
    hn::StoreU(c, d, masks + row + 2 * kStep);
    hn::StoreU(e, d, masks + row + 3 * kStep);
  }
  for (; row < rows; ++row) {
    Mask mask = ~Mask{0};
    for (std::size_t t = 0; t < count; ++t) {
      if (columns[tests[t].column][row] > tests[t].code) mask &= ~tests[t].clear;
    }
    masks[row] = mask;
  }
#endif
}

std::size_t rows_together() {
#if HWY_TARGET == HWY_SCALAR
  return 1;
#else
  return 4 * hn::MaxLanes(hn::ScalableTag<std::uint32_t>());
#endif
}

void masks_u32(const LeafTest<std::uint32_t>* tests, std::size_t count,
               const std::uint8_t* const* columns, std::size_t rows, std::uint32_t* masks) {
  masks_of(tests, count, columns, rows, masks);
}

void masks_u64(const LeafTest<std::uint64_t>* tests, std::size_t count,
               const std::uint8_t* const* columns, std::size_t rows, std::uint64_t* masks) {
  masks_of(tests, count, columns, rows, masks);
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(masks_u32);
HWY_EXPORT(masks_u64);
HWY_EXPORT(rows_together);

std::size_t leaf_mask_rows() { return HWY_DYNAMIC_DISPATCH(rows_together)(); }

void leaf_masks(const LeafTest<std::uint32_t>* tests, std::size_t count,
                const std::uint8_t* const* columns, std::size_t rows, std::uint32_t* masks) {
  HWY_DYNAMIC_DISPATCH(masks_u32)(tests, count, columns, rows, masks);
}
void leaf_masks(const LeafTest<std::uint64_t>* tests, std::size_t count,
                const std::uint8_t* const* columns, std::size_t rows, std::uint64_t* masks) {
  HWY_DYNAMIC_DISPATCH(masks_u64)(tests, count, columns, rows, masks);
}

namespace scalar {
namespace {

template <class Mask>
void plain_masks(const LeafTest<Mask>* tests, std::size_t count, const std::uint8_t* const* columns,
                 std::size_t rows, Mask* masks) {
  for (std::size_t row = 0; row < rows; ++row) {
    Mask mask = ~Mask{0};
    for (std::size_t t = 0; t < count; ++t) {
      if (columns[tests[t].column][row] > tests[t].code) mask &= ~tests[t].clear;
    }
    masks[row] = mask;
  }
}

}  // namespace

void leaf_masks(const LeafTest<std::uint32_t>* tests, std::size_t count,
                const std::uint8_t* const* columns, std::size_t rows, std::uint32_t* masks) {
  plain_masks(tests, count, columns, rows, masks);
}
void leaf_masks(const LeafTest<std::uint64_t>* tests, std::size_t count,
                const std::uint8_t* const* columns, std::size_t rows, std::uint64_t* masks) {
  plain_masks(tests, count, columns, rows, masks);
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
