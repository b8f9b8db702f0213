#include "gradus/data/io/arff_tokens.hpp"

namespace gradus::io {
namespace {

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }
bool ends_word(char c) {
  return is_blank(c) || c == ',' || c == '{' || c == '}' || c == '\'' || c == '"' || c == '%';
}
bool is_octal(char c) { return c >= '0' && c <= '7'; }

}  // namespace

ArffToken ArffTokens::next() {
  if (peeked_) {
    peeked_ = false;
    return ahead_;
  }
  return scan();
}

ArffToken ArffTokens::peek() {
  if (!peeked_) {
    ahead_ = scan();
    peeked_ = true;
  }
  return ahead_;
}

ArffToken ArffTokens::scan() {
  const std::string_view text = line_.text;
  while (at_ < text.size() && is_blank(text[at_])) ++at_;
  const std::size_t offset = line_.offset + at_;
  if (at_ >= text.size() || text[at_] == '%') return {ArffMark::end, {}, offset};
  switch (text[at_]) {
    case ',': ++at_; return {ArffMark::comma, ",", offset};
    case '{': ++at_; return {ArffMark::open, "{", offset};
    case '}': ++at_; return {ArffMark::close, "}", offset};
    case '\'':
    case '"': return quoted(text[at_]);
    default: break;
  }
  const std::size_t begin = at_;
  while (at_ < text.size() && !ends_word(text[at_])) ++at_;
  return {ArffMark::word, text.substr(begin, at_ - begin), offset};
}

// The character after a backslash; `at` moves past it.
char ArffTokens::escaped(std::size_t& at) const {
  const std::string_view text = line_.text;
  const char c = text[at++];
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    default: break;
  }
  if (!is_octal(c)) return c;
  int value = c - '0';
  const std::size_t most = at + (c <= '3' ? 2 : 1);
  while (at < text.size() && at < most && is_octal(text[at]))
    value = value * 8 + (text[at++] - '0');
  return static_cast<char>(value);
}

ArffToken ArffTokens::quoted(char quote) {
  const std::string_view text = line_.text;
  const std::size_t offset = line_.offset + at_;
  std::size_t at = at_ + 1;
  buffer_.clear();
  while (at < text.size() && text[at] != quote) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      ++at;
      buffer_ += escaped(at);
    } else {
      buffer_ += text[at++];
    }
  }
  if (at >= text.size()) refuse(offset, "a quote opens here and never closes");
  at_ = at + 1;
  if (at_ < text.size() && !is_blank(text[at_]) && text[at_] != ',' && text[at_] != '}' &&
      text[at_] != '{' && text[at_] != '%') {
    refuse(line_.offset + at_, "text stands directly after a closing quote",
           "put a backslash before a quote that belongs to the text");
  }
  return {ArffMark::quoted, buffer_, offset};
}

}  // namespace gradus::io
