// Numbers that a kernel and its plain twin share.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

// The virtual register of every sum: 16 doubles or 32 floats. Four AVX2 registers, enough
// independent additions to hide their latency.
inline constexpr std::size_t kRegisterBytes = 128;
template <class T>
inline constexpr std::size_t kLanes = kRegisterBytes / sizeof(T);

// 1.5 * 2^52: adding it to a number below 2^51 rounds that number to an integer, which then stands
// in the low bits of the sum.
inline constexpr double kRoundToInteger = 6755399441055744.0;

// ln 2 in two parts; the high one has 32 trailing zero bits, so that k * kLn2High is exact.
inline constexpr double kLog2E = 0x1.71547652b82fep+0;
inline constexpr double kLn2High = 0x1.62e42feep-1;
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

// exp(r) on |r| <= ln(2)/2 through r - r^2 * P(r^2), the coefficients of the approximation in
// W. Kahan and K. C. Ng's method (fdlibm): within 2^-59.
inline constexpr double kExpPoly[5] = {1.66666666666666019037e-01, -2.77777777770155933842e-03,
                                       6.61375632143793436117e-05, -1.65339022054652515390e-06,
                                       4.13813679705723846039e-08};
// Beyond these the result is infinity or 0, whatever follows.
inline constexpr double kExpHighest = 710;
inline constexpr double kExpLowest = -746;

// log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)), s = f / (2 + f): the coefficients of R (fdlibm),
// within 2^-58.45.
inline constexpr double kLogPoly[7] = {6.666666666666735130e-01, 3.999999999940941908e-01,
                                       2.857142874366239149e-01, 2.222219843214978396e-01,
                                       1.818357216161805012e-01, 1.531383769920937332e-01,
                                       1.479819860511658591e-01};
// The bits of sqrt(1/2) without its last 32: mantissas are brought into [sqrt(1/2), sqrt(2)).
inline constexpr std::uint64_t kSqrtHalfBits = 0x3fe6a09e00000000;
inline constexpr std::uint64_t kOneBits = 0x3ff0000000000000;
inline constexpr std::uint64_t kMantissaBits = 0x000fffffffffffff;
// 2^52 as bits: OR-ing a small integer into it and subtracting 2^52 converts it to double.
inline constexpr std::uint64_t kTwo52Bits = 0x4330000000000000;
inline constexpr double kTwo52 = 4503599627370496.0;
inline constexpr double kTwo54 = 18014398509481984.0;
inline constexpr double kExponentBias = 1023;
inline constexpr double kSmallestNormal = 0x1p-1022;

}  // namespace gradus::simd
