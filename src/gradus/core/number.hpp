// Strict text to number: the whole text or nothing, independent of locale.
#pragma once

#include <optional>
#include <string_view>

namespace gradus {

// A decimal number (`+1`, `.5`, `5.`, `1e5`, `-0`, `1e-400`), correctly rounded. `inf`, `nan` and
// out-of-range values come back as such, for the caller to judge. Anything else, a prefix of a
// number included, is nothing: `1.2.3`, `0x1p3`, `1_000`, `1e`, ` 1`.
std::optional<double> parse_number(std::string_view text);

}  // namespace gradus
