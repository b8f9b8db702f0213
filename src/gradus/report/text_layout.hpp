// Text in columns: how wide it stands on a terminal, padding and wrapping.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gradus::report {

// Terminal columns of UTF-8 text: combining marks take none, East Asian and emoji take two.
std::size_t display_width(std::string_view text);

std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

// Breaks at spaces into lines of at most `width` columns; a longer word stays whole. Line breaks in
// the text stay. Never empty: an empty text is one empty line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// The parts of a formula, which a learner separates by "; ", one per line.
std::vector<std::string> formula_lines(std::string_view formula);

// As escape_controls, line by line: nothing in it can steer a terminal, and lines stay lines.
std::string harmless(std::string_view text);

}  // namespace gradus::report
