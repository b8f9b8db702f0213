// Text to number and back: what parses and is finite must survive its shortest form.
#include <cmath>
#include <cstring>

#include "fuzz/driver.hpp"
#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  return fuzz::run([&] {
    const std::optional<double> number = parse_number(fuzz::as_text(data, size));
    if (!number || !std::isfinite(*number)) return;
    const std::optional<double> again = parse_number(shortest(*number));
    if (!again || std::memcmp(&*again, &*number, sizeof *number) != 0) {
      fuzz::finding("a number does not survive its shortest form");
    }
  });
}
