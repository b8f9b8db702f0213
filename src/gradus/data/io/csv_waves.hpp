// Reading a large CSV file wave by wave, through one small buffer.
//
// A file that is read as a whole is written to fresh memory first, and every fresh page is cleared
// by the system before it is filled: for a large file that costs more than finding its cells. Here
// a few megabytes are read, cut into chunks and parsed while they are in the cache, and the next
// ones take their place. Memory for the columns is taken beforehand, for the rows that the first
// wave lets expect.
//
// This way knows the plain case only. Whatever needs a second look at the text (a message with its
// line, a column that was guessed wrong, a quote across waves, rejected rows) gives up, and the
// file is read as a whole; the table and the messages are the same.
#pragma once

#include <optional>
#include <string>

#include "gradus/data/io/read.hpp"

namespace gradus::io {

struct WaveSizes {
  std::size_t smallest_file = std::size_t{16} << 20;
  std::size_t wave = std::size_t{8} << 20;
  std::size_t chunk = std::size_t{1} << 19;
};

// Nothing, and `report` untouched, when the file is small, packed, no regular file or not plain.
std::optional<Dataset> read_csv_in_waves(const std::string& path, const ReadOptions& options,
                                         ReadReport& report, const Context& context,
                                         const WaveSizes& sizes = {});

}  // namespace gradus::io
