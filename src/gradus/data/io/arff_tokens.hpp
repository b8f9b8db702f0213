// The words of one line of an ARFF file: quotes, escapes, braces, commas and comments.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {

enum class ArffMark { word, quoted, comma, open, close, end };

struct ArffToken {
  ArffMark mark = ArffMark::end;
  std::string_view text;   // of a word; of a quoted text after its escapes
  std::size_t offset = 0;  // in the file

  bool is_value() const { return mark == ArffMark::word || mark == ArffMark::quoted; }
  bool is_missing() const { return mark == ArffMark::word && text == "?"; }
};

// Reads tokens from a line. The text of a token lives until the next call.
class ArffTokens {
 public:
  explicit ArffTokens(const Line& line) : line_(line) {}

  ArffToken next();
  ArffToken peek();

 private:
  ArffToken scan();
  ArffToken quoted(char quote);
  char escaped(std::size_t& at) const;

  Line line_;
  std::size_t at_ = 0;
  bool peeked_ = false;
  ArffToken ahead_;
  std::string buffer_;
};

}  // namespace gradus::io
