// Models on disk.
//
// One container: magic, format version, a JSON header (learner, parameters, preparation, target,
// provenance), named aligned little-endian arrays, a checksum per section and one over the whole.
// A model file is data: loading runs nothing, checks every size before it allocates, and refuses a
// file that is damaged, truncated or foreign with a message that says which.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gradus/api/any_model.hpp"
#include "gradus/core/overwrite.hpp"

namespace gradus {

void save(const AnyModel& model, const std::string& path, Overwrite overwrite = Overwrite::replace);
AnyModel load(const std::string& path);

// The same container in memory (pickling, servers, tests). `where` names the source in errors.
std::vector<std::byte> to_bytes(const AnyModel& model);
AnyModel from_bytes(std::span<const std::byte> bytes, const std::string& where = "model");

// The container alone: an archive to bytes and back (api/container.cpp).
std::vector<std::byte> pack(const Archive& archive);
Archive unpack(std::span<const std::byte> bytes, const std::string& where);

}  // namespace gradus
