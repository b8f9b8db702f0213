// What would disturb learning from a table, found before anything is learned.
//
// The doctor looks at each column by itself (missing cells, constants, outliers, identifiers), at
// columns and rows that repeat, at the target (class balance), at columns that give the target away
// (leaks), and at the differences between two tables (train and test); of sparse features, at
// constants and copies. Everything is hash-based or
// a selection, so it takes about as long as reading the table. A sound table gives no finding of
// `warning` or `problem`.
//
//   for (const Finding& finding : examine(train, {.target = "price", .other = &test})) ...
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/data/dataset.hpp"
#include "gradus/data/io/read.hpp"

namespace gradus {

enum class Severity {
  note,     // good to know
  warning,  // probably not what you want
  problem   // learning will fail or its result will mean nothing
};
std::string_view severity_word(Severity severity);

struct Finding {
  Severity severity = Severity::note;
  std::string topic;   // a stable word: "constant", "leak", "unseen_categories" ...
  std::string column;  // empty: about the table
  std::string text;    // one sentence
  Value numbers;       // the numbers in the sentence, by name
};
using Findings = std::vector<Finding>;

// Nearly every row of a column of some length has another text. Nothing can be learned from that,
// though it tells the training rows apart perfectly.
bool looks_like_identifier(const Column& column);

// How many different values a column of any kind has, missing cells not counted.
std::size_t distinct_values(const Column& column);

struct DoctorOptions {
  std::string target = {};             // empty: no target
  const Dataset* other = nullptr;      // a second table, usually the test data
  const ReadReport* report = nullptr;  // how the table was read: types and why
};

// Findings by topic, within a topic in the order of the columns. An unknown target is an
// Error{usage}.
Findings examine(const Dataset& data, const DoctorOptions& options = {},
                 const Context& context = {});

Value to_value(const Finding& finding);
Value to_value(const Findings& findings);

}  // namespace gradus
