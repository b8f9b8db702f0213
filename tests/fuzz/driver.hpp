// What every fuzz target shares: an Error is an answer, anything else is a finding.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gradus/core/error.hpp"
#include "gradus/data/io/formats.hpp"

namespace gradus::fuzz {

[[noreturn]] inline void finding(const std::string& what) {
  std::fprintf(stderr, "finding: %s\n", what.c_str());
  std::abort();
}

// Runs `work`; refusals are fine, unless they say that the fault is ours.
template <class Work>
int run(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::internal) finding(error.what());
  }
  return 0;
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A table that was read must be written in a form that reads and writes back to the same bytes.
// Writers may refuse what their format cannot hold.
template <class Parse, class Format>
void round_trip(std::string_view text, const Parse& parse, const Format& format) {
  const Dataset data = parse(text);
  std::string first;
  try {
    first = format(data);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::internal) finding(error.what());
    return;
  }
  try {
    if (format(parse(first)) != first) finding("a second round trip gives other bytes");
  } catch (const Error& error) {
    finding(std::string("what was written is refused: ") + error.what());
  }
}

// Limits that keep one run short and small.
inline ReadOptions small_limits() {
  ReadOptions options;
  options.max_line_bytes = 1 << 16;
  options.max_cell_bytes = 1 << 12;
  options.max_columns = 1 << 10;
  options.max_categories = 1 << 10;
  options.max_index = 1 << 16;
  return options;
}

// One input of a format whose parser needs no options of its own.
template <class Parse, class Format>
int run_round_trip(std::string_view text, const Parse& parse, const Format& format) {
  return run([&] {
    const auto parsed = [&](std::string_view bytes) {
      ReadReport report;
      const io::Input input{bytes, "fuzz"};
      if constexpr (requires { parse(input, small_limits(), report); }) {
        return parse(input, small_limits(), report);
      } else {
        return parse(input, small_limits(), report, Context{});
      }
    };
    round_trip(text, parsed, format);
  });
}

}  // namespace gradus::fuzz
