// The table that a query of a database builds, cell by cell; shared by all databases.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/data/io/large_integers.hpp"
#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {

class QueryTable {
 public:
  // `where` names the database in errors. Names must be distinct.
  QueryTable(std::string where, const std::vector<std::string>& names, const ReadOptions& options);

  void add_missing(std::size_t column);
  void add_integer(std::size_t column, std::int64_t value);
  void add_number(std::size_t column, double value);
  void add_truth(std::size_t column, bool value);
  void add_text(std::size_t column, std::string_view text);
  // Counts the row; looks now and then whether the user asked to stop.
  void end_row(const Context& context);
  Dataset finish(ReadReport& report);

  // `where: row 3, column "x"`.
  [[noreturn]] void refuse_cell(std::size_t column, std::string message,
                                std::string hint = {}) const;

 private:
  std::string place(std::size_t column) const;

  std::string where_;
  const ReadOptions& options_;
  std::vector<ColumnBuilder> builders_;
  std::size_t rows_ = 0;
  LargeIntegerNotes large_integers_;
};

}  // namespace gradus::io
