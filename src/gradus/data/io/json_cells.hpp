// The cells of one JSON row, `{"a": 1, "b": "x"}` or `[1, "x"]`, read strictly by RFC 8259.
//
// A row of a table is flat, so the scanner needs no stack: a nested object or array is refused
// where it begins, at any depth. Every cell knows its place in the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {

enum class JsonCellKind { null, truth, number, text };

struct JsonCell {
  std::string key;  // empty in an array
  JsonCellKind kind = JsonCellKind::null;
  double number = 0;  // also of a truth: 0 or 1
  std::string text;   // also the digits of a large integer
  std::size_t key_offset = 0;
  std::size_t offset = 0;
};

struct JsonRow {
  bool is_array = false;
  std::size_t count = 0;  // cells in use; the vector keeps its strings for the next row
  std::vector<JsonCell> cells;
};

class JsonRowScanner {
 public:
  explicit JsonRowScanner(const ReadOptions& options) : options_(options) {}

  // Reads the whole line into `row`; anything but one flat row is refused at its place.
  void scan(const Line& line, JsonRow& row);

 private:
  void scan_value(JsonCell& cell);
  void scan_text(std::string& out);
  void scan_escape(std::string& out);
  unsigned scan_hex();
  void scan_number(JsonCell& cell);
  bool accept_word(std::string_view word);
  void skip_blanks();
  bool accept(char c);
  void expect(char c, std::string_view where);
  std::size_t digits();
  char current() const { return at_ < line_.text.size() ? line_.text[at_] : '\0'; }
  std::size_t offset() const { return line_.offset + at_; }
  [[noreturn]] void fail(std::string_view why) const;
  void check_length(std::size_t begin) const;

  const ReadOptions& options_;
  Line line_;
  std::size_t at_ = 0;
};

}  // namespace gradus::io
