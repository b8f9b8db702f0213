// Small tables for tests: rows as texts, the way textbooks print them.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "gradus/core/number.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus::testing_tables {

using TextRows = std::vector<std::vector<std::string>>;

inline std::vector<std::optional<std::string>> column_texts(const TextRows& rows, std::size_t j) {
  std::vector<std::optional<std::string>> texts;
  for (const auto& row : rows) {
    texts.push_back(row[j] == "?" ? std::nullopt : std::optional(row[j]));
  }
  return texts;
}

// A table of nominal columns; "?" is missing.
inline Dataset nominal_table(const std::vector<std::string>& names, const TextRows& rows) {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < names.size(); ++j) {
    columns.push_back(categorical_from_texts(names[j], column_texts(rows, j)));
  }
  return Dataset(std::move(columns));
}

// As nominal_table, but a column whose every text is a number is numeric.
inline Dataset mixed_table(const std::vector<std::string>& names, const TextRows& rows) {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < names.size(); ++j) {
    std::vector<double> numbers;
    for (const auto& text : column_texts(rows, j)) {
      const auto number = text ? parse_number(*text) : std::optional(std::nan(""));
      if (number) numbers.push_back(*number);
    }
    columns.push_back(numbers.size() == rows.size()
                          ? Column::numeric(names[j], std::move(numbers))
                          : categorical_from_texts(names[j], column_texts(rows, j)));
  }
  return Dataset(std::move(columns));
}

// The fourteen days of Quinlan's weather data.
inline Dataset play_tennis() {
  return nominal_table({"outlook", "temperature", "humidity", "wind", "play"},
                       {{"sunny", "hot", "high", "weak", "no"},
                        {"sunny", "hot", "high", "strong", "no"},
                        {"overcast", "hot", "high", "weak", "yes"},
                        {"rain", "mild", "high", "weak", "yes"},
                        {"rain", "cool", "normal", "weak", "yes"},
                        {"rain", "cool", "normal", "strong", "no"},
                        {"overcast", "cool", "normal", "strong", "yes"},
                        {"sunny", "mild", "high", "weak", "no"},
                        {"sunny", "cool", "normal", "weak", "yes"},
                        {"rain", "mild", "normal", "weak", "yes"},
                        {"sunny", "mild", "normal", "strong", "yes"},
                        {"overcast", "mild", "high", "strong", "yes"},
                        {"overcast", "hot", "normal", "weak", "yes"},
                        {"rain", "mild", "high", "strong", "no"}});
}

}  // namespace gradus::testing_tables
