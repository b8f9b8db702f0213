#include "gradus/contract/signature.hpp"

namespace gradus {

FeatureNames::FeatureNames() = default;

FeatureNames::FeatureNames(std::vector<Stored> names)
    : stored_(std::move(names)), count_(stored_.size()) {}

FeatureNames::FeatureNames(std::string prefix, std::size_t first, std::size_t count)
    : prefix_(std::move(prefix)), first_(first), count_(count) {}

FeatureNames::FeatureNames(const FeatureNames& other) = default;
FeatureNames::FeatureNames(FeatureNames&& other) noexcept = default;
FeatureNames& FeatureNames::operator=(const FeatureNames& other) = default;
FeatureNames& FeatureNames::operator=(FeatureNames&& other) noexcept = default;
FeatureNames::~FeatureNames() = default;

FeatureName FeatureNames::operator[](std::size_t j) const {
  if (stored_.empty()) return {prefix_ + std::to_string(first_ + j), false, {}, {}};
  return {stored_[j].name, stored_[j].nominal, stored_[j].levels, stored_[j].order};
}

}  // namespace gradus
