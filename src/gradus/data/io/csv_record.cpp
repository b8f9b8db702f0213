#include "gradus/data/io/csv_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus::io {

std::string_view Cell::value(std::string& buffer) const {
  if (!doubled) return text;
  buffer.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    buffer += text[i];
    if (text[i] == '"') ++i;  // the second quote of a pair
  }
  return buffer;
}

Cell CellReader::quoted(const char*& at) const {
  const char* start = at + 1;
  const char* stop = start;
  bool doubled = false;
  while (true) {
    stop = static_cast<const char*>(std::memchr(stop, '"', static_cast<std::size_t>(end_ - stop)));
    if (stop == nullptr) throw RowProblem{offset(at), "the quote opened here is never closed"};
    if (stop + 1 == end_ || stop[1] != '"') break;
    doubled = true;
    stop += 2;
  }
  at = stop + 1;
  if (!at_cell_end(at)) {
    throw RowProblem{offset(at),
                     fmt::format("after the closing quote only a delimiter or a line end may "
                                 "follow, got {}",
                                 in_quotes(std::string_view(at, 1))),
                     "write a quote inside a quoted cell twice (\"\")"};
  }
  return {{start, static_cast<std::size_t>(stop - start)}, true, doubled};
}

void CellReader::refuse_bare_cr(const char* start, const char* stop) const {
  const char* found = std::find(start, stop, '\r');
  if (found == stop) return;
  throw RowProblem{offset(found), "a line ends in CR alone; LF or CR LF is expected",
                   "convert the line ends, for example with: tr '\\r' '\\n'"};
}

bool is_blank_line(const CellReader& reader, const char* at, char delimiter) {
  while (at < reader.end() && (*at == ' ' || *at == '\t') && *at != delimiter) ++at;
  return reader.at_record_end(at);
}

TextPlace text_place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return {static_cast<std::size_t>(lines) + 1, offset - line_start + 1};
}

std::string place_text(const std::string& name, std::string_view text, std::size_t offset) {
  const TextPlace place = text_place(text, offset);
  return fmt::format("{}:{}:{}", name, place.line, place.column);
}

void throw_row_problem(const RowProblem& problem, std::string_view text, const std::string& name) {
  throw Error(problem.limit ? ErrorKind::limit : ErrorKind::bad_data,
              place_text(name, text, problem.offset), problem.message, problem.hint);
}

}  // namespace gradus::io
