// What a model file starts with; the layout is described in container.cpp.
#pragma once

#include <string_view>

namespace gradus {

// The first byte is no text and the last one is a line break, so that a transfer which takes the
// file for text is noticed at once.
inline constexpr std::string_view kModelMagic = "\x89GRADUS\n";

}  // namespace gradus
