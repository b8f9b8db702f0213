// What a cell means: missing, a number, or text.
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/data/io/csv_record.hpp"
#include "gradus/data/io/read.hpp"

namespace gradus::io {

// Recognises missing values. Blanks around an unquoted token do not matter; a quoted token is text,
// except that an empty cell is missing, quoted or not.
class MissingTokens {
 public:
  explicit MissingTokens(const std::vector<std::string>& tokens);

  bool contains(const Cell& cell) const {
    if (cell.quoted) return cell.text.empty() && empty_;
    const std::string_view text = without_blanks(cell.text);
    if (text.empty()) return empty_;
    return first_bytes_[static_cast<unsigned char>(text.front())] && listed(text);
  }
  // A token such as -999 must be asked for before the cell is read as a number.
  bool some_are_numbers() const { return some_are_numbers_; }

  static std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
  }

 private:
  bool listed(std::string_view text) const;

  std::vector<std::string> tokens_;
  std::bitset<256> first_bytes_;
  bool empty_ = false;
  bool some_are_numbers_ = false;
};

// A whole cell as a number, by the rules of parse_number with the given decimal mark. Blanks around
// an unquoted number do not matter; in quotes, `inf` and `nan` are words.
std::optional<double> cell_number(const Cell& cell, char decimal);

// True for a whole number in digits, with or without a sign.
bool is_integer_text(std::string_view text);

// The first records of a text, for decisions about all of it.
struct Sample {
  std::vector<std::vector<Cell>> records;  // blank lines and comments left out
  bool broken = false;                     // a record could not be read with this dialect
};
inline constexpr std::size_t kSampleRecords = 1000;
Sample sample_records(std::string_view text, const Dialect& dialect,
                      std::size_t most = kSampleRecords);

// Decides what `options` leave open. Error{bad_data} lists the candidates when the text can be read
// in two ways.
Dialect choose_dialect(std::string_view text, const std::string& name, const ReadOptions& options);

// True when the first record alone is all in quotes: then it names the columns, whatever it says.
// (A file with every cell in quotes says nothing by them.)
bool names_in_quotes(const Sample& sample);

// A delimiter for people: 'tab', 'space' or the character in quotes.
std::string delimiter_word(char delimiter);

// True when the first record names the columns.
bool choose_header(const Sample& sample, const Dialect& dialect, const MissingTokens& missing,
                   Header wish);

}  // namespace gradus::io
