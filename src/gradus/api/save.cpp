#include "gradus/api/save.hpp"

#include "gradus/api/container.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/read_file.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 30;

}  // namespace

std::vector<std::byte> to_bytes(const AnyModel& model) { return pack(to_archive(model)); }

AnyModel from_bytes(std::span<const std::byte> bytes, const std::string& where) {
  const Archive archive = unpack(bytes, where);
  try {
    return from_archive(archive);
  } catch (const Error& error) {
    // The checks of a model do not know which file it came from.
    throw Error(error.kind(), where, "invalid model: " + error.message(), error.hint());
  }
}

void save(const AnyModel& model, const std::string& path, Overwrite overwrite) {
  OutputFile file(path, overwrite);
  file.write(to_bytes(model));
  file.commit();
}

AnyModel load(const std::string& path) {
  const std::string content = read_whole_file(path, kLargestFile, kModelMagic);
  return from_bytes(std::as_bytes(std::span(content.data(), content.size())), path);
}

}  // namespace gradus
