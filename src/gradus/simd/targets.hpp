// The instruction sets of the kernels, by name: for tests, which try each one that the machine has,
// and for reports on speed.
#pragma once

#include <string>
#include <vector>

// Vectors without a length at compile time (SVE, RVV) cannot stand in arrays; such machines use
// their fixed-length instructions.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
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
