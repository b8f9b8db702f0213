#include "gradus/data/io/table_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/csv_record.hpp"
#include "gradus/data/io/csv_types.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus::io {
namespace {

// The length from `offset` to the end of its line, looked at no further than `most` bytes.
std::size_t length_of_line(std::string_view text, std::size_t offset, std::size_t most) {
  const std::size_t window = std::min(text.size() - offset, most);
  const void* end = std::memchr(text.data() + offset, '\n', window);
  return end == nullptr
             ? window
             : static_cast<std::size_t>(static_cast<const char*>(end) - text.data()) - offset;
}

std::optional<std::size_t> first_infinite(const Column& column) {
  if (!column.is_numeric()) return std::nullopt;
  const auto first_of = [&]<class T>(const T* numbers) {
    const std::size_t row = simd::first_infinite(numbers, column.size());
    return row == column.size() ? std::nullopt : std::optional(row);
  };
  if (column.element_type() == ElementType::float64 && column.stride() == sizeof(double)) {
    return first_of(reinterpret_cast<const double*>(column.data()));
  }
  if (column.element_type() == ElementType::float32 && column.stride() == sizeof(float)) {
    return first_of(reinterpret_cast<const float*>(column.data()));
  }
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (std::isinf(column.number(row))) return row;
  }
  return std::nullopt;
}

}  // namespace

std::string place_in(const Input& input, std::size_t offset) {
  return place_text(input.name, input.text, std::min(offset, input.text.size()));
}

void refuse(std::size_t offset, std::string message, std::string hint) {
  throw RowProblem{offset, std::move(message), std::move(hint)};
}

void refuse_limit(std::size_t offset, std::string message, std::string hint) {
  throw RowProblem{offset, std::move(message), std::move(hint), true};
}

std::size_t begin_text(const Input& input) {
  const std::string_view text = input.text;
  if (text.empty()) throw Error(ErrorKind::bad_data, input.name, "empty file");
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    refuse(0, "the text is UTF-16, and UTF-8 is needed", "convert it with iconv -t UTF-8");
  }
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) refuse(nul, "a NUL byte stands in the text");
  const std::size_t invalid = find_invalid_utf8(text);
  if (invalid != std::string_view::npos) {
    refuse(invalid, fmt::format("byte {} of the file is not valid UTF-8", invalid + 1),
           kLatin1Hint);
  }
  return text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}

std::optional<Line> LineReader::next() {
  if (offset_ >= input_.text.size()) return std::nullopt;
  const std::size_t most = static_cast<std::size_t>(max_line_bytes_);
  const std::size_t length = length_of_line(input_.text, offset_, most + 1);
  if (length > most) {
    refuse_limit(offset_, fmt::format("the line is longer than {} bytes", most),
                 "raise the limit with --max-line-bytes");
  }
  Line line{input_.text.substr(offset_, length), offset_};
  offset_ += length + 1;
  if (line.text.ends_with('\r')) line.text.remove_suffix(1);
  return line;
}

ColumnBuilder::ColumnBuilder(std::string name, Declaration declared, std::uint64_t max_categories)
    : name_(std::move(name)), declared_(std::move(declared)), max_categories_(max_categories) {
  if (!declared_.kind) return;
  switch (*declared_.kind) {
    case ColumnKind::numeric: holding_ = Holding::numbers; break;
    case ColumnKind::text: holding_ = Holding::texts; break;
    case ColumnKind::nominal:
    case ColumnKind::ordinal: holding_ = Holding::codes; break;
  }
  levels_ = declared_.levels;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    code_of_.emplace(levels_[i], static_cast<std::int32_t>(i));
  }
}

// The first cell decides what an undeclared column holds; the missing cells before it follow.
void ColumnBuilder::hold(Holding wanted) {
  if (holding_ == Holding::nothing) {
    holding_ = wanted;
    decided_at_ = size_;
    if (wanted == Holding::numbers) numbers_.assign(size_, std::nan(""));
    if (wanted == Holding::codes) codes_.assign(size_, kMissingCode);
  }
}

void ColumnBuilder::refuse_mix(std::string_view found) const {
  const bool numbers = holding_ == Holding::numbers;
  throw Error(ErrorKind::bad_data, "",
              fmt::format("column {} holds {}, but here stands {}", in_quotes(name_),
                          numbers ? "numbers" : "texts", found),
              fmt::format("declare it with --{} {}", numbers ? "nominal" : "numeric", name_));
}

void ColumnBuilder::add_number(double value, std::string_view digits) {
  hold(Holding::numbers);
  const auto text = [&] { return digits.empty() ? shortest(value) : std::string(digits); };
  switch (holding_) {
    case Holding::numbers: numbers_.push_back(value); break;
    case Holding::texts: texts_.emplace_back(text()); break;
    default:
      if (!declared_.kind) refuse_mix("the number " + text());
      add_code(text());
  }
  ++size_;
}

void ColumnBuilder::add_text(std::string_view text) {
  hold(Holding::codes);
  if (holding_ == Holding::numbers) {
    if (!declared_.kind) refuse_mix("the text " + in_quotes(text));
    const std::optional<double> number = parse_number(text);
    if (!number || !std::isfinite(*number)) {
      throw Error(ErrorKind::bad_data, "",
                  fmt::format("column {} must hold finite numbers (got {})", in_quotes(name_),
                              in_quotes(text)));
    }
    numbers_.push_back(*number);
  } else if (holding_ == Holding::texts) {
    texts_.emplace_back(text);
  } else {
    add_code(text);
  }
  ++size_;
}

void ColumnBuilder::add_truth(bool value) {
  hold(Holding::codes);
  if (holding_ == Holding::numbers && declared_.kind) return add_number(value ? 1 : 0);
  truths_ = !declared_.kind;
  add_text(value ? "true" : "false");
}

void ColumnBuilder::add_code(std::string_view text) {
  const auto [entry, fresh] =
      code_of_.try_emplace(std::string(text), static_cast<std::int32_t>(levels_.size()));
  if (fresh) {
    if (!declared_.levels.empty()) {
      throw Error(ErrorKind::bad_data, "",
                  fmt::format("{} is not a level of column {}", in_quotes(text), in_quotes(name_)),
                  "the levels are " + join(declared_.levels, ", "));
    }
    if (levels_.size() >= max_categories_) {
      throw Error(ErrorKind::limit, "",
                  fmt::format("column {} has more than {} different texts", in_quotes(name_),
                              max_categories_),
                  "read it as text with --text, or raise --max-categories");
    }
    levels_.emplace_back(text);
  }
  codes_.push_back(entry->second);
}

void ColumnBuilder::add_missing() {
  switch (holding_) {
    case Holding::nothing: break;
    case Holding::numbers: numbers_.push_back(std::nan("")); break;
    case Holding::codes: codes_.push_back(kMissingCode); break;
    case Holding::texts: texts_.emplace_back(std::nullopt); break;
  }
  ++size_;
}

void ColumnBuilder::shrink(std::size_t rows) {
  if (size_ <= rows) return;
  if (holding_ == Holding::numbers) numbers_.resize(rows);
  if (holding_ == Holding::codes) codes_.resize(rows);
  if (holding_ == Holding::texts) texts_.resize(rows);
  size_ = rows;
  if (declared_.kind || rows > decided_at_) return;
  holding_ = Holding::nothing;
  truths_ = false;
  levels_.clear();
  code_of_.clear();
}

std::string ColumnBuilder::why() const {
  if (declared_.kind) return declared_.why;
  if (truths_) return "all values are true or false";
  if (holding_ == Holding::codes) return "the values are texts";
  return holding_ == Holding::numbers ? "all values are numbers" : "all values are missing";
}

// Free text, by the rule for all formats: mostly distinct, and very many or long.
bool ColumnBuilder::is_free_text() const {
  constexpr TextRule kRule;
  if (declared_.kind || truths_ || levels_.size() <= kRule.some) return false;
  std::size_t present = 0;
  std::size_t bytes = 0;
  for (const std::int32_t code : codes_) {
    if (code == kMissingCode) continue;
    ++present;
    bytes += levels_[static_cast<std::size_t>(code)].size();
  }
  const bool is_long = bytes >= kRule.long_text * present;
  return levels_.size() * 2 > present && (levels_.size() > kRule.many || is_long);
}

Column ColumnBuilder::finished_texts() {
  TextBlock block;
  for (const auto& text : texts_) text ? block.push_back(*text) : block.push_missing();
  for (const std::int32_t code : codes_) {
    code == kMissingCode ? block.push_missing()
                         : block.push_back(levels_[static_cast<std::size_t>(code)]);
  }
  return Column::text(name_, std::move(block));
}

// Levels in their order for the library; those that no row holds any more are dropped.
Column ColumnBuilder::finished_codes() {
  const bool ordered = declared_.kind == ColumnKind::ordinal;
  if (ordered) return Column::ordinal(name_, std::move(codes_), std::move(levels_));
  if (!declared_.levels.empty()) {
    return Column::nominal(name_, std::move(codes_), std::move(levels_));
  }
  for (const char* word : {"false", "true"}) {
    const auto code = static_cast<std::int32_t>(levels_.size());
    if (truths_ && code_of_.try_emplace(word, code).second) levels_.emplace_back(word);
  }
  std::vector<bool> used(levels_.size(), truths_);
  for (const std::int32_t code : codes_) {
    if (code != kMissingCode) used[static_cast<std::size_t>(code)] = true;
  }
  Levels sorted;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (used[i]) sorted.push_back(levels_[i]);
  }
  sort_levels(sorted);
  std::vector<std::int32_t> new_code(levels_.size(), kMissingCode);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    new_code[static_cast<std::size_t>(code_of_.at(sorted[i]))] = static_cast<std::int32_t>(i);
  }
  for (std::int32_t& code : codes_) {
    if (code != kMissingCode) code = new_code[static_cast<std::size_t>(code)];
  }
  return Column::nominal(name_, std::move(codes_), std::move(sorted));
}

Column ColumnBuilder::finish(ReadReport& report) {
  const std::string reason = why();
  hold(Holding::numbers);  // a column of missing values alone
  const auto build = [&] {
    if (holding_ == Holding::numbers) return Column::numeric(name_, std::move(numbers_));
    if (holding_ == Holding::texts || is_free_text()) return finished_texts();
    return finished_codes();
  };
  Column column = build();
  note_column(report, column, reason);
  return column;
}

void note_column(ReadReport& report, const Column& column, std::string why) {
  report.columns.push_back({.name = column.name(),
                            .kind = column.kind(),
                            .why = std::move(why),
                            .missing = column.missing_count(),
                            .distinct = column.is_categorical() ? column.levels().size() : 0});
}

Column as_declared(const Column& column, const Declaration& declared,
                   std::uint64_t max_categories) {
  if (!declared.kind || *declared.kind == column.kind()) return column;
  if (*declared.kind == ColumnKind::nominal && column.kind() == ColumnKind::numeric) {
    return as_nominal(column);
  }
  ColumnBuilder builder(column.name(), declared, max_categories);
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (column.missing(row)) {
      builder.add_missing();
      continue;
    }
    with_place([&] { return "row " + std::to_string(row + 1); },
               [&] { builder.add_text(column.cell(row)); });
  }
  ReadReport unused;
  return builder.finish(unused);
}

void refuse_infinite(const Column& column, std::string_view format) {
  const std::optional<std::size_t> row = first_infinite(column);
  if (!row) return;
  throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
              fmt::format("{} has no form for the infinite number in row {}", format, *row + 1));
}

void refuse_weights(const Dataset& data, std::string_view format) {
  if (data.weights().empty()) return;
  throw Error(ErrorKind::usage, "weights",
              fmt::format("{} cannot hold the weights of rows", format), "write ARFF instead");
}

Dataset finish_numbers(const Input& input, std::vector<Column> columns, const ReadOptions& options,
                       ReadReport& report) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const Column& column : columns) names.push_back(column.name());
  const std::vector<Declaration> declared = declared_columns(names, options);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    Column& column = columns[j];
    const std::optional<std::size_t> row = first_infinite(column);
    if (row && !options.infinite_is_missing) {
      throw Error(ErrorKind::bad_data, input.name,
                  fmt::format("row {} of column {} is infinite", *row + 1, column.name()));
    }
    if (row) {
      std::vector<double> values(column.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::isinf(column.number(i)) ? std::nan("") : column.number(i);
      }
      column = Column::numeric(column.name(), std::move(values));
    }
    column = as_declared(column, declared[j], options.max_categories);
    note_column(report, column, declared[j].kind ? declared[j].why : "a column of a binary file");
  }
  return Dataset(std::move(columns));
}

std::vector<std::string> numbered_names(std::string_view prefix, std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", prefix, i));
  return names;
}

QuerySource split_query(const std::string& source) {
  for (std::size_t mark = source.find('?'); mark != std::string::npos;
       mark = source.find('?', mark + 1)) {
    const std::string_view rest = trim(std::string_view(source).substr(mark + 1));
    const std::size_t word_end =
        rest.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const std::string word = lowercase(rest.substr(0, word_end));
    // A word that '=' follows is a parameter of the address, not a query.
    const bool parameter = word_end != std::string_view::npos && rest[word_end] == '=';
    if (!parameter && (word == "select" || word == "with" || word == "values" || word == "table")) {
      return {source.substr(0, mark), std::string(rest)};
    }
  }
  throw Error(ErrorKind::usage, source.substr(0, source.find('?')),
              "a query is needed after the database: …?SELECT … FROM …");
}

}  // namespace gradus::io
