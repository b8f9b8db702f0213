// The IDX reader and writer.
#include "fuzz/driver.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  return fuzz::run_round_trip(fuzz::as_text(data, size), io::parse_idx,
                              [](const Dataset& table) { return io::format_idx(table, {}); });
}
