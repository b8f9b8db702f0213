// The grammar of CSV: cells and records.
//
// RFC 4180 with these decisions, which every pass over a file shares:
// - a quote opens a quoted cell only at the first byte of the cell; elsewhere it is a literal byte;
// - inside quotes, `""` is one quote, and line ends belong to the cell;
// - after the closing quote only a delimiter or a line end may follow;
// - a record ends at LF or CR LF; a bare CR outside quotes is refused, so rows are never merged.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace gradus::io {

// For a text that is not UTF-8.
inline constexpr const char* kLatin1Hint =
    "if it is Latin-1, read it with --encoding latin1; else convert it first, with iconv";

struct Dialect {
  char delimiter = ',';
  char decimal = '.';
  std::optional<char> comment;
};

// Something wrong with one row. Thrown inside the reader, which turns it into an Error or, when bad
// rows are to be rejected, into a line of the reject file.
struct RowProblem {
  std::size_t offset = 0;  // byte in the text
  std::string message;
  std::string hint = {};
  bool limit = false;  // a stated limit, not bad data
};

struct Cell {
  std::string_view text;  // without the outer quotes
  bool quoted = false;
  bool doubled = false;  // holds `""`, which stand for one quote each

  // The text that the cell means; `buffer` is used where quotes must be undone.
  std::string_view value(std::string& buffer) const;
};

// Reads cells out of a text; what breaks the grammar is a RowProblem.
class CellReader {
 public:
  CellReader(std::string_view text, const Dialect& dialect)
      : begin_(text.data()), end_(begin_ + text.size()), delimiter_(dialect.delimiter) {}

  // The cell that starts at `at`; `at` moves to the delimiter, line end or end of text behind it.
  Cell next(const char*& at) const {
    if (at < end_ && *at == '"') return quoted(at);
    const char* start = at;
    at = cell_end(at);
    const char* stop = at;
    if (at < end_ && *at == '\n' && stop > start && stop[-1] == '\r') at = --stop;
    if (has_bare_cr_) refuse_bare_cr(start, stop);
    return {{start, static_cast<std::size_t>(stop - start)}};
  }

  // True at the end of the text, at LF and at CR LF.
  bool at_record_end(const char* at) const {
    return at == end_ || *at == '\n' || (*at == '\r' && at + 1 < end_ && at[1] == '\n');
  }
  bool at_cell_end(const char* at) const {
    return at == end_ || *at == delimiter_ || *at == '\n' || at_record_end(at);
  }
  const char* after_record_end(const char* at) const {
    if (at < end_ && *at == '\r') ++at;
    return at < end_ ? at + 1 : at;
  }

  // The file may hold a CR without LF: look for it in every unquoted cell.
  void look_for_bare_cr() { has_bare_cr_ = true; }

  std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - begin_); }
  const char* begin() const { return begin_; }
  const char* end() const { return end_; }

 private:
  // The first delimiter or LF at or after `at`, eight bytes at a time.
  const char* cell_end(const char* at) const {
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    constexpr std::uint64_t kHighs = 0x8080808080808080ULL;
    const std::uint64_t delimiters = kOnes * static_cast<unsigned char>(delimiter_);
    const std::uint64_t newlines = kOnes * static_cast<unsigned char>('\n');
    while (end_ - at >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, sizeof word);
      const std::uint64_t d = word ^ delimiters;
      const std::uint64_t n = word ^ newlines;
      const std::uint64_t hits = (((d - kOnes) & ~d) | ((n - kOnes) & ~n)) & kHighs;
      if (hits != 0) break;
      at += 8;
    }
    while (at < end_ && *at != delimiter_ && *at != '\n') ++at;
    return at;
  }

  Cell quoted(const char*& at) const;
  void refuse_bare_cr(const char* start, const char* stop) const;

  const char* begin_;
  const char* end_;
  char delimiter_;
  bool has_bare_cr_ = false;
};

// True for a line that holds nothing: empty, or only blanks that are not the delimiter.
bool is_blank_line(const CellReader& reader, const char* at, char delimiter);

struct TextPlace {
  std::size_t line = 1;    // physical, counted from 1
  std::size_t column = 1;  // byte in the line, counted from 1
};
TextPlace text_place(std::string_view text, std::size_t offset);
// `name:line:column`.
std::string place_text(const std::string& name, std::string_view text, std::size_t offset);
// The row problem as an error of the file.
[[noreturn]] void throw_row_problem(const RowProblem& problem, std::string_view text,
                                    const std::string& name);

}  // namespace gradus::io
