// A CSV text that passes by: whole records of it, a bounded number at a time.
//
// Bytes are fetched piece by piece until the wanted records are complete; what is behind them waits
// for the next call. A record ends at a line end outside quotes, by the rules of csv_record.hpp, so
// a quoted cell may reach over any number of pieces. Memory is that of the wanted records and one
// piece, however large the file is.
//
//   RecordWindow window(path, limits);
//   window.follow(choose_dialect(window.peek(1 << 20, context), path, options));
//   while (!window.next(1000, context).empty()) ... window.text(), window.lines_before()
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gradus/data/io/byte_stream.hpp"
#include "gradus/data/io/csv_record.hpp"

namespace gradus::io {

struct WindowLimits {
  std::uint64_t max_bytes = 64ULL << 30;       // of the file, after decompression
  std::uint64_t max_line_bytes = 64ULL << 20;  // of a record
  std::size_t piece = std::size_t{4} << 20;    // fetched at a time
};

class RecordWindow {
 public:
  RecordWindow(const std::string& path, const WindowLimits& limits)
      : stream_(path, limits.max_bytes), limits_(limits) {}

  // The first bytes of what comes next: at least `bytes`, or all that is left. They stay.
  std::string_view peek(std::size_t bytes, const Context& context);
  // How records are cut from now on.
  void follow(const Dialect& dialect) { dialect_ = dialect; }
  // The next `count` records, blank lines and comments counted too; fewer at the end, and then
  // nothing. The text lives until the next call.
  std::string_view next(std::size_t count, const Context& context);
  // Gives back what follows the first `bytes` of the text: the next call begins there.
  void keep_from(std::size_t bytes);

  std::string_view text() const { return bytes_.view().substr(0, used_); }
  // Lines of the file before the text.
  std::size_t lines_before() const { return lines_before_; }
  // The most memory that was ever taken for bytes of the file.
  std::size_t most_bytes() const { return most_bytes_; }
  bool can_be_read_again() const { return stream_.can_be_read_again(); }
  const std::string& name() const { return stream_.name(); }

 private:
  void drop_text();
  bool fetch(const Context& context);
  bool scan(std::size_t count);
  bool pass_quoted();
  bool opens(std::size_t quote) const;
  std::size_t find(char wanted, std::size_t from, std::size_t to) const;
  void require_record_fits() const;

  ByteStream stream_;
  WindowLimits limits_;
  Dialect dialect_;
  SourceBytes bytes_;
  std::size_t used_ = 0;  // bytes of the text
  std::size_t most_bytes_ = 0;
  std::size_t lines_before_ = 0;
  std::size_t lines_ = 0;  // of the text
  bool at_end_ = false;    // of the stream

  // The scan of the records that are being cut.
  std::size_t scanned_ = 0;
  std::size_t record_ = 0;    // where the present one begins
  std::size_t records_ = 0;   // complete ones
  std::size_t quote_ = 0;     // the first quote that was not looked at yet, or npos
  std::size_t searched_ = 0;  // up to here for quotes
  bool inside_ = false;       // quotes
};

}  // namespace gradus::io
