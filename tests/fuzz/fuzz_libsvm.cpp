// The LIBSVM reader and writer; the length of the input chooses the options.
#include "fuzz/driver.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  return fuzz::run([&] {
    ReadOptions options = fuzz::small_limits();
    options.zero_based = size % 2 == 1;
    options.sort_indices = size % 4 >= 2;
    if (size % 8 >= 4) options.nominal = {"label"};
    const auto parse = [&](std::string_view text) {
      ReadReport report;
      return io::parse_libsvm({text, "fuzz"}, options, report, {});
    };
    fuzz::round_trip(fuzz::as_text(data, size), parse,
                     [](const Dataset& table) { return io::format_libsvm(table, {}); });
  });
}
