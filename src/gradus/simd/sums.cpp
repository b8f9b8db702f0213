// dot, sum, axpy and first_infinite for every instruction set. See kernels.hpp for the shape of a
// sum. The library is compiled with -ffp-contract=off: without it the compiler would fuse Mul and
// Add where the machine can, and machines would differ.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/sums.cpp"
#include <cmath>
#include <cstring>

#include "gradus/simd/constants.hpp"
#include "gradus/simd/kernels.hpp"
#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The virtual register as the registers of this machine.
template <class T>
struct Register {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kStep = hn::MaxLanes(D());
  static constexpr std::size_t kCount = kLanes<T> / kStep;
};

// lane[i] += lane[i + half], first between registers, then inside the last one.
template <class T>
HWY_INLINE T folded(typename Register<T>::V (&acc)[Register<T>::kCount]) {
  using R = Register<T>;
#pragma GCC unroll 8
  for (std::size_t half = R::kCount / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < half; ++c) acc[c] = hn::Add(acc[c], acc[c + half]);
  }
  HWY_ALIGN T lane[R::kStep];
  hn::Store(acc[0], typename R::D(), lane);
#pragma GCC unroll 8
  for (std::size_t half = R::kStep / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < half; ++c) lane[c] = lane[c] + lane[c + half];
  }
  return lane[0];
}

template <class T>
HWY_INLINE T dot_of(const T* a, const T* b, std::size_t size) {
  using R = Register<T>;
  constexpr typename R::D d;
  typename R::V acc[R::kCount];
#pragma GCC unroll 8
  for (std::size_t c = 0; c < R::kCount; ++c) acc[c] = hn::Zero(d);
  std::size_t i = 0;
  for (; i + kLanes<T> <= size; i += kLanes<T>) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < R::kCount; ++c) {
      const auto left = hn::LoadU(d, a + i + c * R::kStep);
      const auto right = hn::LoadU(d, b + i + c * R::kStep);
      acc[c] = hn::Add(acc[c], hn::Mul(left, right));
    }
  }
  if (i < size) {
    // Zeros behind the end: a lane is never -0, so adding +0 does not change it.
    HWY_ALIGN T rest[2][kLanes<T>] = {};
    std::memcpy(rest[0], a + i, (size - i) * sizeof(T));
    std::memcpy(rest[1], b + i, (size - i) * sizeof(T));
#pragma GCC unroll 8
    for (std::size_t c = 0; c < R::kCount; ++c) {
      const auto left = hn::Load(d, rest[0] + c * R::kStep);
      acc[c] = hn::Add(acc[c], hn::Mul(left, hn::Load(d, rest[1] + c * R::kStep)));
    }
  }
  return folded<T>(acc);
}

double dot_f64(const double* a, const double* b, std::size_t size) { return dot_of(a, b, size); }
float dot_f32(const float* a, const float* b, std::size_t size) { return dot_of(a, b, size); }

double sum_f64(const double* x, std::size_t size) {
  using R = Register<double>;
  constexpr R::D d;
  R::V acc[R::kCount];
#pragma GCC unroll 8
  for (std::size_t c = 0; c < R::kCount; ++c) acc[c] = hn::Zero(d);
  std::size_t i = 0;
  for (; i + kLanes<double> <= size; i += kLanes<double>) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < R::kCount; ++c) {
      acc[c] = hn::Add(acc[c], hn::LoadU(d, x + i + c * R::kStep));
    }
  }
  if (i < size) {
    HWY_ALIGN double rest[kLanes<double>] = {};
    std::memcpy(rest, x + i, (size - i) * sizeof(double));
#pragma GCC unroll 8
    for (std::size_t c = 0; c < R::kCount; ++c) {
      acc[c] = hn::Add(acc[c], hn::Load(d, rest + c * R::kStep));
    }
  }
  return folded<double>(acc);
}

void axpy_f64(double alpha, const double* x, double* y, std::size_t size) {
  constexpr hn::ScalableTag<double> d;
  const std::size_t step = hn::Lanes(d);
  const auto factor = hn::Set(d, alpha);
  std::size_t i = 0;
  for (; i + step <= size; i += step) {
    const auto product = hn::Mul(factor, hn::LoadU(d, x + i));
    hn::StoreU(hn::Add(hn::LoadU(d, y + i), product), d, y + i);
  }
  for (; i < size; ++i) y[i] += alpha * x[i];
}

// A number is infinite when its magnitude equals infinity; whole registers are tested together.
template <class T>
HWY_INLINE std::size_t first_infinite_of(const T* x, std::size_t size) {
  using R = Register<T>;
  constexpr typename R::D d;
  const auto infinity = hn::Inf(d);
  std::size_t i = 0;
  for (; i + kLanes<T> <= size; i += kLanes<T>) {
    auto found = hn::Eq(hn::Abs(hn::LoadU(d, x + i)), infinity);
#pragma GCC unroll 8
    for (std::size_t c = 1; c < R::kCount; ++c) {
      found = hn::Or(found, hn::Eq(hn::Abs(hn::LoadU(d, x + i + c * R::kStep)), infinity));
    }
    if (!hn::AllFalse(d, found)) break;
  }
  while (i < size && !std::isinf(x[i])) ++i;
  return i;
}

std::size_t first_infinite_f64(const double* x, std::size_t size) {
  return first_infinite_of(x, size);
}
std::size_t first_infinite_f32(const float* x, std::size_t size) {
  return first_infinite_of(x, size);
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(dot_f64);
HWY_EXPORT(dot_f32);
HWY_EXPORT(sum_f64);
HWY_EXPORT(axpy_f64);
HWY_EXPORT(first_infinite_f64);
HWY_EXPORT(first_infinite_f32);

double dot(const double* a, const double* b, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(dot_f64)(a, b, size);
}
float dot(const float* a, const float* b, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(dot_f32)(a, b, size);
}
double sum(const double* x, std::size_t size) { return HWY_DYNAMIC_DISPATCH(sum_f64)(x, size); }
void axpy(double alpha, const double* x, double* y, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(axpy_f64)(alpha, x, y, size);
}
std::size_t first_infinite(const double* x, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(first_infinite_f64)(x, size);
}
std::size_t first_infinite(const float* x, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(first_infinite_f32)(x, size);
}

}  // namespace gradus::simd
#endif
