// LIBSVM and SVMLight: `label [qid:q] index:value … [# comment]`, one row per line.
//
// The features become one sparse block, the label a column "label" (numbers, so that `+1`, `1` and
// `1.0` are one class; texts only when it is declared nominal) and `qid:` a column "qid". The text
// is cut into pieces of fixed size that are parsed in parallel, each up to the end of its last
// line, and joined in their order: the table and the first error do not depend on the threads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/bad_rows.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/large_integers.hpp"
#include "gradus/data/io/table_builder.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::io {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

struct Settings {
  bool zero_based = false;
  bool sort_indices = false;
  bool text_labels = false;
  bool infinite_is_missing = false;
  std::uint64_t max_index = 0;
  std::uint64_t max_line_bytes = 0;
  const ReadOptions* options = nullptr;
};

// The rows of one piece of the text.
struct Piece {
  // How far it reaches: what a bad row has added is taken back to here.
  struct Extent {
    std::size_t rows = 0;
    std::size_t stored = 0;
    std::uint64_t cols = 0;
    std::optional<std::size_t> first_with_query;
    std::optional<std::size_t> first_without_query;
    LargeIntegers large_labels;
    LargeIntegers large_values;
  };
  Extent extent() const {
    return {row_end.size(),      value.size(), cols,        first_with_query,
            first_without_query, large_labels, large_values};
  }
  void shrink(const Extent& to) {
    labels.resize(to.rows);
    label_texts.resize(std::min(to.rows, label_texts.size()));
    queries.resize(to.rows);
    index.resize(to.stored);
    value.resize(to.stored);
    cols = to.cols;
    first_with_query = to.first_with_query;
    first_without_query = to.first_without_query;
    large_labels = to.large_labels;
    large_values = to.large_values;
  }

  std::vector<double> labels;
  std::vector<std::string> label_texts;  // with text_labels alone
  std::vector<double> queries;
  std::vector<std::uint64_t> row_end;
  std::vector<std::uint32_t> index;
  std::vector<double> value;
  std::uint64_t cols = 0;
  std::size_t blank_lines = 0;
  std::optional<std::size_t> first_with_query;  // offsets of lines
  std::optional<std::size_t> first_without_query;
  LargeIntegers large_labels;
  LargeIntegers large_values;
  std::vector<Reject> rejects;
};

struct Token {
  std::string_view text;
  std::size_t offset = 0;
};

class PieceParser {
 public:
  PieceParser(const Input& input, const Settings& settings) : input_(input), settings_(settings) {}

  // Parses the lines that begin in [begin, end).
  Piece parse(std::size_t begin, std::size_t end) {
    LineReader lines(input_, begin, settings_.max_line_bytes);
    while (lines.offset() < end) {
      const Line line = *lines.next();
      const Piece::Extent before = piece_.extent();
      const bool good =
          read_or_reject(line, *settings_.options, piece_.rejects, [&] { parse_line(line); });
      if (!good) piece_.shrink(before);
    }
    return std::move(piece_);
  }

 private:
  void parse_line(const Line& line);
  void parse_label(const Token& token);
  double parse_query(const Token& token) const;
  void parse_feature(const Token& token);
  std::uint32_t parse_index(std::string_view digits, const Token& token) const;
  double parse_value(std::string_view text, std::size_t offset);
  void check_order(std::size_t row_begin, const Token& token);
  void sort_row(std::size_t row_begin, const Line& line);

  const Input& input_;
  const Settings& settings_;
  Piece piece_;
};

// The next run of characters that are not blank; empty at the end.
Token next_token(const Line& line, std::size_t& at) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (at < line.text.size() && blank(line.text[at])) ++at;
  const std::size_t begin = at;
  while (at < line.text.size() && !blank(line.text[at])) ++at;
  return {line.text.substr(begin, at - begin), line.offset + begin};
}

void PieceParser::parse_line(const Line& full) {
  const std::size_t nul = full.text.find('\0');
  if (nul != std::string_view::npos) {
    refuse(full.offset + nul, "a NUL byte stands in the text");
  }
  const std::size_t comment = full.text.find('#');
  const Line line{full.text.substr(0, comment), full.offset};
  std::size_t at = 0;
  const Token label = next_token(line, at);
  if (label.text.empty()) {
    piece_.blank_lines += comment == std::string_view::npos ? 1 : 0;
    return;
  }
  parse_label(label);
  Token token = next_token(line, at);
  const bool has_query = token.text.starts_with("qid:");
  auto& first = has_query ? piece_.first_with_query : piece_.first_without_query;
  if (!first) first = line.offset;
  piece_.queries.push_back(has_query ? parse_query(token) : std::nan(""));
  if (has_query) token = next_token(line, at);
  const std::size_t row_begin = piece_.index.size();
  for (; !token.text.empty(); token = next_token(line, at)) {
    parse_feature(token);
    check_order(row_begin, token);
  }
  if (settings_.sort_indices) sort_row(row_begin, line);
  piece_.row_end.push_back(piece_.index.size());
}

void PieceParser::parse_label(const Token& token) {
  if (token.text.find(':') != std::string_view::npos) {
    refuse(token.offset, "the line has no label before " + in_quotes(token.text));
  }
  const std::optional<double> number = parse_number(token.text);
  if (settings_.text_labels) {
    if (token.text.starts_with(kByteOrderMark) ||
        find_invalid_utf8(token.text) != token.text.npos) {
      refuse(token.offset, "the label " + in_quotes(token.text) + " is not valid UTF-8");
    }
    const bool usable = number && std::isfinite(*number) && !is_large_integer(*number, token.text);
    piece_.label_texts.push_back(usable ? shortest(*number) : std::string(token.text));
    piece_.labels.push_back(0);
    return;
  }
  if (!number || !std::isfinite(*number)) {
    const bool several = token.text.find(',') != std::string_view::npos;
    refuse(token.offset, "the label must be a finite number (got " + in_quotes(token.text) + ")",
           several ? "several labels per row are not supported"
                   : "read labels as texts with --nominal label");
  }
  if (is_large_integer(*number, token.text)) piece_.large_labels.note(token.offset, token.text);
  piece_.labels.push_back(*number);
}

double PieceParser::parse_query(const Token& token) const {
  const std::optional<double> number = parse_number(token.text.substr(4));
  if (!number || *number < 0 || *number > kLargestExact || *number != std::floor(*number)) {
    refuse(token.offset,
           "qid: needs a whole number of at least 0 (got " + in_quotes(token.text.substr(4)) + ")");
  }
  return *number;
}

void PieceParser::parse_feature(const Token& token) {
  const std::size_t colon = token.text.find(':');
  if (colon == std::string_view::npos) {
    refuse(token.offset, "expected index:value, got " + in_quotes(token.text));
  }
  const std::uint32_t index = parse_index(token.text.substr(0, colon), token);
  piece_.index.push_back(index);
  piece_.value.push_back(parse_value(token.text.substr(colon + 1), token.offset + colon + 1));
  piece_.cols = std::max<std::uint64_t>(piece_.cols, std::uint64_t{index} + 1);
}

// The column of an index, counted from 0.
std::uint32_t PieceParser::parse_index(std::string_view digits, const Token& token) const {
  constexpr std::uint64_t kLargest = 0xFFFFFFFF;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) {
    refuse(token.offset, "an index must be a whole number (got " + in_quotes(token.text) + ")");
  }
  std::uint64_t index = 0;
  for (const char c : digits) {
    index = index * 10 + static_cast<std::uint64_t>(c - '0');
    if (index > kLargest) {
      refuse(token.offset,
             fmt::format("the index {} is larger than 4294967295", in_quotes(digits)));
    }
  }
  if (index > settings_.max_index) {
    refuse_limit(token.offset,
                 fmt::format("the index {} is larger than {}", index, settings_.max_index),
                 "raise the limit with --max-index");
  }
  if (index == 0 && !settings_.zero_based) {
    refuse(token.offset, "indices begin with 1 (got 0)",
           "read a file that begins with 0 with --zero-based");
  }
  // One below 2^32 - 1 leaves room for the number of columns in 32 bits.
  if (settings_.zero_based && index == kLargest) {
    refuse(token.offset, "the index is too large");
  }
  return static_cast<std::uint32_t>(settings_.zero_based ? index : index - 1);
}

double PieceParser::parse_value(std::string_view text, std::size_t offset) {
  const std::optional<double> number = parse_number(text);
  if (number && std::isinf(*number) && settings_.infinite_is_missing) return std::nan("");
  if (!number || !std::isfinite(*number)) {
    refuse(offset, "a value must be a finite number (got " + in_quotes(text) + ")");
  }
  if (is_large_integer(*number, text)) piece_.large_values.note(offset, text);
  return *number;
}

void PieceParser::check_order(std::size_t row_begin, const Token& token) {
  const std::size_t last = piece_.index.size() - 1;
  if (settings_.sort_indices || last == row_begin) return;
  if (piece_.index[last] > piece_.index[last - 1]) return;
  const bool twice = piece_.index[last] == piece_.index[last - 1];
  refuse(token.offset,
         twice ? "the same index stands twice in a row" : "the indices of a row must ascend",
         twice ? "" : "sort them with --sort-indices");
}

void PieceParser::sort_row(std::size_t row_begin, const Line& line) {
  const std::size_t count = piece_.index.size() - row_begin;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), row_begin);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return piece_.index[a] < piece_.index[b]; });
  std::vector<std::uint32_t> index;
  std::vector<double> value;
  for (const std::size_t k : order) {
    if (!index.empty() && index.back() == piece_.index[k]) {
      refuse(line.offset, fmt::format("the index {} stands twice in the row",
                                      piece_.index[k] + (settings_.zero_based ? 0U : 1U)));
    }
    index.push_back(piece_.index[k]);
    value.push_back(piece_.value[k]);
  }
  const auto begin = static_cast<std::ptrdiff_t>(row_begin);
  std::copy(index.begin(), index.end(), piece_.index.begin() + begin);
  std::copy(value.begin(), value.end(), piece_.value.begin() + begin);
}

// Where the first line that begins at or after `offset` begins.
std::size_t line_start(std::string_view text, std::size_t offset) {
  if (offset == 0 || offset >= text.size()) return std::min(offset, text.size());
  const std::size_t end = text.find('\n', offset - 1);
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::vector<Piece> parse_pieces(const Input& input, const Settings& settings,
                                const Context& context) {
  const std::size_t mark = input.text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::size_t count = parallel::block_count(input.text.size(), kPieceBytes);
  return parallel::map_slots<Piece>(context, count, [&](std::size_t i) {
    const std::size_t begin = std::max(mark, line_start(input.text, i * kPieceBytes));
    const std::size_t end = line_start(input.text, (i + 1) * kPieceBytes);
    return as_errors(input, [&] { return PieceParser(input, settings).parse(begin, end); });
  });
}

// A file gives a query to every row or to none.
bool check_queries(std::span<const Piece> pieces) {
  std::optional<std::size_t> with;
  std::optional<std::size_t> without;
  for (const Piece& piece : pieces) {
    if (!with) with = piece.first_with_query;
    if (!without) without = piece.first_without_query;
  }
  if (with && without) {
    refuse(std::max(*with, *without), *with < *without
                                          ? "this row has no qid:, and rows before it have one"
                                          : "this row has a qid:, and rows before it have none");
  }
  return with.has_value();
}

CsrArrays join(std::span<const Piece> pieces, std::size_t rows, const Context& context) {
  CsrArrays matrix;
  std::vector<std::size_t> first_row;
  std::vector<std::size_t> first_value;
  std::size_t row = 0;
  std::size_t stored = 0;
  for (const Piece& piece : pieces) {
    first_row.push_back(row);
    first_value.push_back(stored);
    row += piece.row_end.size();
    stored += piece.value.size();
    matrix.cols = std::max<std::size_t>(matrix.cols, piece.cols);
  }
  context.require_memory(stored * 12 + rows * 8, "the sparse table");
  matrix.row_begin.resize(rows + 1);
  matrix.index.resize(stored);
  matrix.value.resize(stored);
  parallel::for_each_index(context, pieces.size(), [&](std::size_t i) {
    const Piece& piece = pieces[i];
    const auto at = static_cast<std::ptrdiff_t>(first_value[i]);
    std::copy(piece.index.begin(), piece.index.end(), matrix.index.begin() + at);
    std::copy(piece.value.begin(), piece.value.end(), matrix.value.begin() + at);
    for (std::size_t k = 0; k < piece.row_end.size(); ++k) {
      matrix.row_begin[first_row[i] + k + 1] = first_value[i] + piece.row_end[k];
    }
  });
  return matrix;
}

template <class T>
std::vector<T> gathered(std::span<const Piece> pieces, std::vector<T> Piece::*member) {
  std::vector<T> all;
  for (const Piece& piece : pieces) {
    all.insert(all.end(), (piece.*member).begin(), (piece.*member).end());
  }
  return all;
}

Column label_column(std::span<const Piece> pieces, const Settings& settings) {
  if (!settings.text_labels) {
    return Column::numeric("label", gathered(pieces, &Piece::labels));
  }
  std::vector<std::optional<std::string>> texts;
  for (std::string& text : gathered(pieces, &Piece::label_texts))
    texts.emplace_back(std::move(text));
  return categorical_from_texts("label", texts);
}

void tell_large_numbers(const Input& input, std::span<const Piece> pieces,
                        const ReadOptions& options, ReadReport& report) {
  const auto tell = [&](LargeIntegers Piece::*member, const char* subject, const char* hint) {
    LargeIntegers all;
    for (const Piece& piece : pieces) all.append(piece.*member);
    if (all.count == 0) return;
    tell_large_integers(
        {place_in(input, all.first), subject, all.count, in_quotes(all.digits), hint}, options,
        report);
  };
  tell(&Piece::large_labels, "column \"label\"", "if it is a class, read it with --nominal label");
  tell(&Piece::large_values, "the features", "");
}

}  // namespace

Dataset parse_libsvm(const Input& input, const ReadOptions& options, ReadReport& report,
                     const Context& context) {
  if (input.text.empty()) throw Error(ErrorKind::bad_data, input.name, "empty file");
  const auto named_label = [](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), "label") != names.end();
  };
  const Settings settings{
      .zero_based = options.zero_based,
      .sort_indices = options.sort_indices,
      .text_labels = named_label(options.nominal) || named_label(options.text) ||
                     std::any_of(options.ordinal.begin(), options.ordinal.end(),
                                 [](const OrdinalLevels& one) { return one.column == "label"; }),
      .infinite_is_missing = options.infinite_is_missing,
      .max_index = options.max_index,
      .max_line_bytes = options.max_line_bytes,
      .options = &options};
  const std::vector<Piece> pieces = parse_pieces(input, settings, context);
  std::size_t rows = 0;
  std::size_t blank_lines = 0;
  for (const Piece& piece : pieces) {
    rows += piece.labels.size();
    blank_lines += piece.blank_lines;
  }
  report_rejects(input, gathered(pieces, &Piece::rejects), options, report);
  if (rows == 0) throw Error(ErrorKind::bad_data, input.name, "the file has no data rows");
  if (blank_lines > 0) report.warnings.push_back(counted(blank_lines, "blank line") + " skipped");

  tell_large_numbers(input, pieces, options, report);
  std::vector<Column> columns = {label_column(pieces, settings)};
  if (as_errors(input, [&] { return check_queries(pieces); })) {
    columns.push_back(Column::numeric("qid", gathered(pieces, &Piece::queries)));
  }
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name());
  const std::vector<Declaration> declared = declared_columns(names, options);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    columns[j] = as_declared(columns[j], declared[j], options.max_categories);
    note_column(report, columns[j], j == 0 ? "the label of each row" : "the query of each row");
  }
  SparseBlock block;
  block.first_index = settings.zero_based ? 0 : 1;
  block.matrix = std::make_shared<const CsrMatrix>(join(pieces, rows, context));
  report.format =
      fmt::format("libsvm, indices from {}, {} stored in {}", block.first_index,
                  counted(block.matrix->stored(), "value"), counted(block.matrix->cols, "column"));
  return Dataset(std::move(columns)).with_sparse(std::move(block));
}

}  // namespace gradus::io
