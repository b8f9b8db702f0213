// Whether an output may take the place of a file that exists.
#pragma once

namespace gradus {

enum class Overwrite { refuse, replace };

}  // namespace gradus
