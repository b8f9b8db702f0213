#include "gradus/data/io/large_integers.hpp"

#include <fmt/format.h>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/csv_cells.hpp"

namespace gradus::io {

bool is_large_integer(double number, std::string_view text) {
  return std::abs(number) >= kLargestExact && is_integer_text(MissingTokens::without_blanks(text));
}

std::string keep_digits_hint(std::string_view column) {
  return fmt::format("if it is an identifier, read it with --text {}", in_quotes(column));
}

void tell_large_integers(const LargeIntegerStory& story, const ReadOptions& options,
                         ReadReport& report) {
  if (story.count == 0) return;
  const std::string message =
      fmt::format("{}: {} of 2^53 or more, where numbers lose digits, first {}", story.subject,
                  counted(story.count, "integer"), story.first);
  if (options.strict) throw Error(ErrorKind::bad_data, story.place, message, story.hint);
  report.warnings.push_back(
      fmt::format("{}: {}{}{}", story.place, message, story.hint.empty() ? "" : "; ", story.hint));
}

}  // namespace gradus::io
