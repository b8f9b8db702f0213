#include "gradus/data/io/csv_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/csv_merge.hpp"
#include "gradus/data/io/large_integers.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::io {
namespace {

std::map<std::size_t, Notes> merged_notes(const RawTable& table) {
  std::map<std::size_t, Notes> merged;
  for (const ChunkResult& chunk : table.chunks) {
    for (const auto& [column, notes] : chunk.notes) merged[column].merge(notes);
  }
  return merged;
}

// The cell at `offset` again, for a message.
std::string shown_cell(const Pass& pass, std::size_t offset) {
  const bool quoted = offset > 0 && pass.text[offset - 1] == '"';
  const char* at = pass.text.data() + offset - (quoted ? 1 : 0);
  return in_quotes(CellReader(pass.text, pass.dialect).next(at).text);
}

class Typist {
 public:
  Typist(TypeTask task, RawTable table, ReadReport& report, const Context& context)
      : task_(std::move(task)), report_(report), context_(context), table_(std::move(table)) {}

  Dataset run() {
    settle_guesses();
    warn_about_large_integers();
    write_rejects();
    warn_about_blank_lines();
    return Dataset(built_columns());
  }

 private:
  const Pass& pass() const { return task_.pass; }

  // Columns taken for numeric by their first rows that hold something else.
  void settle_guesses() {
    std::vector<std::size_t> to_text;
    std::vector<std::size_t> to_strict;
    std::optional<RowProblem> first;
    for (const auto& [column, notes] : merged_notes(table_)) {
      std::optional<RowProblem> problem;
      if (notes.not_numbers > 0 && !mostly_numbers(column, notes)) {
        to_text.push_back(column);
        continue;
      }
      if (notes.not_numbers > 0) problem = stray_text(column, notes);
      if (notes.infinite > 0 && (!problem || notes.first_infinite < problem->offset)) {
        problem = infinite_number(column, notes);
      }
      if (!problem) continue;
      to_strict.push_back(column);
      if (!first || problem->offset < first->offset) first = problem;
    }
    if (first && pass().options->bad_rows == BadRow::error) {
      throw_row_problem(*first, pass().text, pass().name);
    }
    reread(to_text, to_strict);
  }

  bool mostly_numbers(std::size_t column, const Notes& notes) const {
    const double* values = table_.column_numbers(column);
    const std::size_t numbers = numbers_among(values, table_.rows);
    return numbers_among(values, notes.first_not_number_row) >= kTrustedNumbers &&
           notes.not_numbers * 100 < numbers + notes.not_numbers;
  }

  RowProblem stray_text(std::size_t column, const Notes& notes) const {
    const std::string name = in_quotes(pass().names[column]);
    return {notes.first_not_number,
            fmt::format("column {}: expected a number as in the rows before, got {}", name,
                        shown_cell(pass(), notes.first_not_number)),
            fmt::format("if the column holds categories, declare it with --nominal {}", name)};
  }

  RowProblem infinite_number(std::size_t column, const Notes& notes) const {
    return {notes.first_infinite,
            fmt::format("column {}: expected a finite number, got {}",
                        in_quotes(pass().names[column]), shown_cell(pass(), notes.first_infinite)),
            "read infinity as missing with --inf missing"};
  }

  // Without rejected rows only the wrong columns are read again.
  void reread(const std::vector<std::size_t>& to_text, const std::vector<std::size_t>& to_strict) {
    if (to_text.empty() && to_strict.empty()) return;
    GRADUS_ASSERT(task_.chunks != nullptr);
    std::vector<Use>& uses = task_.pass.uses;
    for (const std::size_t column : to_text) uses[column] = Use::text;
    for (const std::size_t column : to_strict) uses[column] = Use::number_always;
    if (pass().options->bad_rows == BadRow::reject) {
      table_ = read_columns(task_.pass, *task_.chunks, context_);
      return;
    }
    Pass again = pass();
    for (std::size_t column = 0; column < uses.size(); ++column) {
      if (uses[column] != Use::nothing) again.uses[column] = Use::skip;
    }
    for (const std::size_t column : to_text) again.uses[column] = Use::text;
    table_again_ = read_columns(again, *task_.chunks, context_);
    again_uses_ = std::move(again.uses);
  }

  bool from_second_pass(std::size_t column) const {
    return !again_uses_.empty() && again_uses_[column] == Use::text;
  }

  void warn_about_large_integers() {
    for (const auto& [column, notes] : merged_notes(table_)) {
      if (notes.large_integers == 0 || pass().uses[column] == Use::text) continue;
      const std::string& name = pass().names[column];
      tell_large_integers({place_text(pass().name, pass().text, notes.first_large_integer),
                           "column " + in_quotes(name), notes.large_integers,
                           shown_cell(pass(), notes.first_large_integer), keep_digits_hint(name)},
                          *pass().options, report_);
    }
  }

  void warn_about_blank_lines() {
    std::size_t blank = 0;
    for (const ChunkResult& chunk : table_.chunks) blank += chunk.blank_lines;
    if (blank == 0) return;
    report_.warnings.push_back(
        fmt::format("{}: {} skipped", pass().name, counted(blank, "blank line")));
  }

  void write_rejects() {
    std::vector<Reject> rejects;
    for (const ChunkResult& chunk : table_.chunks) {
      rejects.insert(rejects.end(), chunk.rejects.begin(), chunk.rejects.end());
    }
    report_rejects({pass().text, pass().name}, rejects, *pass().options, report_);
  }

  std::vector<Column> built_columns() {
    const std::size_t columns = pass().uses.size();
    std::vector<std::optional<Column>> built(columns);
    report_.columns.resize(columns);
    parallel::for_each_index(context_, columns, [&](std::size_t column) {
      if (pass().uses[column] == Use::nothing) return;
      report_.columns[column].name = pass().names[column];
      built[column] =
          pass().uses[column] == Use::text ? text_column(column) : numeric_column(column);
      report_.columns[column].kind = built[column]->kind();
    });
    if (pass().uses.back() == Use::nothing) report_.columns.pop_back();
    std::vector<Column> result;
    for (auto& column : built) {
      if (column) result.push_back(std::move(*column));
    }
    return result;
  }

  Column numeric_column(std::size_t column) {
    const double* values = table_.column_numbers(column);
    auto& decision = report_.columns[column];
    std::size_t present = 0;
    for (const ChunkResult& chunk : table_.chunks) present += chunk.present[table_.slot[column]];
    decision.missing = table_.rows - present;
    decision.why = task_.declarations[column].why;
    if (decision.why.empty()) {
      decision.why = present == 0 ? "no value is present"
                                  : fmt::format("all {} are numbers", counted(present, "value"));
    }
    return Column::numeric_view(pass().names[column], ElementType::float64, values, table_.rows,
                                sizeof(double), table_.numbers);
  }

  Column text_column(std::size_t column) {
    RawTable& table = from_second_pass(column) ? table_again_ : table_;
    const Declaration& declaration = task_.declarations[column];
    const ColumnTexts& texts = table.column_texts(column);
    auto& decision = report_.columns[column];
    decision.missing = table.rows - texts.present;
    decision.distinct = texts.all.size();
    decision.why = declaration.why;
    ColumnKind kind = declaration.kind.value_or(ColumnKind::nominal);
    if (!declaration.kind) {
      refuse_decimal_commas(column, texts);
      kind = inferred_kind(texts, decision.why);
    }
    return built_text({&pass(), column, {kind, &declaration.levels}}, table, context_);
  }

  static ColumnKind inferred_kind(const ColumnTexts& texts, std::string& why) {
    constexpr TextRule kRule;
    const std::size_t distinct = texts.all.size();
    const bool is_long = texts.mean_bytes() >= static_cast<double>(kRule.long_text);
    const bool free_text = distinct * 2 > texts.present &&
                           (distinct > kRule.many || (distinct > kRule.some && is_long));
    why = fmt::format("{} distinct among {}{}", distinct, counted(texts.present, "value"),
                      free_text ? (is_long ? ", and long" : ", too many for categories") : "");
    return free_text ? ColumnKind::text : ColumnKind::nominal;
  }

  // `0,5` in every cell is a number of somebody who writes decimal commas, not a category.
  void refuse_decimal_commas(std::size_t column, const ColumnTexts& texts) const {
    if (pass().dialect.delimiter == ',' || pass().dialect.decimal == ',') return;
    const auto levels = texts.all.entries();
    const auto is_comma_number = [](const Dictionary::Entry& level) {
      return cell_number({level.text}, ',').has_value();
    };
    const bool some = std::any_of(levels.begin(), levels.end(), [](const auto& level) {
      return level.text.find(',') != std::string_view::npos;
    });
    if (!some || !std::all_of(levels.begin(), levels.end(), is_comma_number)) return;
    throw Error(ErrorKind::bad_data, place_text(pass().name, pass().text, levels.front().offset),
                fmt::format("column {} looks like numbers with a decimal comma, got {}",
                            in_quotes(pass().names[column]), in_quotes(levels.front().text)),
                fmt::format("read them with --decimal , or declare the column with --nominal {}",
                            in_quotes(pass().names[column])));
  }

  TypeTask task_;
  ReadReport& report_;
  const Context& context_;
  RawTable table_;
  RawTable table_again_;  // columns that were not numeric after all
  std::vector<Use> again_uses_;
};

}  // namespace

Dataset typed_table(TypeTask task, RawTable table, ReadReport& report, const Context& context) {
  return Typist(std::move(task), std::move(table), report, context).run();
}

}  // namespace gradus::io
