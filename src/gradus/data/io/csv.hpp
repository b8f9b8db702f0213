// The CSV reader with its inner settings, for tests; everybody else calls parse_csv.
#pragma once

#include "gradus/data/io/formats.hpp"

namespace gradus::io {

// The table does not depend on `chunk_bytes`; 0 chooses by the size of the file.
Dataset parse_csv_in_chunks(const Input& input, const ReadOptions& options, ReadReport& report,
                            const Context& context, std::size_t chunk_bytes);

}  // namespace gradus::io
