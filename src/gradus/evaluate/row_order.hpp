// Inside evaluate/: rows gathered by a column's value, put in order of time, or shuffled within
// classes.
#pragma once

#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus {

// The rows 0 .. rows-1 that are not among `some`.
std::vector<std::size_t> other_rows(const std::vector<std::size_t>& some, std::size_t rows);

// The rows of each value of a column, by the order of the values. A missing value is an error that
// names `option`.
std::vector<std::vector<std::size_t>> rows_by_value(const Dataset& data, const std::string& column,
                                                    const std::string& option);

// The same in order of time: a numeric or ordinal column by value, texts (dates written year first)
// by bytes.
std::vector<std::vector<std::size_t>> rows_by_time(const Dataset& data, const std::string& column);

// Class after class, each shuffled: dealt to parts in turn, every part gets its share of each.
std::vector<std::size_t> shuffled_by_class(const Dataset& data, const std::string& column,
                                           Stream& stream);

}  // namespace gradus
