// Reading CSV, from bytes to a typed table. The steps, each in its own file:
//   csv_opening   which delimiter, is there a header, what are the columns called
//   csv_chunks    bytes checked, quotes followed, text cut into independent chunks
//   csv_columns   all chunks in parallel: cells to numbers and codes
//   csv_types     which kind each column is, and why
//   csv_merge     dictionaries of the chunks joined into sorted levels
// A large plain file goes through them piece by piece: csv_waves.
#include "gradus/data/io/csv.hpp"

#include <utility>

#include "gradus/data/io/csv_opening.hpp"
#include "gradus/data/io/csv_types.hpp"

namespace gradus::io {

Dataset parse_csv_in_chunks(const Input& input, const ReadOptions& options, ReadReport& report,
                            const Context& context, std::size_t chunk_bytes) {
  const MissingTokens missing(options.missing_tokens);
  Opening opening = open_csv(input, options, missing, chunk_bytes, context);
  report.format = std::move(opening.format);
  RawTable table = read_columns(opening.pass, opening.chunks, context);
  return typed_table({std::move(opening.pass), &opening.chunks, std::move(opening.declarations)},
                     std::move(table), report, context);
}

Dataset parse_csv(const Input& input, const ReadOptions& options, ReadReport& report,
                  const Context& context) {
  return parse_csv_in_chunks(input, options, report, context, 0);
}

}  // namespace gradus::io
