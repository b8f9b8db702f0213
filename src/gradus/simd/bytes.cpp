#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/bytes.cpp"
#include "gradus/simd/bytes.hpp"

#include <bit>
#include <cstring>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<std::uint8_t>;
using V = hn::Vec<D>;
constexpr std::size_t kStep = hn::MaxLanes(D());
constexpr std::size_t kWord = 64;
static_assert(kWord % kStep == 0);

// 64 bytes in registers.
struct Bytes {
  V part[kWord / kStep];
};

HWY_INLINE Bytes load(const char* at) {
  Bytes bytes;
  for (std::size_t i = 0; i < kWord / kStep; ++i) {
    bytes.part[i] = hn::LoadU(D(), reinterpret_cast<const std::uint8_t*>(at) + i * kStep);
  }
  return bytes;
}

// Bit i is set where byte i passes `test`.
template <class Test>
HWY_INLINE std::uint64_t bits(const Bytes& bytes, const Test& test) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < kWord / kStep; ++i) {
    std::uint64_t part = 0;
    hn::StoreMaskBits(D(), test(bytes.part[i]), reinterpret_cast<std::uint8_t*>(&part));
    word |= part << (i * kStep % kWord);
  }
  return word;
}

HWY_INLINE std::uint64_t bits_equal(const Bytes& bytes, V value) {
  return bits(bytes, [&](V part) { return hn::Eq(part, value); });
}

// The last, incomplete 64 bytes, followed by blanks, which nothing looks for.
struct Tail {
  explicit Tail(std::string_view rest) {
    std::memset(bytes, ' ', sizeof bytes);
    if (!rest.empty()) std::memcpy(bytes, rest.data(), rest.size());
  }
  char bytes[kWord];
};

ByteSurvey survey(std::string_view text) {
  constexpr D d;
  const V newline = hn::Set(d, '\n');
  const V cr = hn::Set(d, '\r');
  const V quote = hn::Set(d, '"');
  const V zero = hn::Zero(d);
  ByteSurvey found;
  V any = zero;      // the high bit of any byte
  V special = zero;  // not 0 where a byte is NUL
  V crs = zero;
  V quotes = zero;
  const auto look = [&](const Bytes& bytes) HWY_ATTR {
    for (const V part : bytes.part) {
      any = hn::Or(any, part);
      special = hn::Or(special, hn::VecFromMask(d, hn::Eq(part, zero)));
      crs = hn::Or(crs, hn::VecFromMask(d, hn::Eq(part, cr)));
      quotes = hn::Or(quotes, hn::VecFromMask(d, hn::Eq(part, quote)));
    }
    found.newlines += static_cast<std::size_t>(std::popcount(bits_equal(bytes, newline)));
  };
  const std::size_t whole = text.size() / kWord * kWord;
  const Tail tail(text.substr(whole));
  // One call, so that it becomes a part of the loop.
  for (std::size_t at = 0; at < text.size(); at += kWord) {
    look(load(at < whole ? text.data() + at : tail.bytes));
  }
  const auto occurs = [&](V mask) HWY_ATTR { return !hn::AllTrue(d, hn::Eq(mask, zero)); };
  found.nul = occurs(special);
  found.high = occurs(hn::And(any, hn::Set(d, 0x80)));
  found.cr = occurs(crs);
  found.quote = occurs(quotes);
  return found;
}

// Bit i is the parity of the bits 0 … i.
HWY_INLINE std::uint64_t prefix_parity(std::uint64_t word) {
  for (std::size_t shift = 1; shift < 64; shift *= 2) word ^= word << shift;
  return word;
}

// Follows quotes from word to word.
struct QuoteBits {
  std::uint64_t inside = 0;    // all bits set while inside quotes
  std::uint64_t may_open = 1;  // lowest bit: a quote may stand first in the next word
  bool odd = false;

  // The separators that stand outside quotes.
  HWY_INLINE std::uint64_t outside(std::uint64_t separators, std::uint64_t quotes) {
    if ((quotes | inside) == 0) {
      may_open = separators >> 63;
      return separators;
    }
    const std::uint64_t covered = prefix_parity(quotes) ^ inside;  // opening quotes included
    separators &= ~covered;
    // A quote opens at the begin of a cell, or behind a quote that seemed to close (a doubled one).
    const std::uint64_t openers = (separators | quotes) << 1 | may_open;
    odd = odd || (quotes & covered & ~openers) != 0;
    may_open = (separators | quotes) >> 63;
    inside = 0 - (covered >> 63);
    return separators;
  }
};

// Writes the offsets of all bits: eight at a time, because most words have few of them.
HWY_INLINE std::uint32_t* write_offsets(std::uint64_t word, std::uint32_t base,
                                        std::uint32_t* out) {
  const auto count = static_cast<std::size_t>(std::popcount(word));
  for (std::size_t done = 0; done < count; done += 8) {
    for (std::size_t i = 0; i < 8; ++i) {
      out[done + i] = base + static_cast<std::uint32_t>(std::countr_zero(word));
      word &= word - 1;
    }
  }
  return out + count;
}

void mark(std::string_view text, char delimiter, CellMarks& marks) {
  constexpr D d;
  const V delimiters = hn::Set(d, static_cast<std::uint8_t>(delimiter));
  const V newline = hn::Set(d, '\n');
  const V quote = hn::Set(d, '"');
  QuoteBits quotes;
  std::uint32_t* cell = marks.cell_ends;
  std::uint32_t* row = marks.row_ends;
  const auto look = [&](const Bytes& bytes, std::size_t base, std::uint64_t valid) HWY_ATTR {
    const std::uint64_t separators =
        valid & bits(bytes, [&](V part) HWY_ATTR {
          return hn::Or(hn::Eq(part, delimiters), hn::Eq(part, newline));
        });
    const std::uint64_t ends = quotes.outside(separators, bits_equal(bytes, quote));
    std::uint64_t rows = ends & bits_equal(bytes, newline);
    const auto first = static_cast<std::uint32_t>(cell - marks.cell_ends);
    cell = write_offsets(ends, static_cast<std::uint32_t>(base), cell);
    for (; rows != 0; rows &= rows - 1) {
      const std::uint64_t before = (rows & (0 - rows)) - 1;
      *row++ = first + static_cast<std::uint32_t>(std::popcount(ends & before));
    }
  };
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  const std::size_t whole = text.size() / kWord * kWord;
  const Tail tail(text.substr(whole));
  // One call, so that it becomes a part of the loop. The blanks behind the end could be delimiters.
  for (std::size_t at = 0; at < text.size(); at += kWord) {
    const bool inside = at < whole;
    look(load(inside ? text.data() + at : tail.bytes), at,
         inside ? kAll : kAll >> (kWord - (text.size() - at)));
  }
  marks.cells = static_cast<std::size_t>(cell - marks.cell_ends);
  marks.rows = static_cast<std::size_t>(row - marks.row_ends);
  marks.odd_quote = quotes.odd;
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(survey);
HWY_EXPORT(mark);

ByteSurvey survey_bytes(std::string_view text) { return HWY_DYNAMIC_DISPATCH(survey)(text); }
void mark_cells(std::string_view text, char delimiter, CellMarks& marks) {
  HWY_DYNAMIC_DISPATCH(mark)(text, delimiter, marks);
}

ByteSurvey scalar::survey_bytes(std::string_view text) {
  ByteSurvey found;
  for (const char c : text) {
    found.newlines += c == '\n' ? 1 : 0;
    found.nul = found.nul || c == '\0';
    found.high = found.high || (static_cast<unsigned char>(c) & 0x80U) != 0;
    found.cr = found.cr || c == '\r';
    found.quote = found.quote || c == '"';
  }
  return found;
}

void scalar::mark_cells(std::string_view text, char delimiter, CellMarks& marks) {
  bool inside = false;
  bool may_open = true;
  marks.cells = marks.rows = 0;
  marks.odd_quote = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool separates = !inside && (c == delimiter || c == '\n');
    if (c == '"') {
      inside = !inside;
      marks.odd_quote = marks.odd_quote || (inside && !may_open);
    }
    if (separates && c == '\n') {
      marks.row_ends[marks.rows++] = static_cast<std::uint32_t>(marks.cells);
    }
    if (separates) marks.cell_ends[marks.cells++] = static_cast<std::uint32_t>(at);
    may_open = separates || c == '"';
  }
}

}  // namespace gradus::simd
#endif
