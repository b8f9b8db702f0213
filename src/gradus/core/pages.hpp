// Asking the system for large pages, and for many at a time.
#pragma once

#include <cstddef>
#include <vector>

namespace gradus {

// Fresh memory costs one interruption per page, and the pages of a large block are few when they
// are large. Only a hint: a refusal changes nothing. Blocks below 8 MB are left alone.
void prefer_large_pages(void* block, std::size_t bytes);

// Room for so many elements on large pages, before the first of them is written. What is read here
// and there all over a block misses the address cache less often, too.
template <class T>
void reserve_large_pages(std::vector<T>& elements, std::size_t count) {
  elements.reserve(count);
  prefer_large_pages(elements.data(), count * sizeof(T));
}

// Takes fresh memory at once instead of page by page when it is first written. Its contents are not
// kept. Several threads may take parts of one block.
void take_pages(void* block, std::size_t bytes);

}  // namespace gradus
