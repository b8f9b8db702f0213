// Bytes of a text, 64 at a time: what occurs in it, and where cells and rows end.
//
// Every byte is compared with the bytes that matter; the answers for 64 bytes are the bits of one
// word, and counting or walking bits is cheap however long the cells are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gradus::simd {

struct ByteSurvey {
  std::size_t newlines = 0;
  bool nul = false;
  bool high = false;  // a byte of 128 or more
  bool cr = false;
  bool quote = false;

  bool operator==(const ByteSurvey&) const = default;
};
ByteSurvey survey_bytes(std::string_view text);

// Where cells and rows of a delimited text end. The text begins with a row, outside quotes.
struct CellMarks {
  std::uint32_t* cell_ends = nullptr;  // offsets of delimiters and LF; room for size + 64
  std::uint32_t* row_ends = nullptr;   // indices in cell_ends of the LF; room for size
  std::size_t cells = 0;
  std::size_t rows = 0;
  // A quote stands where quotes do not alternate between opening a cell and closing it: what lies
  // behind it is marked wrongly.
  bool odd_quote = false;
};
// What stands between quotes is no mark. `text` is shorter than 2^32 bytes and holds no NUL.
void mark_cells(std::string_view text, char delimiter, CellMarks& marks);

namespace scalar {
ByteSurvey survey_bytes(std::string_view text);
void mark_cells(std::string_view text, char delimiter, CellMarks& marks);
}  // namespace scalar

}  // namespace gradus::simd
