// The checksums of a model file made right again after its contents were changed: what an attacker
// would do, and what a fuzzer must do to get past them.
#pragma once

#include <cstddef>
#include <vector>

namespace gradus {

// Recomputes the checksums of every section that lies inside the file, of the table, the header and
// the whole, and the end mark. Sizes, offsets and counts stay as they are, also when they lie.
void repair_checksums(std::vector<std::byte>& file);

}  // namespace gradus
