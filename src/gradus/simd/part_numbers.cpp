#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/part_numbers.cpp"
#include "gradus/simd/part_numbers.hpp"

#include <algorithm>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<std::uint32_t>;
using V = hn::Vec<D>;
constexpr std::size_t kStep = hn::MaxLanes(D());

// Where the numbers of a side go.
struct Side {
  std::uint32_t* next;
  std::uint32_t* end;

  // Whole registers are written while what stands behind is written later, or by nobody else.
  template <class Mask>
  HWY_INLINE void put(V numbers, Mask mine) {
    constexpr D d;
    const std::size_t count = hn::CountTrue(d, mine);
    const V together = hn::Compress(numbers, mine);
    if (static_cast<std::size_t>(end - next) >= kStep) {
      hn::StoreU(together, d, next);
    } else {
      HWY_ALIGN std::uint32_t last[kStep];
      hn::Store(together, d, last);
      std::copy_n(last, count, next);
    }
    next += count;
  }
};

void part_u32(const FlaggedNumbers& numbers, std::uint32_t* left, std::uint32_t* right) {
  constexpr D d;
  constexpr hn::Rebind<std::uint8_t, D> bytes;
  Side lefts{left, left + numbers.lefts};
  Side rights{right, right + (numbers.count - numbers.lefts)};
  V number = hn::Iota(d, numbers.first);
  const V step = hn::Set(d, static_cast<std::uint32_t>(kStep));
  std::size_t i = 0;
  for (; i + kStep <= numbers.count; i += kStep) {
    const V flags = hn::PromoteTo(d, hn::LoadU(bytes, numbers.flags + i));
    const auto goes = hn::Ne(flags, hn::Zero(d));
    lefts.put(number, goes);
    rights.put(number, hn::Not(goes));
    number = hn::Add(number, step);
  }
  const FlaggedNumbers rest{numbers.flags + i, numbers.count - i, 0,
                            numbers.first + static_cast<std::uint32_t>(i)};
  scalar::part_numbers(rest, lefts.next, rights.next);
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(part_u32);

void part_numbers(const FlaggedNumbers& numbers, std::uint32_t* left, std::uint32_t* right) {
  HWY_DYNAMIC_DISPATCH(part_u32)(numbers, left, right);
}

namespace scalar {

void part_numbers(const FlaggedNumbers& numbers, std::uint32_t* left, std::uint32_t* right) {
  for (std::size_t i = 0; i < numbers.count; ++i) {
    const std::uint32_t number = numbers.first + static_cast<std::uint32_t>(i);
    if (numbers.flags[i] != 0) {
      *left++ = number;
    } else {
      *right++ = number;
    }
  }
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
