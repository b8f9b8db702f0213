// Small text services that every layer needs: harmless printing, numbers that survive a round trip,
// and "did you mean".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

// Replaces control characters, escape sequences, bidirectional marks and invalid UTF-8 by visible
// escapes, so that names from files cannot steer a terminal.
std::string escape_controls(std::string_view text);

// The text in double quotes, made harmless and cut at about `limit` bytes: for error messages.
std::string in_quotes(std::string_view text, std::size_t limit = 80);

// The shortest decimal form that reads back to the same bits; locale-independent.
std::string shortest(double value);
std::string shortest(float value);

// A number for people: `digits` significant digits, no trailing zeros.
std::string readable(double value, int digits = 6);

// Position of the first byte that is not valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

// The names nearest to `word` by edit distance (case-insensitive), best first; empty if none is
// near.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> names,
                                 std::size_t most = 3);

// `did you mean "a" or "b"?`, or an empty string.
std::string did_you_mean(std::string_view word, std::span<const std::string> names);

std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::string lowercase(std::string_view text);
std::vector<std::string> split_text(std::string_view text, char separator);

// `1 row`, `2 rows`.
std::string counted(std::size_t count, std::string_view singular, std::string_view plural = {});

}  // namespace gradus
