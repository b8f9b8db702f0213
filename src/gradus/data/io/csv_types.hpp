// From raw columns to typed ones, with a reason for each.
#pragma once

#include <string>
#include <vector>

#include "gradus/data/io/csv_columns.hpp"
#include "gradus/data/io/schema.hpp"

namespace gradus::io {

// What a text column that nobody declared becomes. Free text has mostly distinct values, and either
// very many or long ones; everything else is categories, so small tables stay nominal.
struct TextRule {
  std::size_t many = 1000;     // distinct values
  std::size_t some = 50;       // distinct values that are enough when they are long
  std::size_t long_text = 20;  // mean bytes
};

// A column that is numeric for this many cells and then holds a few others (under 1 %) has errors
// in it; with more of them, or earlier, it holds categories.
inline constexpr std::size_t kTrustedNumbers = 1000;

struct TypeTask {
  Pass pass;
  const std::vector<Chunk>* chunks = nullptr;  // null when the text cannot be read again
  std::vector<Declaration> declarations;
};

// Corrects wrong first guesses, reading those columns again, builds the table and fills `report`.
Dataset typed_table(TypeTask task, RawTable table, ReadReport& report, const Context& context);

}  // namespace gradus::io
