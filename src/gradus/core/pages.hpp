// Asking the system for large pages, and for many at a time.
#pragma once

#include <cstddef>

namespace gradus {

// Fresh memory costs one interruption per page, and the pages of a large block are few when they
// are large. Only a hint: a refusal changes nothing. Blocks below 8 MB are left alone.
void prefer_large_pages(void* block, std::size_t bytes);

// Takes fresh memory at once instead of page by page when it is first written. Its contents are not
// kept. Several threads may take parts of one block.
void take_pages(void* block, std::size_t bytes);

}  // namespace gradus
