// A tree of values laid out for reading: single values as a list of names and values, what is
// nested as tables, numbers that add up to a comparison with bars.
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/report/document.hpp"

namespace gradus::report {

// A value in a few words: numbers with six digits, short lists in one line.
std::string value_text(const Value& value);

// `most` rows per table; the table says how many it left out.
std::vector<Block> value_blocks(const Value& value, std::size_t most = 200);

}  // namespace gradus::report
