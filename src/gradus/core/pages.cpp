#include "gradus/core/pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace gradus {

void prefer_large_pages(void* block, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kSmallest = std::size_t{8} << 20;
  constexpr std::size_t kPage = 4096;
  if (bytes < kSmallest) return;
  const auto misfit = reinterpret_cast<std::uintptr_t>(block) % kPage;
  const std::size_t skipped = misfit == 0 ? 0 : kPage - misfit;
  static_cast<void>(::madvise(static_cast<char*>(block) + skipped, bytes - skipped, MADV_HUGEPAGE));
#endif
}

}  // namespace gradus
