# Flags that every target of this project shares. Nothing here changes with the machine: one binary
# must run on every x86-64 and give the same bytes, so there is no -march=native and no contraction
# of a*b+c into a fused operation behind our back.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(gradus_flags INTERFACE)
target_compile_options(gradus_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off)
# g++ 12 forgets that what it precompiled of the standard library is not ours, and then warns of
# impossible lengths in inlined strings (GCC bugs 105329, 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(gradus_flags INTERFACE
    -Wno-stringop-overread -Wno-stringop-overflow -Wno-array-bounds -Wno-restrict)
endif()
# A class whose members have unnamed types is well in a source, and suspicious in what it includes.
if(GRADUS_TOGETHER)
  target_compile_options(gradus_flags INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
if(GRADUS_WERROR)
  target_compile_options(gradus_flags INTERFACE -Werror)
endif()
if(GRADUS_SANITIZE)
  target_compile_options(gradus_flags INTERFACE
    -fsanitize=${GRADUS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(gradus_flags INTERFACE -fsanitize=${GRADUS_SANITIZE})
endif()

# ccache keeps objects that were compiled with precompiled headers only when it may overlook macros
# of theirs that a source does not use (pch_defines); none of our sources asks for the time.
find_program(GRADUS_CCACHE ccache)
if(GRADUS_CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros
    sh "${CMAKE_CURRENT_LIST_DIR}/through_ccache" "${GRADUS_CCACHE}")
endif()

# Most of the time of a small source goes to reading the same few headers: these are read once for
# the whole target. Sources still include what they use, for tools/tidy reads them without this.
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON does the same for a build.
set(GRADUS_COMMON_HEADERS
  <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <mutex> <numeric>
  <optional> <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
