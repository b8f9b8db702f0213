// Model files from a fuzzer: as they come, with their checksums made right, and as the stored form
// of a small model with a few lies in it. Each is refused with Error{bad_data}, or it is a model
// that saves to the same bytes and answers in finite numbers or with an error.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/trace/trace.hpp"
#include "support/archive_mutator.hpp"
#include "support/repair_checksums.hpp"
#include "support/small_data.hpp"

namespace gradus {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void use(const AnyModel& model) {
  try {
    const Dataset rows = rows_for(model.preparation());
    for (const double value : model.predict(rows).values) require(std::isfinite(value));
    model.fitted();
    if (!model.info().gives.has(Give::explains_row) || rows.rows() == 0) return;
    Recorder recorder;
    model.explain_row(rows, 0, recorder);
  } catch (const Error& error) {
    require(error.kind() != ErrorKind::internal);
  }
}

void load_and_use(const std::vector<std::byte>& file) {
  try {
    const AnyModel model = from_bytes(file, "fuzz");
    use(model);
    // What was loaded is saved in the same form, but for parameters younger than the file.
    require(to_bytes(from_bytes(to_bytes(model))) == to_bytes(model));
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::bad_data);
  }
}

const std::vector<Archive>& small_archives() {
  static const std::vector<Archive> archives = [] {
    std::vector<Archive> out;
    for (const Entry* entry : catalogue()) {
      for (const SmallCase& small : small_cases(entry->info)) {
        out.push_back(to_archive(fit(AnyLearner(*entry), small.data, small.options)));
      }
    }
    return out;
  }();
  return archives;
}

void load_a_lie(const std::uint8_t* data, std::size_t size) {
  std::uint64_t seed = 0;
  std::memcpy(&seed, data, std::min(size, sizeof seed));
  Stream stream(seed, size);
  Archive archive = small_archives()[stream.below(small_archives().size())];
  mutate(archive, stream);
  std::vector<std::byte> file;
  try {
    file = pack(archive);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::bad_data);
    return;
  }
  load_and_use(file);
}

}  // namespace
}  // namespace gradus

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> file(bytes, bytes + size);
  load_and_use(file);
  // The total length is made right too: bytes that a mutation inserts would end every attempt.
  constexpr std::size_t kLengthAt = 16;
  const std::uint64_t length = size;
  if (size >= kLengthAt + sizeof length) {
    std::memcpy(file.data() + kLengthAt, &length, sizeof length);
    repair_checksums(file);
    load_and_use(file);
  }
  load_a_lie(data, size);
  return 0;
}
