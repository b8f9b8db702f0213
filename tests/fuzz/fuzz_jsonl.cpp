// The JSON Lines reader and writer.
#include "fuzz/driver.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  return fuzz::run([&] {
    fuzz::round_trip(
        fuzz::as_text(data, size),
        [](std::string_view text) {
          ReadReport report;
          return io::parse_jsonl({text, "fuzz"}, fuzz::small_limits(), report);
        },
        [](const Dataset& table) { return io::format_jsonl(table, {}); });
  });
}
