#include "gradus/data/io/table_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/csv_opening.hpp"
#include "gradus/data/io/csv_types.hpp"
#include "gradus/data/io/format_names.hpp"
#include "gradus/data/io/record_window.hpp"
#include "gradus/data/io/table_builder.hpp"
#include "gradus/data/level_order.hpp"

namespace gradus {
namespace {

constexpr std::size_t kHeadRecords = 10000;               // decide what the columns hold
constexpr std::size_t kHeadBytes = std::size_t{1} << 20;  // decide the delimiter
constexpr std::size_t kChunkBytes = std::size_t{1} << 19;

void require_possible(const std::string& source, const ReadOptions& options) {
  const TableFormat format = io::format_of_name(source, options.format).format;
  const bool csv =
      format == TableFormat::csv || format == TableFormat::tsv || format == TableFormat::automatic;
  if (!csv) {
    throw Error(ErrorKind::usage, source, "only CSV and TSV files are read in parts",
                "convert the file first with gradus convert");
  }
  if (!options.beside.empty()) {
    throw Error(ErrorKind::usage, "--beside", "a file that is read in parts stands alone",
                "join the two files first, with gradus convert --beside");
  }
  if (options.bad_rows == BadRow::reject) {
    throw Error(ErrorKind::usage, "--on-bad-row", "rows are not rejected while reading in parts",
                "clean the file first: gradus convert FILE clean.csv --on-bad-row reject:BAD");
  }
  if (options.encoding != TextEncoding::utf8) {
    throw Error(ErrorKind::usage, "--encoding", "a file that is read in parts must be UTF-8",
                "convert it, for example with: iconv -f latin1 -t utf-8");
  }
}

ReadOptions with_delimiter(const std::string& source, ReadOptions options) {
  const bool tabs = io::format_of_name(source, options.format).format == TableFormat::tsv;
  if (tabs && !options.delimiter) options.delimiter = '\t';
  return options;
}

// `name:line…` with the line counted from the begin of the file.
std::string moved_place(const std::string& where, const std::string& name, std::size_t lines) {
  const std::string begin = name + ":";
  if (!where.starts_with(begin)) return where;
  std::size_t line = 0;
  const char* end = where.data() + where.size();
  const auto parsed = std::from_chars(where.data() + begin.size(), end, line);
  if (parsed.ec != std::errc()) return where;
  return fmt::format("{}{}{}", begin, line + lines, std::string_view(parsed.ptr, end));
}

// Runs `work`; the lines in its errors are those of a text that begins behind `lines` others.
template <class Work>
auto with_lines(const std::string& name, std::size_t lines, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), moved_place(error.where(), name, lines), error.message(),
                error.hint());
  }
}

// All categories of one column, while the file passes by.
struct Seen {
  std::size_t column = 0;
  io::Dictionary texts = {};
  std::set<double> numbers = {};  // of a target of numbers

  void add(double number) {
    if (number == last) return;
    last = number;
    if (!std::isnan(number)) numbers.insert(number);
  }
  double last = std::numeric_limits<double>::quiet_NaN();
};

Levels in_order(const io::Dictionary& dictionary) {
  std::vector<std::string_view> texts;
  for (const auto& entry : dictionary.entries()) texts.push_back(entry.text);
  Levels levels;
  for (const std::uint32_t i : level_order(texts)) levels.emplace_back(texts[i]);
  return levels;
}

}  // namespace

struct TableParts::State {
  State(const std::string& path, const ReadOptions& wanted, std::size_t part_rows,
        const Context& run)
      : source(path),
        options(with_delimiter(path, wanted)),
        missing(options.missing_tokens),
        rows(part_rows),
        context(run) {
    open_window();
    open_table();
    skip_header();
  }

  void open_window() {
    window.emplace(source, io::WindowLimits{options.max_bytes, options.max_line_bytes});
    const std::string_view head = window->peek(kHeadBytes, context);
    const std::size_t mark = head.starts_with(io::kByteOrderMark) ? io::kByteOrderMark.size() : 0;
    window->keep_from(mark);
    if (!options.delimiter) {
      options.delimiter = io::choose_dialect(head.substr(mark), window->name(), options).delimiter;
    }
    window->follow({*options.delimiter, options.decimal, options.comment});
  }

  // Names and kinds of the columns from the first records.
  void open_table() {
    const std::string_view head = window->next(std::max(rows, kHeadRecords) + 1, context);
    io::Opening opening =
        io::open_csv({head, window->name()}, options, missing, kChunkBytes, context);
    report.format = opening.format;
    const auto first = std::find_if(opening.chunks.begin(), opening.chunks.end(),
                                    [](const io::Chunk& chunk) { return chunk.begin < chunk.end; });
    header_bytes = first == opening.chunks.end() ? head.size() : first->begin;
    pass = opening.pass;
    declarations = opening.declarations;
    const Dataset table =
        io::typed_table({std::move(opening.pass), &opening.chunks, declarations},
                        io::read_columns(pass, opening.chunks, context), report, context);
    report.warnings.clear();  // they come again with their part
    for (std::size_t j = 0; j < declarations.size(); ++j) {
      declarations[j].kind = table.columns()[j].kind();
      pass.uses[j] = table.columns()[j].is_numeric() ? io::Use::number_always : io::Use::text;
    }
  }

  // The window stands before the header again, and behind it afterwards.
  void skip_header() { window->keep_from(header_bytes); }

  void rewind() {
    window.reset();
    open_window();
    window->next(std::max(rows, kHeadRecords) + 1, context);
    skip_header();
    rows_before = rows_given = 0;
  }

  bool has_open_levels(std::size_t column) const {
    const ColumnKind kind = *declarations[column].kind;
    return kind == ColumnKind::nominal && declarations[column].levels.empty();
  }

  std::vector<io::Chunk> cut(std::string_view text) const {
    return io::cut_into_chunks({text, window->name(), pass.dialect, kChunkBytes}, context);
  }

  std::optional<Dataset> next() {
    while (true) {
      context.stop_if_cancelled();
      const std::string_view text = window->next(rows, context);
      if (text.empty()) return std::nullopt;
      const Dataset part =
          with_lines(window->name(), window->lines_before(), [&] { return parsed(text); });
      if (part.rows() == 0) continue;
      rows_before = rows_given;
      rows_given += part.rows();
      return part;
    }
  }

  Dataset parsed(std::string_view text) {
    io::Pass here = pass;
    here.text = text;
    const std::vector<io::Chunk> chunks = cut(text);
    io::RawTable table = io::read_columns(here, chunks, context);
    ReadReport found;
    Dataset part =
        io::typed_table({std::move(here), &chunks, declarations}, std::move(table), found, context);
    for (const std::string& warning : found.warnings) {
      report.warnings.push_back(moved_place(warning, window->name(), window->lines_before()));
    }
    return part;
  }

  // Columns whose categories have to be found.
  std::vector<Seen> open_columns(const std::string& target) const {
    std::vector<Seen> open;
    for (std::size_t j = 0; j < declarations.size(); ++j) {
      if (has_open_levels(j) || pass.names[j] == target) open.push_back({.column = j});
    }
    return open;
  }

  void look_at(std::string_view text, std::vector<Seen>& open) const {
    io::Pass here = pass;
    here.text = text;
    for (io::Use& use : here.uses) use = use == io::Use::nothing ? use : io::Use::skip;
    for (const Seen& seen : open) here.uses[seen.column] = pass.uses[seen.column];
    const io::RawTable table = io::read_columns(here, cut(text), context);
    for (Seen& seen : open) {
      if (here.uses[seen.column] == io::Use::text) {
        for (const auto& level : table.column_texts(seen.column).all.entries()) {
          seen.texts.code_of_copy(level.text, 0);
        }
      } else {
        const double* numbers = table.column_numbers(seen.column);
        for (std::size_t row = 0; row < table.rows; ++row) seen.add(numbers[row]);
      }
      require_few(seen);
    }
  }

  void require_few(const Seen& seen) const {
    const std::size_t found = std::max(seen.texts.size(), seen.numbers.size());
    if (found <= options.max_categories) return;
    throw Error(ErrorKind::limit, "column " + in_quotes(pass.names[seen.column]),
                fmt::format("more than {} categories", options.max_categories),
                fmt::format("leave it out with --ignore {}, or raise --max-categories",
                            in_quotes(pass.names[seen.column])));
  }

  Levels settle_levels(const std::string& target) {
    std::vector<Seen> open = open_columns(target);
    rewind();
    while (!window->next(rows, context).empty()) {
      context.stop_if_cancelled();
      with_lines(window->name(), window->lines_before(), [&] { look_at(window->text(), open); });
    }
    Levels of_target;
    for (const Seen& seen : open) {
      Levels levels = levels_of(seen);
      if (pass.names[seen.column] == target) of_target = levels;
      if (has_open_levels(seen.column)) declarations[seen.column].levels = std::move(levels);
    }
    rewind();
    return of_target;
  }

  // Those that occur; declared ones in their own order.
  Levels levels_of(const Seen& seen) const {
    if (pass.uses[seen.column] != io::Use::text) {
      const std::vector<double> numbers(seen.numbers.begin(), seen.numbers.end());
      return as_nominal(Column::numeric(pass.names[seen.column], numbers)).levels();
    }
    Levels found = in_order(seen.texts);
    const Levels& declared = declarations[seen.column].levels;
    if (declared.empty()) return found;
    Levels kept;
    std::copy_if(declared.begin(), declared.end(), std::back_inserter(kept),
                 [&](const auto& level) {
                   return std::find(found.begin(), found.end(), level) != found.end();
                 });
    return kept;
  }

  std::string source;
  ReadOptions options;
  io::MissingTokens missing;
  std::size_t rows;
  Context context;
  std::optional<io::RecordWindow> window;
  std::size_t header_bytes = 0;
  io::Pass pass;  // of every part, but for its text
  std::vector<io::Declaration> declarations;
  ReadReport report;
  std::size_t rows_before = 0;
  std::size_t rows_given = 0;
};

TableParts::TableParts(const std::string& source, const ReadOptions& options, std::size_t rows,
                       const Context& context) {
  require_possible(source, options);
  if (rows == 0) throw Error(ErrorKind::usage, "--in-parts", "a part has at least 1 row (got 0)");
  state_ = std::make_unique<State>(source, options, rows, context);
}

TableParts::~TableParts() = default;
TableParts::TableParts(TableParts&&) noexcept = default;
TableParts& TableParts::operator=(TableParts&&) noexcept = default;

std::optional<Dataset> TableParts::next() { return state_->next(); }
std::size_t TableParts::rows_before() const { return state_->rows_before; }
bool TableParts::can_rewind() const { return state_->window->can_be_read_again(); }
const ReadReport& TableParts::report() const { return state_->report; }
std::size_t TableParts::most_text_bytes() const { return state_->window->most_bytes(); }

void TableParts::rewind() {
  if (!can_rewind()) {
    throw Error(ErrorKind::usage, state_->window->name(),
                "this is no file and can be read only once", "save it to a file first");
  }
  state_->rewind();
}

Levels TableParts::settle_levels(const std::string& target) {
  GRADUS_ASSERT(can_rewind());
  return state_->settle_levels(target);
}

bool TableParts::has_open_levels() const {
  for (std::size_t j = 0; j < state_->declarations.size(); ++j) {
    if (state_->has_open_levels(j)) return true;
  }
  return false;
}

}  // namespace gradus
