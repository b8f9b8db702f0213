// Files of the source tree, for tests that read bundled data. Only source_path.cpp knows where the
// tree is, so that all other tests compile to the same objects in any folder.
#pragma once

#include <filesystem>
#include <string_view>

namespace gradus {

std::filesystem::path source_path(std::string_view relative);

}  // namespace gradus
