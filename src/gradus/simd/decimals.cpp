#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/decimals.cpp"
#include "gradus/simd/decimals.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef GRADUS_SIMD_DECIMALS_ONCE
#define GRADUS_SIMD_DECIMALS_ONCE
namespace gradus::simd {

// 10^fraction by the place of the point among 16 bytes; 16 stands for no point.
inline constexpr double kByPlaceOfPoint[] = {1e15, 1e14, 1e13, 1e12, 1e11, 1e10, 1e9, 1e8, 1e7,
                                             1e6,  1e5,  1e4,  1e3,  1e2,  1e1,  1e0, 1e0};

struct DecimalTables {
  std::uint8_t last[32] = {};                   // from n on: the last n of 16 bytes kept
  alignas(16) std::uint8_t close[17][16] = {};  // closes the gap of a point at the place
  constexpr DecimalTables() {
    for (std::size_t i = 16; i < 32; ++i) last[i] = 0xFF;
    for (std::size_t place = 0; place < 17; ++place) {
      for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t from = place < 16 && i <= place ? i - 1 : i;
        close[place][i] = static_cast<std::uint8_t>(i == 0 && place < 16 ? 0x80 : from);
      }
    }
  }
};
inline constexpr DecimalTables kDecimalTables;

inline double with_sign(double value, bool negative) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ std::uint64_t{negative} << 63);
}

}  // namespace gradus::simd
#endif

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Without a shuffle of bytes the plain way is as fast.
#if HWY_TARGET == HWY_SSE2 || HWY_TARGET == HWY_SCALAR
std::size_t read(const DecimalCells& cells, double* out, std::uint32_t* others) {
  return scalar::read_decimals(cells, out, others);
}
#else
using D = hn::FixedTag<std::uint8_t, 16>;

HWY_INLINE std::uint32_t bits_of(hn::Mask<D> mask) {
  std::uint32_t bits = 0;
  hn::StoreMaskBits(D(), mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

// Sixteen digits, the most significant first.
HWY_INLINE std::uint64_t joined(hn::Vec<D> digits) {
  constexpr hn::Repartition<std::uint16_t, D> d16;
  constexpr hn::Repartition<std::uint32_t, D> d32;
  constexpr hn::Repartition<std::uint64_t, D> d64;
  const auto ones = hn::BitCast(d16, digits);
  const auto pairs = hn::Add(hn::Mul(hn::And(ones, hn::Set(d16, 0xFF)), hn::Set(d16, 10)),
                             hn::ShiftRight<8>(ones));
  const auto hundreds = hn::BitCast(d32, hn::Mul(pairs, hn::Set(d16, 100)));
  const auto fours =
      hn::Add(hn::And(hundreds, hn::Set(d32, 0xFFFF)), hn::ShiftRight<16>(hn::BitCast(d32, pairs)));
  const auto eights =
      hn::Add(hn::MulEven(fours, hn::Set(d32, 10000)), hn::ShiftRight<32>(hn::BitCast(d64, fours)));
  return hn::ExtractLane(eights, 0) * 100000000 + hn::ExtractLane(eights, 1);
}

template <bool kBeforeNewline>
std::size_t read_column(const DecimalCells& cells, double* out, std::uint32_t* others) {
  constexpr D d;
  const auto zero = hn::Set(d, '0');
  const auto nine = hn::Set(d, 9);
  const auto point = hn::Set(d, '.' ^ '0');
  std::size_t left = 0;
  const std::uint32_t* mark = cells.mark;
  for (std::size_t i = 0; i < cells.count; ++i, mark += cells.stride) {
    const char* begin = cells.base + static_cast<std::uint32_t>(mark[0] + 1);
    const char* end = cells.base + mark[1];
    if constexpr (kBeforeNewline) end -= end > begin && end[-1] == '\r' ? 1 : 0;
    const bool negative = *begin == '-';
    const auto length = static_cast<std::size_t>(end - begin) - (negative ? 1 : 0);
    const auto bytes =
        hn::Xor(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(end) - kDecimalBytes), zero);
    const std::size_t kept = std::min(length, kDecimalBytes);
    const auto number = hn::And(bytes, hn::LoadU(d, kDecimalTables.last + kept));
    const std::uint32_t points = bits_of(hn::Eq(number, point));
    const int place = std::countr_zero(points | 0x10000U);
    // The first point goes; a second one stays, and is no digit.
    const auto digits = hn::TableLookupBytesOr0(number, hn::Load(d, kDecimalTables.close[place]));
    const bool all_digits = hn::AllTrue(d, hn::Eq(hn::Max(digits, nine), nine));
    const std::size_t count = length - (points != 0 ? 1 : 0);
    const auto whole = static_cast<std::int64_t>(joined(digits));
    out[i] = with_sign(static_cast<double>(whole) / kByPlaceOfPoint[place], negative);
    others[left] = static_cast<std::uint32_t>(i);
    left += all_digits && count - 1 < 15 ? 0 : 1;
  }
  return left;
}

std::size_t read(const DecimalCells& cells, double* out, std::uint32_t* others) {
  return cells.before_newline ? read_column<true>(cells, out, others)
                              : read_column<false>(cells, out, others);
}
#endif

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(read);

std::size_t read_decimals(const DecimalCells& cells, double* out, std::uint32_t* others) {
  return HWY_DYNAMIC_DISPATCH(read)(cells, out, others);
}

namespace {

// Digits with at most one point among them.
bool read_one(const char* at, const char* end, double& out) {
  std::uint64_t whole = 0;
  std::size_t digits = 0;
  const char* point = end;
  for (; at < end; ++at) {
    if (*at == '.' && point == end) {
      point = at;
    } else if (*at >= '0' && *at <= '9' && ++digits <= 15) {
      whole = 10 * whole + static_cast<std::uint64_t>(*at - '0');
    } else {
      return false;
    }
  }
  const std::size_t fraction = point == end ? 0 : static_cast<std::size_t>(end - point) - 1;
  out = static_cast<double>(whole) / kByPlaceOfPoint[15 - fraction];
  return digits > 0;
}

}  // namespace

std::size_t scalar::read_decimals(const DecimalCells& cells, double* out, std::uint32_t* others) {
  std::size_t left = 0;
  for (std::size_t i = 0; i < cells.count; ++i) {
    const std::uint32_t* mark = cells.mark + i * cells.stride;
    const char* begin = cells.base + static_cast<std::uint32_t>(mark[0] + 1);
    const char* end = cells.base + mark[1];
    if (cells.before_newline && end > begin && end[-1] == '\r') --end;
    const bool negative = begin < end && *begin == '-';
    double value = 0;
    if (read_one(begin + (negative ? 1 : 0), end, value)) {
      out[i] = with_sign(value, negative);
    } else {
      others[left++] = static_cast<std::uint32_t>(i);
    }
  }
  return left;
}

}  // namespace gradus::simd
#endif
