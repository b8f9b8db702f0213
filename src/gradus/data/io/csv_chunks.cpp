#include "gradus/data/io/csv_chunks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/bytes.hpp"

namespace gradus::io {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Where a scan of a stretch of text stands.
struct QuoteState {
  bool inside = false;
  std::size_t opened = kNone;  // the last quote that opened a cell
  std::size_t closed = 0;      // just behind the last quote that closed one
};

class QuoteScan {
 public:
  QuoteScan(std::string_view text, const Dialect& dialect) : text_(text), dialect_(dialect) {}

  // Follows the quotes of [begin, end), calling `outside(from, to)` for stretches outside quotes.
  template <class Visit>
  QuoteState run(std::size_t begin, std::size_t end, QuoteState state, Visit&& outside) const {
    std::size_t at = begin;
    while (at < end) {
      const std::size_t quote = find_quote(at, end);
      if (state.inside) {
        if (quote == kNone) return state;
        if (quote + 1 < text_.size() && text_[quote + 1] == '"') {
          at = quote + 2;
          continue;
        }
        state.inside = false;
        at = state.closed = quote + 1;
        continue;
      }
      if (quote == kNone) {
        outside(at, end);
        return state;
      }
      outside(at, quote);
      at = quote + 1;
      if (opens(quote, state.closed)) {
        state.inside = true;
        state.opened = quote;
      }
    }
    return state;
  }

 private:
  std::size_t find_quote(std::size_t at, std::size_t end) const {
    const void* found = std::memchr(text_.data() + at, '"', end - at);
    return found == nullptr
               ? kNone
               : static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
  }

  // A quote opens a cell when it is the first byte of one, and its line is not a comment.
  bool opens(std::size_t quote, std::size_t closed) const {
    if (quote == 0) return true;
    const char before = text_[quote - 1];
    if (before != dialect_.delimiter && before != '\n') return false;
    if (!dialect_.comment) return true;
    const std::size_t newline = text_.substr(closed, quote - closed).rfind('\n');
    if (newline == kNone && closed > 0) return true;
    const std::size_t line = newline == kNone ? 0 : closed + newline + 1;
    return text_[line] != *dialect_.comment;
  }

  std::string_view text_;
  const Dialect& dialect_;
};

// The two ways through a chunk.
struct Ways {
  QuoteState from_outside;
  QuoteState from_inside;
};

std::vector<std::size_t> cuts_of(std::string_view text, std::size_t chunk_bytes) {
  std::vector<std::size_t> cuts = {0};
  while (cuts.back() < text.size()) {
    std::size_t cut = std::min(text.size(), cuts.back() + std::max<std::size_t>(1, chunk_bytes));
    while (cut < text.size() && text[cut - 1] == '"') ++cut;
    cuts.push_back(cut);
  }
  return cuts;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Moves a cut to the next character border, so that every character is checked by one chunk.
std::size_t character_border(std::string_view text, std::size_t at) {
  const std::size_t furthest = std::min(text.size(), at + 3);
  while (at < furthest && is_continuation(text[at])) ++at;
  return at;
}

// Refuses the first NUL or invalid byte.
void refuse_bad_bytes(const ChunkTask& task, std::size_t begin, std::size_t end,
                      const simd::ByteSurvey& found) {
  const std::size_t nul = found.nul ? task.text.find('\0', begin) : kNone;
  if (found.high) {
    const std::size_t from = begin == 0 ? 0 : character_border(task.text, begin);
    const std::size_t to = character_border(task.text, end);
    const std::size_t bad = find_invalid_utf8(task.text.substr(from, to - from));
    if (bad != kNone && from + bad < nul) {
      const auto byte = static_cast<unsigned char>(task.text[from + bad]);
      throw Error(ErrorKind::bad_data, place_text(task.name, task.text, from + bad),
                  fmt::format("the byte 0x{:02X} is not valid UTF-8", byte), kLatin1Hint);
    }
  }
  if (nul == kNone) return;
  throw Error(ErrorKind::bad_data, place_text(task.name, task.text, nul),
              "a NUL byte has no place in a text file", "is this a binary file?");
}

bool has_bare_cr(std::string_view text, std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end; ++at) {
    const void* found = std::memchr(text.data() + at, '\r', end - at);
    if (found == nullptr) return false;
    at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    if (at + 1 == text.size() || text[at + 1] != '\n') return true;
  }
  return false;
}

// Counts the records that begin in the chunk, and finds the first of them.
void count_records(const ChunkTask& task, const QuoteScan& scan, const QuoteState& start,
                   Chunk& chunk) {
  const char* text = task.text.data();
  const std::size_t begin = chunk.begin;
  std::size_t first = kNone;
  if (!start.inside && (begin == 0 || text[begin - 1] == '\n')) {
    first = begin;
    chunk.records = 1;
  }
  scan.run(begin, chunk.end, start, [&](std::size_t from, std::size_t to) {
    while (from < to) {
      const void* found = std::memchr(text + from, '\n', to - from);
      if (found == nullptr) return;
      from = static_cast<std::size_t>(static_cast<const char*>(found) - text) + 1;
      if (from == chunk.end) return;  // belongs to the next chunk
      ++chunk.records;
      if (first == kNone) first = from;
    }
  });
  chunk.begin = std::min(first, chunk.end);
}

// As count_records, where no quote occurs: every line is a record.
void count_lines(std::string_view text, const simd::ByteSurvey& found, Chunk& chunk) {
  const bool at_start = chunk.begin == 0 || text[chunk.begin - 1] == '\n';
  const std::size_t last = text[chunk.end - 1] == '\n' ? 1 : 0;  // begins the next chunk
  chunk.records = found.newlines + (at_start ? 1 : 0) - last;
  if (at_start) return;
  const std::size_t newline = text.substr(chunk.begin, chunk.end - chunk.begin).find('\n');
  chunk.begin = newline == kNone ? chunk.end : chunk.begin + newline + 1;
}

}  // namespace

std::vector<Chunk> cut_into_chunks(const ChunkTask& task, const Context& context) {
  const std::string_view text = task.text;
  const QuoteScan scan(text, task.dialect);
  const std::vector<std::size_t> cuts = cuts_of(text, task.chunk_bytes);
  const std::size_t count = cuts.size() - 1;
  const auto ignore = [](std::size_t, std::size_t) {};

  std::vector<Ways> ways(count);
  std::vector<simd::ByteSurvey> found(count);
  parallel::for_each_index(context, count, [&](std::size_t k) {
    found[k] = simd::survey_bytes(text.substr(cuts[k], cuts[k + 1] - cuts[k]));
    refuse_bad_bytes(task, cuts[k], cuts[k + 1], found[k]);
    ways[k].from_inside.inside = true;
    // A comment's extent depends on the lines before the chunk.
    if (task.dialect.comment || !found[k].quote) return;
    ways[k].from_outside = scan.run(cuts[k], cuts[k + 1], {}, ignore);
    ways[k].from_inside = scan.run(cuts[k], cuts[k + 1], {.inside = true}, ignore);
  });

  std::vector<QuoteState> starts(count);
  QuoteState state;
  for (std::size_t k = 0; k < count; ++k) {
    starts[k] = state;
    const std::size_t opened = state.opened;
    state = task.dialect.comment ? scan.run(cuts[k], cuts[k + 1], state, ignore)
            : state.inside       ? ways[k].from_inside
                                 : ways[k].from_outside;
    if (state.opened == kNone) state.opened = opened;
  }
  if (state.inside) {
    throw Error(ErrorKind::bad_data, place_text(task.name, text, state.opened),
                "the quote opened here is never closed",
                "close it, or write a quote inside a quoted cell twice (\"\")");
  }

  std::vector<Chunk> chunks(count);
  parallel::for_each_index(context, count, [&](std::size_t k) {
    Chunk& chunk = chunks[k];
    chunk = {cuts[k], cuts[k + 1], 0, false, found[k].quote};
    chunk.bare_cr = found[k].cr && has_bare_cr(text, cuts[k], cuts[k + 1]);
    if (!found[k].quote && !starts[k].inside) {
      count_lines(text, found[k], chunk);
    } else {
      count_records(task, scan, starts[k], chunk);
    }
  });
  // The last record of a chunk may reach into those after it, up to the next begin of a record.
  bool reaches_cr = false;
  for (std::size_t k = count; k-- > 0;) {
    const bool own = chunks[k].bare_cr;
    chunks[k].bare_cr = own || reaches_cr;
    reaches_cr = own || (reaches_cr && chunks[k].records == 0);
  }
  return chunks;
}

}  // namespace gradus::io
