// Whole numbers of 2^53 and more: neighbours become the same double, and an identifier loses its
// last digits. One rule and one warning for all readers.
//
//   if (is_large_integer(number, text)) notes.note(column, offset, text);
//   notes.keep_row();                       // drop_row() when the row turns out to be bad
//   for (const auto& [column, found] : notes.columns()) tell_large_integers({…}, options, report);
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/data/io/read.hpp"

namespace gradus::io {

inline constexpr double kLargestExact = 9007199254740992.0;  // 2^53

// Whether `text`, which was read as `number`, is such an integer. One written with a point or an
// exponent promises no digits.
bool is_large_integer(double number, std::string_view text);

struct LargeIntegers {
  std::size_t count = 0;
  std::size_t first = 0;  // where the first stands: an offset or a row, as its reader counts
  std::string digits;     // of the first

  void note(std::size_t where, std::string_view text) {
    if (count++ > 0) return;
    first = where;
    digits = text;
  }
  void append(const LargeIntegers& later) {
    if (later.count > 0) note(later.first, later.digits);
    if (later.count > 1) count += later.count - 1;
  }
};

// Those of a table by column; what a row added counts once the row is kept.
class LargeIntegerNotes {
 public:
  void note(std::size_t column, std::size_t where, std::string_view text) {
    row_.push_back({column, where, std::string(text)});
  }
  void keep_row() {
    if (row_.empty()) return;
    for (const Note& one : row_) columns_[one.column].note(one.where, one.digits);
    row_.clear();
  }
  void drop_row() { row_.clear(); }
  const std::map<std::size_t, LargeIntegers>& columns() const { return columns_; }

 private:
  struct Note {
    std::size_t column;
    std::size_t where;
    std::string digits;
  };
  std::vector<Note> row_;
  std::map<std::size_t, LargeIntegers> columns_;
};

// What is told about the large integers of a column.
struct LargeIntegerStory {
  std::string place;    // of the first
  std::string subject;  // `column "id"`
  std::size_t count = 0;
  std::string first;  // as it stands there
  std::string hint = {};
};

// The hint where a reader can keep the digits.
std::string keep_digits_hint(std::string_view column);

// A warning; with `--strict` Error{bad_data}. Nothing where there is none.
void tell_large_integers(const LargeIntegerStory& story, const ReadOptions& options,
                         ReadReport& report);

}  // namespace gradus::io
