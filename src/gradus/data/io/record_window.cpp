#include "gradus/data/io/record_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gradus/core/error.hpp"

namespace gradus::io {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

std::size_t lines_of(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

std::string_view RecordWindow::peek(std::size_t bytes, const Context& context) {
  drop_text();
  while (bytes_.size() < bytes && fetch(context)) {
  }
  return bytes_.view();
}

std::string_view RecordWindow::next(std::size_t count, const Context& context) {
  drop_text();
  scanned_ = record_ = records_ = searched_ = 0;
  quote_ = kNone;
  inside_ = false;
  while (!scan(count)) {
    require_record_fits();
    if (fetch(context)) continue;
    record_ = bytes_.size();  // the last record may have no line end
    break;
  }
  used_ = record_;
  return text();
}

void RecordWindow::keep_from(std::size_t bytes) {
  used_ = bytes;
  lines_ = lines_of(text());
}

void RecordWindow::drop_text() {
  lines_before_ += lines_;
  lines_ = 0;
  bytes_.drop(used_);
  used_ = 0;
}

bool RecordWindow::fetch(const Context& context) {
  if (at_end_) return false;
  char* to = bytes_.room(limits_.piece);
  const std::size_t got = stream_.read(to, limits_.piece, context);
  at_end_ = got < limits_.piece;
  bytes_.grew(got);
  most_bytes_ = std::max(most_bytes_, bytes_.size() + bytes_.spare());
  return got > 0;
}

// Goes on to the end of record `count`; false when the bytes do not suffice.
bool RecordWindow::scan(std::size_t count) {
  while (records_ < count) {
    if (inside_ && !pass_quoted()) return false;
    if (scanned_ == bytes_.size()) return false;
    const std::size_t newline = find('\n', scanned_, bytes_.size());
    const std::size_t end = std::min(newline, bytes_.size());
    if (searched_ < end && quote_ == kNone) {
      quote_ = find('"', std::max(scanned_, searched_), bytes_.size());
      searched_ = bytes_.size();
    }
    if (quote_ < end) {
      inside_ = opens(quote_);
      scanned_ = quote_ + 1;
      quote_ = find('"', scanned_, bytes_.size());
      searched_ = bytes_.size();
      continue;
    }
    scanned_ = end;
    if (newline == kNone) return false;
    ++lines_;
    ++records_;
    record_ = ++scanned_;
  }
  return true;
}

// From inside quotes to behind the one that closes them.
bool RecordWindow::pass_quoted() {
  const std::string_view all = bytes_.view();
  while (true) {
    const std::size_t quote = find('"', scanned_, all.size());
    const std::size_t known = std::min(quote, all.size());
    lines_ += lines_of(all.substr(scanned_, known - scanned_));
    scanned_ = known;
    // Whether a quote is doubled is told by the byte behind it.
    if (quote == kNone || (quote + 1 == all.size() && !at_end_)) return false;
    const bool doubled = quote + 1 < all.size() && all[quote + 1] == '"';
    scanned_ += doubled ? 2 : 1;
    if (doubled) continue;
    inside_ = false;
    quote_ = kNone;
    searched_ = scanned_;
    return true;
  }
}

bool RecordWindow::opens(std::size_t quote) const {
  const std::string_view all = bytes_.view();
  if (dialect_.comment && all[record_] == *dialect_.comment) return false;
  return quote == record_ || all[quote - 1] == dialect_.delimiter;
}

std::size_t RecordWindow::find(char wanted, std::size_t from, std::size_t to) const {
  const char* begin = bytes_.view().data();
  const void* found = from < to ? std::memchr(begin + from, wanted, to - from) : nullptr;
  return found == nullptr ? kNone
                          : static_cast<std::size_t>(static_cast<const char*>(found) - begin);
}

// A quote that never closes must not pull the whole file into memory.
void RecordWindow::require_record_fits() const {
  if (bytes_.size() - record_ <= limits_.max_line_bytes) return;
  const std::size_t line = lines_before_ + lines_of(bytes_.view().substr(0, record_)) + 1;
  throw Error(ErrorKind::limit, fmt::format("{}:{}", name(), line),
              fmt::format("the row is longer than the limit of {} bytes", limits_.max_line_bytes),
              "is a quote never closed? raise --max-line-bytes if the row is really that long");
}

}  // namespace gradus::io
