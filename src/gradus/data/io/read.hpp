// Tables from files, standard input and databases.
//
// The format follows the ending (`.csv .tsv .arff .libsvm .svm .jsonl .ndjson .npy .idx …-ubyte`,
// each also with `.gz` or `.zst`) or `ReadOptions::format`; `-` is standard input;
// `sqlite:file.db?SELECT …` and `postgresql://…?SELECT …` run a query.
//
//   ReadReport report;
//   Dataset iris = read_table("iris.csv", {}, &report);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus {

enum class TableFormat { automatic, csv, tsv, arff, libsvm, jsonl, npy, idx, sqlite, postgresql };
std::optional<TableFormat> format_from_word(std::string_view word);
std::vector<std::string> format_words();

enum class Header { automatic, yes, no };

// Of text files. Every byte is a character of Latin-1; it is turned into UTF-8 before reading.
enum class TextEncoding { utf8, latin1 };

// What to do with a row that cannot be read. Formats without such rows (.npy, IDX, databases)
// refuse `reject`.
enum class BadRow { error, reject };

// A column of categories with an order, from the lowest to the highest.
struct OrdinalLevels {
  std::string column;
  std::vector<std::string> levels;
};

struct ReadOptions {
  TableFormat format = TableFormat::automatic;
  std::optional<char> delimiter = {};  // CSV; nothing: decided by content
  TextEncoding encoding = TextEncoding::utf8;
  Header header = Header::automatic;
  char decimal = '.';
  std::optional<char> comment = {};  // CSV lines that start with it are skipped
  std::vector<std::string> missing_tokens = {"", "NA", "NaN", "?", "null", "None"};
  bool infinite_is_missing = false;
  bool allow_trailing_delimiter = false;
  bool strict = false;                    // warnings about lost precision become errors
  std::vector<std::string> nominal = {};  // columns to read as categories
  std::vector<std::string> numeric = {};  // columns that must be numbers
  std::vector<std::string> text = {};     // columns to keep as text
  std::vector<OrdinalLevels> ordinal = {};
  std::string schema_file = {};  // JSON with the same declarations
  std::string beside = {};       // a file of as many rows whose columns are added: labels of images
  BadRow bad_rows = BadRow::error;
  std::string reject_file = {};  // where rejected rows go, with line, column and reason
  bool zero_based = false;       // LIBSVM
  bool sort_indices = false;     // LIBSVM
  std::uint64_t max_line_bytes = 64ULL << 20;
  std::uint64_t max_cell_bytes = 1ULL << 20;
  std::uint64_t max_columns = 1000000;
  std::uint64_t max_categories = 1000000;
  std::uint64_t max_index = 100000000;    // LIBSVM
  std::uint64_t max_bytes = 64ULL << 30;  // after decompression
};

// What was decided about a file, and why: printed by `check` and `train -v`.
struct ReadReport {
  struct ColumnDecision {
    std::string name;
    ColumnKind kind = ColumnKind::numeric;
    std::string why;  // "all 150 values are numbers", "declared --nominal"
    std::size_t missing = 0;
    std::size_t distinct = 0;  // categories
  };
  std::string format;  // "csv, delimiter ',', header yes"
  std::vector<ColumnDecision> columns;
  std::vector<std::string> warnings;
  std::size_t rejected_rows = 0;
};

Dataset read_table(const std::string& source, const ReadOptions& options = {},
                   ReadReport* report = nullptr, const Context& context = {});

// A table from text in memory; `name` stands for the file in errors.
Dataset parse_table(std::string_view text, TableFormat format, const ReadOptions& options = {},
                    ReadReport* report = nullptr, const Context& context = {},
                    const std::string& name = "text");

Dataset read_csv(const std::string& path);

}  // namespace gradus
