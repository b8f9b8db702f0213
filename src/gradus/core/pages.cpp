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

void take_pages(void* block, std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  const auto misfit = reinterpret_cast<std::uintptr_t>(block) % kPage;
  const std::size_t skipped = misfit == 0 ? 0 : kPage - misfit;
  if (bytes <= skipped) return;
  char* first = static_cast<char*>(block) + skipped;
  const std::size_t whole = (bytes - skipped) / kPage * kPage;
#ifdef MADV_POPULATE_WRITE
  if (::madvise(first, whole, MADV_POPULATE_WRITE) == 0) return;
#endif
  auto* cells = static_cast<volatile char*>(first);
  for (std::size_t at = 0; at < whole; at += kPage) cells[at] = 0;
}

}  // namespace gradus
