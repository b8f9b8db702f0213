// exp and log for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/elementary.cpp"
#include <cstring>

#include "gradus/simd/kernels.hpp"
#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "gradus/simd/elementary_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {

template <class Function>
HWY_INLINE void apply(const double* x, double* out, std::size_t size, const Function& function) {
  constexpr Number d;
  constexpr std::size_t kStep = hn::MaxLanes(Number());
  std::size_t i = 0;
  for (; i + kStep <= size; i += kStep) hn::StoreU(function(hn::LoadU(d, x + i)), d, out + i);
  if (i < size) {
    HWY_ALIGN double rest[kStep] = {};
    std::memcpy(rest, x + i, (size - i) * sizeof(double));
    hn::Store(function(hn::Load(d, rest)), d, rest);
    std::memcpy(out + i, rest, (size - i) * sizeof(double));
  }
}

void exp_f64(const double* x, double* out, std::size_t size) {
  apply(x, out, size, [](V v) HWY_ATTR { return exp_of(v); });
}
void log_f64(const double* x, double* out, std::size_t size) {
  apply(x, out, size, [](V v) HWY_ATTR { return log_of(v); });
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(exp_f64);
HWY_EXPORT(log_f64);

void exp(const double* x, double* out, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(exp_f64)(x, out, size);
}
void log(const double* x, double* out, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(log_f64)(x, out, size);
}

}  // namespace gradus::simd
#endif
