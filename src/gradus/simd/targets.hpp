// The instruction sets of the kernels, by name: for tests, which try each one that the machine has,
// and for reports on speed.
#pragma once

#include <string>
#include <vector>

// Vectors without a length at compile time (SVE, RVV) cannot stand in arrays; such machines use
// their fixed-length instructions. What lies between SSE2 and AVX2 is older than 2013, gains little
// over SSE2, and costs a third of the time that these sources compile.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_SSE4)
#endif

namespace gradus::simd {

// What this binary holds and this machine can run, best first: "AVX2", "SSE2", ...
std::vector<std::string> target_names();

// Uses one instruction set alone while it lives; process-wide, so for tests only.
class OnlyTarget {
 public:
  explicit OnlyTarget(const std::string& name);
  ~OnlyTarget();
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;
};

}  // namespace gradus::simd
