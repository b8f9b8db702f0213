#include "gradus/simd/targets.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdint>

#include "gradus/core/error.hpp"

namespace gradus::simd {
namespace {

std::vector<std::int64_t> usable_targets() {
  std::vector<std::int64_t> targets;
  std::int64_t bits = hwy::SupportedTargets() & HWY_TARGETS;
  while (bits != 0) {
    targets.push_back(bits & -bits);  // a better set has a lower bit
    bits &= bits - 1;
  }
  return targets;
}

}  // namespace

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const std::int64_t target : usable_targets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

OnlyTarget::OnlyTarget(const std::string& name) {
  for (const std::int64_t target : usable_targets()) {
    if (hwy::TargetName(target) != name) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    return;
  }
  throw Error(ErrorKind::usage, "", "this machine has no instruction set " + name);
}

OnlyTarget::~OnlyTarget() {
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace gradus::simd
