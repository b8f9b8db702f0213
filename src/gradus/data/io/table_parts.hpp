// A table too large for memory, as parts that are not: tables of a bounded number of rows, one
// after the other, with the same columns of the same kinds.
//
// What the columns hold is decided once, by the first 10 000 rows (or the first part, if it is
// longer) and the declarations of the user; a later cell that does not fit is an error at its line.
// A column of categories has in every part those that occur there, until `settle_levels` has looked
// at the whole file. Packed files are unpacked on the way. CSV and TSV only.
//
//   TableParts parts("big.csv.gz", {}, 100000, context);
//   while (std::optional<Dataset> part = parts.next()) learn(*part);
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "gradus/core/context.hpp"
#include "gradus/data/dataset.hpp"
#include "gradus/data/io/read.hpp"

namespace gradus {

class TableParts {
 public:
  // `rows` lines in each part, at least 1: blank lines and comments count too. `context` must
  // outlive the parts.
  TableParts(const std::string& source, const ReadOptions& options, std::size_t rows,
             const Context& context);
  ~TableParts();
  TableParts(TableParts&&) noexcept;
  TableParts& operator=(TableParts&&) noexcept;

  // The next part that has rows; nothing at the end.
  std::optional<Dataset> next();
  // Rows of all parts before the one that came last.
  std::size_t rows_before() const;

  // Whether the source can be read more than once: a file, but no pipe and not standard input.
  bool can_rewind() const;
  void rewind();

  // Reads the whole source once, categories alone, and begins anew: from now on every part has all
  // categories of the file, in one order. Gives those of column `target`, also of a column of
  // numbers, where each number is a category; an empty name gives none.
  Levels settle_levels(const std::string& target);
  // Whether a column of categories has others in every part.
  bool has_open_levels() const;

  // What was decided about the columns, and what the parts so far warned of.
  const ReadReport& report() const;
  // The most memory that was taken for the text of the file.
  std::size_t most_text_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gradus
