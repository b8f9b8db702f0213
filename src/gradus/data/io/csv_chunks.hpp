// Cutting a CSV text into chunks that can be read independently.
//
// Whether a byte stands inside quotes depends on all bytes before it. Each chunk is therefore
// scanned twice, once as if it began inside and once as if it began outside quotes, hopping from
// quote to quote; composing these two-state maps from left to right gives the true state at every
// cut. One look at every byte counts the lines and tells whether quotes occur at all; a chunk
// without them needs nothing more. Chunks never begin behind a quote, so a doubled quote is never
// cut in two.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/data/io/csv_record.hpp"

namespace gradus::io {

struct Chunk {
  std::size_t begin = 0;    // the first record start in the chunk; equals end if there is none
  std::size_t end = 0;      // records that start before it belong to the chunk
  std::size_t records = 0;  // how many begin here; blank lines and comments count too
  bool bare_cr = false;     // a CR without LF occurs in it or in its last record
  bool quotes = false;      // a quote occurs
};

struct ChunkTask {
  std::string_view text;
  std::string name;  // for errors
  Dialect dialect;
  std::size_t chunk_bytes = 1U << 20;
};

// Refuses NUL bytes, invalid UTF-8 and a quote that is never closed, each with its place.
std::vector<Chunk> cut_into_chunks(const ChunkTask& task, const Context& context);

}  // namespace gradus::io
