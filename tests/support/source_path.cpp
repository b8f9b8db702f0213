#include "support/source_path.hpp"

namespace gradus {

std::filesystem::path source_path(std::string_view relative) {
  return std::filesystem::path(GRADUS_SOURCE_DIR) / relative;
}

}  // namespace gradus
