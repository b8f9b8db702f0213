#include "gradus/data/io/csv_opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus::io {
namespace {

constexpr std::size_t kChunkBytes = 1U << 20;
constexpr std::size_t kRowsPerChunk = 64;

// Skips a UTF-8 byte order mark; refuses other encodings by theirs, or by their NUL bytes.
std::string_view without_bom(const Input& input) {
  using namespace std::string_view_literals;
  const std::string_view text = input.text;
  const auto starts = [&](std::string_view mark) { return text.substr(0, mark.size()) == mark; };
  if (starts("\xEF\xBB\xBF"sv)) return text.substr(3);
  const bool little = starts("\xFF\xFE"sv) || (text.size() > 3 && text[1] == 0 && text[3] == 0);
  const bool big = starts("\xFE\xFF"sv) || (text.size() > 3 && text[0] == 0 && text[2] == 0);
  if ((little || big) && text.find_first_not_of('\0') != std::string_view::npos) {
    throw Error(ErrorKind::bad_data, input.name + ":1:1",
                fmt::format("the file is UTF-16 {}, UTF-8 is expected", little ? "LE" : "BE"),
                "convert it, for example with: iconv -f utf-16 -t utf-8");
  }
  return text;
}

// The first record that is neither blank nor a comment.
struct FirstRecord {
  std::vector<Cell> cells;
  std::size_t begin = 0;
  std::size_t end = 0;  // where the next record begins
};

FirstRecord first_record(const ChunkTask& task, bool bare_cr, const ReadOptions& options) {
  CellReader reader(task.text, task.dialect);
  if (bare_cr) reader.look_for_bare_cr();
  const char* at = reader.begin();
  const auto skipped = [&] {
    return (task.dialect.comment && *at == *task.dialect.comment) ||
           is_blank_line(reader, at, task.dialect.delimiter);
  };
  while (at < reader.end() && skipped()) {
    at = std::find(at, reader.end(), '\n');
    if (at < reader.end()) ++at;
  }
  FirstRecord record;
  record.begin = reader.offset(at);
  if (at == reader.end()) return record;
  try {
    record.cells.push_back(reader.next(at));
    while (!reader.at_record_end(at)) {
      record.cells.push_back(reader.next(++at));
      if (record.cells.size() > options.max_columns + 1) break;
    }
  } catch (const RowProblem& problem) {
    throw_row_problem(problem, task.text, task.name);
  }
  record.end = reader.offset(reader.after_record_end(at));
  return record;
}

void require_columns(std::size_t columns, const ChunkTask& task, const FirstRecord& first,
                     const ReadOptions& options) {
  if (columns <= options.max_columns) return;
  throw Error(ErrorKind::limit, place_text(task.name, task.text, first.begin),
              fmt::format("more than {} columns", options.max_columns),
              "raise --max-columns if the table is really that wide");
}

std::vector<std::string> header_names(const FirstRecord& first, const ChunkTask& task) {
  std::vector<std::string> names;
  std::unordered_map<std::string_view, std::size_t> seen;
  names.reserve(first.cells.size());
  std::string buffer;
  for (std::size_t j = 0; j < first.cells.size(); ++j) {
    const Cell& cell = first.cells[j];
    const std::size_t offset = static_cast<std::size_t>(cell.text.data() - task.text.data());
    const std::string_view name = cell.value(buffer);
    if (trim(name).empty()) {
      throw Error(ErrorKind::bad_data, place_text(task.name, task.text, offset),
                  fmt::format("column {} has an empty name", j + 1),
                  "name every column, or say --header no if the first row holds data");
    }
    names.emplace_back(name);
    const auto [entry, fresh] = seen.emplace(names.back(), j);
    if (fresh) continue;
    throw Error(ErrorKind::bad_data, place_text(task.name, task.text, offset),
                fmt::format("columns {} and {} are both named {}", entry->second + 1, j + 1,
                            in_quotes(name)),
                "give every column its own name");
  }
  return names;
}

// True when every sampled record ends in a delimiter with nothing behind it.
bool ends_in_delimiter(const Sample& sample, std::size_t columns) {
  if (columns < 2 || sample.records.empty()) return false;
  return std::all_of(sample.records.begin(), sample.records.end(), [&](const auto& record) {
    return record.size() == columns && record.back().text.empty() && !record.back().quoted;
  });
}

// Columns taken for numeric: those without a counterexample among the first rows.
std::vector<Use> first_guess(const Sample& sample, bool header, const Pass& pass,
                             const std::vector<Declaration>& declarations) {
  std::vector<Use> uses(pass.names.size(), Use::number);
  for (std::size_t i = header ? 1 : 0; i < sample.records.size(); ++i) {
    const auto& record = sample.records[i];
    if (record.size() > uses.size()) continue;
    for (std::size_t j = 0; j < record.size(); ++j) {
      if (uses[j] == Use::number && !pass.missing->contains(record[j]) &&
          !cell_number(record[j], pass.dialect.decimal)) {
        uses[j] = Use::text;
      }
    }
  }
  for (std::size_t j = 0; j < declarations.size(); ++j) {
    if (!declarations[j].kind) continue;
    uses[j] = *declarations[j].kind == ColumnKind::numeric ? Use::number_always : Use::text;
  }
  return uses;
}

// Takes the header, and what stands before it, out of the chunks.
void begin_at(std::vector<Chunk>& chunks, std::size_t data) {
  for (Chunk& chunk : chunks) {
    if (chunk.begin >= data) break;
    if (chunk.end <= data) {
      chunk = {chunk.end, chunk.end, 0, chunk.bare_cr, chunk.quotes};
    } else {
      chunk.begin = data;
    }
  }
}

class Opener {
 public:
  Opener(const Input& input, const ReadOptions& options, const MissingTokens& missing)
      : input_(input), options_(options), missing_(missing) {}

  Opening run(std::size_t chunk_bytes, const Context& context) {
    task_.text = without_bom(input_);
    task_.name = input_.name;
    if (input_.text.empty()) throw Error(ErrorKind::bad_data, input_.name, "the file is empty");
    task_.dialect = choose_dialect(task_.text, input_.name, options_);
    const std::size_t line = std::min(task_.text.find('\n'), task_.text.size());
    task_.chunk_bytes = chunk_bytes > 0 ? chunk_bytes : std::max(kChunkBytes, kRowsPerChunk * line);
    Opening opening;
    opening.chunks = cut_into_chunks(task_, context);
    opening.bare_cr = std::any_of(opening.chunks.begin(), opening.chunks.end(),
                                  [](const Chunk& chunk) { return chunk.bare_cr; });
    const FirstRecord first = first_record(task_, opening.bare_cr, options_);
    if (first.cells.empty()) {
      throw Error(ErrorKind::bad_data, input_.name, "there are no data rows");
    }
    const Sample sample = sample_records(task_.text, task_.dialect);
    const bool header = (options_.header == Header::automatic && names_in_quotes(sample)) ||
                        choose_header(sample, task_.dialect, missing_, options_.header);
    begin_at(opening.chunks, header ? first.end : first.begin);
    describe(first, sample, header, opening);
    return opening;
  }

 private:
  void describe(FirstRecord first, const Sample& sample, bool header, Opening& opening) {
    const bool trailing = ends_in_delimiter(sample, first.cells.size());
    if (trailing && !options_.allow_trailing_delimiter) {
      throw Error(ErrorKind::bad_data, place_text(task_.name, task_.text, first.begin),
                  fmt::format("every line ends in a delimiter, so column {} has no name and no "
                              "values",
                              first.cells.size()),
                  "read it without that column with --allow-trailing-delimiter");
    }
    if (trailing) first.cells.pop_back();
    require_columns(first.cells.size(), task_, first, options_);
    Pass& pass = opening.pass;
    pass.text = task_.text;
    pass.name = task_.name;
    pass.options = &options_;
    pass.dialect = task_.dialect;
    pass.missing = &missing_;
    if (header) {
      pass.names = header_names(first, task_);
    } else {
      for (std::size_t j = 1; j <= first.cells.size(); ++j) {
        pass.names.push_back("c" + std::to_string(j));
      }
    }
    opening.format = fmt::format("csv, {}, header {}",
                                 first.cells.size() == 1
                                     ? std::string("one column")
                                     : "delimiter " + delimiter_word(task_.dialect.delimiter),
                                 header ? "yes" : "no");
    opening.declarations = declared_columns(pass.names, options_);
    pass.uses = first_guess(sample, header, pass, opening.declarations);
    if (trailing) {
      pass.uses.push_back(Use::nothing);
      pass.names.emplace_back();
    }
  }

  const Input& input_;
  const ReadOptions& options_;
  const MissingTokens& missing_;
  ChunkTask task_;
};

}  // namespace

Opening open_csv(const Input& input, const ReadOptions& options, const MissingTokens& missing,
                 std::size_t chunk_bytes, const Context& context) {
  return Opener(input, options, missing).run(chunk_bytes, context);
}

}  // namespace gradus::io
