#include "gradus/data/io/csv_waves.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/data/io/csv_opening.hpp"
#include "gradus/data/io/csv_types.hpp"
#include "gradus/data/io/source.hpp"

namespace gradus::io {
namespace {

// Rows beyond what the first wave lets expect: memory that nobody writes to costs nothing.
constexpr double kRowsToSpare = 1.25;

// Whole lines of a file, one buffer after the other.
class Waves {
 public:
  Waves(const RegularFile& file, std::size_t bytes, const Context& context)
      : file_(file),
        context_(context),
        capacity_(bytes),
        buffer_(std::make_unique_for_overwrite<char[]>(bytes)) {
    prefer_large_pages(buffer_.get(), bytes);
  }

  // The next lines; false at the end, and when a line is longer than the buffer.
  bool next() {
    std::memmove(buffer_.get(), buffer_.get() + used_, filled_ - used_);
    filled_ -= used_;
    used_ = 0;
    const std::size_t more = std::min(capacity_ - filled_, file_.size() - position_);
    file_.read(position_, more, buffer_.get() + filled_, context_);
    position_ += more;
    filled_ += more;
    if (position_ == file_.size()) {
      used_ = filled_;
    } else {
      const std::size_t newline = std::string_view(buffer_.get(), filled_).rfind('\n');
      used_ = newline == std::string_view::npos ? 0 : newline + 1;
    }
    return used_ > 0;
  }

  std::string_view text() const { return {buffer_.get(), used_}; }
  bool at_end() const { return position_ == file_.size() && used_ == filled_; }

 private:
  const RegularFile& file_;
  const Context& context_;
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  std::size_t filled_ = 0;    // bytes in the buffer
  std::size_t used_ = 0;      // those of whole lines
  std::size_t position_ = 0;  // in the file, behind the buffer
};

// Whether the rows read so far need nothing but themselves.
bool is_plain(const RawTable& table) {
  return std::all_of(table.chunks.begin(), table.chunks.end(), [](const ChunkResult& chunk) {
    return chunk.notes.empty() && chunk.rejects.empty();
  });
}

bool any_bare_cr(const std::vector<Chunk>& chunks) {
  return std::any_of(chunks.begin(), chunks.end(),
                     [](const Chunk& chunk) { return chunk.bare_cr; });
}

std::size_t expected_rows(const std::vector<Chunk>& chunks, std::size_t wave, std::size_t file) {
  std::size_t rows = 0;
  for (const Chunk& chunk : chunks) rows += chunk.records;
  const double share = static_cast<double>(file) / static_cast<double>(wave);
  return static_cast<std::size_t>(kRowsToSpare * static_cast<double>(rows) * share) + 1000;
}

std::optional<Dataset> read_waves(const std::string& path, const RegularFile& file,
                                  const ReadOptions& options, ReadReport& report,
                                  const WaveSizes& sizes, const Context& context) {
  Waves waves(file, sizes.wave, context);
  if (!waves.next() || is_packed(waves.text())) return std::nullopt;
  const MissingTokens missing(options.missing_tokens);
  Opening opening = open_csv({waves.text(), path}, options, missing, sizes.chunk, context);
  if (opening.bare_cr) return std::nullopt;
  opening.pass.text_stays = false;
  RawTable table = empty_columns(
      opening.pass, expected_rows(opening.chunks, waves.text().size(), file.size()), context);
  while (true) {
    if (!append_columns(opening.pass, opening.chunks, table, context) || !is_plain(table)) {
      return std::nullopt;
    }
    if (waves.at_end()) break;
    if (!waves.next()) return std::nullopt;
    opening.pass.text = waves.text();
    opening.chunks =
        cut_into_chunks({waves.text(), path, opening.pass.dialect, sizes.chunk}, context);
    if (any_bare_cr(opening.chunks)) return std::nullopt;
  }
  if (!file.unchanged()) return std::nullopt;
  close_gaps(opening.pass, table, context);
  report.format = std::move(opening.format);
  return typed_table({std::move(opening.pass), nullptr, std::move(opening.declarations)},
                     std::move(table), report, context);
}

}  // namespace

std::optional<Dataset> read_csv_in_waves(const std::string& path, const ReadOptions& options,
                                         ReadReport& report, const Context& context,
                                         const WaveSizes& sizes) {
  const bool ordinary = !options.comment && options.bad_rows == BadRow::error &&
                        options.encoding == TextEncoding::utf8;
  if (!ordinary) return std::nullopt;
  const std::optional<RegularFile> file = RegularFile::open(path);
  if (!file || file->size() < sizes.smallest_file || file->size() > options.max_bytes) {
    return std::nullopt;
  }
  try {
    ReadReport found;
    std::optional<Dataset> table = read_waves(path, *file, options, found, sizes, context);
    if (table) report = std::move(found);
    return table;
  } catch (const Error& error) {
    // Reading the whole file says the same with its line and column.
    if (error.kind() == ErrorKind::interrupted) throw;
    return std::nullopt;
  }
}

}  // namespace gradus::io
