// What a text, or its beginning, says about the table in it: the dialect, whether there is a
// header, the names of the columns, and a first guess of what they hold.
#pragma once

#include <string>
#include <vector>

#include "gradus/data/io/csv_columns.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/schema.hpp"

namespace gradus::io {

struct Opening {
  Pass pass;
  std::vector<Declaration> declarations;  // of each column, by the user
  std::vector<Chunk> chunks;              // of the text, without the header
  bool bare_cr = false;                   // in any of them
  std::string format;                     // in words
};

// `options` and `missing` must outlive the opening; `chunk_bytes` of 0 chooses by the lines.
Opening open_csv(const Input& input, const ReadOptions& options, const MissingTokens& missing,
                 std::size_t chunk_bytes, const Context& context);

}  // namespace gradus::io
