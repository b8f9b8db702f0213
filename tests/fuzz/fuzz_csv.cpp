// The CSV reader; the length of the input chooses between decided and given options.
#include "fuzz/driver.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  return fuzz::run([&] {
    ReadOptions options = fuzz::small_limits();
    if (size % 2 == 1) options.delimiter = ',';
    if (size % 4 >= 2) options.bad_rows = BadRow::reject;
    if (size % 8 >= 4) options.header = Header::no;
    ReadReport report;
    io::parse_csv({fuzz::as_text(data, size), "fuzz"}, options, report, {});
  });
}
