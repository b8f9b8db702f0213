#include "gradus/data/io/query_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"

namespace gradus::io {
namespace {

// Texts that are all numbers may have been meant as numbers.
bool all_numbers(const Column& column) {
  if (column.kind() != ColumnKind::nominal || column.levels().empty()) return false;
  for (const std::string& level : column.levels()) {
    if (!parse_number(level)) return false;
  }
  return true;
}

}  // namespace

QueryTable::QueryTable(std::string where, const std::vector<std::string>& names,
                       const ReadOptions& options)
    : where_(std::move(where)), options_(options) {
  if (names.size() > options.max_columns) {
    throw Error(
        ErrorKind::limit, where_,
        fmt::format("the query gives {} columns, more than {}", names.size(), options.max_columns));
  }
  if (names.empty()) throw Error(ErrorKind::usage, where_, "the query gives no columns");
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) {
    if (name.empty())
      throw Error(ErrorKind::usage, where_, "a column of the query has no name", "name it with AS");
    if (!seen.insert(name).second) {
      throw Error(ErrorKind::usage, where_, "two columns of the query are named " + in_quotes(name),
                  "rename one with AS");
    }
  }
  const std::vector<Declaration> declared = declared_columns(names, options);
  for (std::size_t j = 0; j < names.size(); ++j) {
    builders_.emplace_back(names[j], declared[j], options.max_categories);
  }
}

std::string QueryTable::place(std::size_t column) const {
  return fmt::format("{}: row {}, column {}", where_, rows_ + 1,
                     in_quotes(builders_[column].name()));
}

void QueryTable::refuse_cell(std::size_t column, std::string message, std::string hint) const {
  throw Error(ErrorKind::bad_data, place(column), std::move(message), std::move(hint));
}

void QueryTable::add_missing(std::size_t column) { builders_[column].add_missing(); }

void QueryTable::add_integer(std::size_t column, std::int64_t value) {
  const auto number = static_cast<double>(value);
  if (std::abs(number) < kLargestExact) return add_number(column, number);
  const std::string digits = std::to_string(value);
  large_integers_.note(column, rows_ + 1, digits);
  with_place([&] { return place(column); }, [&] { builders_[column].add_number(number, digits); });
}

void QueryTable::add_number(std::size_t column, double value) {
  if (std::isnan(value)) return add_missing(column);
  if (std::isinf(value)) {
    if (options_.infinite_is_missing) return add_missing(column);
    refuse_cell(column, "the number is infinite");
  }
  with_place([&] { return place(column); }, [&] { builders_[column].add_number(value); });
}

void QueryTable::add_truth(std::size_t column, bool value) {
  with_place([&] { return place(column); }, [&] { builders_[column].add_truth(value); });
}

void QueryTable::add_text(std::size_t column, std::string_view text) {
  if (text.size() > options_.max_cell_bytes) {
    throw Error(ErrorKind::limit, place(column),
                fmt::format("the text is longer than {} bytes", options_.max_cell_bytes),
                "raise the limit with --max-cell-bytes");
  }
  if (text.find('\0') != std::string_view::npos) refuse_cell(column, "the text has a NUL byte");
  if (find_invalid_utf8(text) != std::string_view::npos) {
    refuse_cell(column, "the text is not valid UTF-8");
  }
  with_place([&] { return place(column); }, [&] { builders_[column].add_text(text); });
}

void QueryTable::end_row(const Context& context) {
  large_integers_.keep_row();
  constexpr std::size_t kRowsBetweenChecks = 1024;
  if (++rows_ % kRowsBetweenChecks == 0) {
    context.stop_if_cancelled();
    context.report("rows read", rows_, 0);
  }
}

Dataset QueryTable::finish(ReadReport& report) {
  std::vector<Column> columns;
  for (ColumnBuilder& builder : builders_) {
    columns.push_back(builder.finish(report));
    if (!all_numbers(columns.back()) || report.columns.back().why.starts_with("declared")) continue;
    report.warnings.push_back(
        fmt::format("column {} holds texts that are all numbers; read them as numbers with "
                    "--numeric {}",
                    in_quotes(builder.name()), builder.name()));
  }
  for (const auto& [column, found] : large_integers_.columns()) {
    if (!columns[column].is_numeric()) continue;  // texts keep their digits
    const std::string& name = columns[column].name();
    tell_large_integers(
        {fmt::format("{}: row {}", where_, found.first), "column " + in_quotes(name), found.count,
         in_quotes(found.digits), keep_digits_hint(name)},
        options_, report);
  }
  return Dataset(std::move(columns));
}

}  // namespace gradus::io
