#include "gradus/core/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>

#include "gradus/core/descriptor.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

constexpr std::size_t kFirstPiece = 64 * 1024;

[[noreturn]] void too_large(const std::string& path, std::uint64_t limit) {
  throw Error(ErrorKind::limit, path, fmt::format("the file holds more than {} bytes", limit));
}

void refuse_other_than_files(const std::string& path, mode_t mode) {
  if (S_ISREG(mode) || S_ISFIFO(mode)) return;
  const char* what = S_ISDIR(mode) ? "a directory" : S_ISSOCK(mode) ? "a socket" : "a device";
  throw Error(ErrorKind::bad_data, path, fmt::format("this is {}, expected a file", what));
}

constexpr int kPatience = 2000;  // milliseconds
constexpr int kForEver = -1;

void wait_for_bytes(const Descriptor& file, int milliseconds) {
  pollfd waiting{file.number(), POLLIN, 0};
  ::poll(&waiting, 1, milliseconds);
}

Descriptor open_for_reading(const std::string& path, std::uint64_t& size) {
  struct stat status {};
  // Looked at before it is opened: opening some devices has effects of its own.
  if (::stat(path.c_str(), &status) != 0) throw system_error(errno, path, "read");
  refuse_other_than_files(path, status.st_mode);
  // A pipe that nobody writes to is empty after a while, instead of waiting for ever.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  Descriptor file(uninterrupted([&] { return ::open(path.c_str(), kFlags); }));
  if (!file.is_open()) throw system_error(errno, path, "read");
  if (::fstat(file.number(), &status) != 0) throw system_error(errno, path, "read");
  refuse_other_than_files(path, status.st_mode);
  if (S_ISFIFO(status.st_mode)) wait_for_bytes(file, kPatience);
  size = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
  return file;
}

}  // namespace

std::string read_whole_file(const std::string& path, std::uint64_t limit, std::string_view magic) {
  std::uint64_t size = 0;
  const Descriptor file = open_for_reading(path, size);
  if (size > limit) too_large(path, limit);

  // A small file at once, with one byte more to see its end.
  const bool small = size > 0 && size < kFirstPiece;
  std::string text(small ? static_cast<std::size_t>(size) + 1 : kFirstPiece, '\0');
  std::size_t filled = 0;
  while (true) {
    const ssize_t got = uninterrupted(
        [&] { return ::read(file.number(), text.data() + filled, text.size() - filled); });
    if (got < 0 && errno == EAGAIN) {
      wait_for_bytes(file, kForEver);
      continue;
    }
    if (got < 0) throw system_error(errno, path, "read");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (filled > limit) too_large(path, limit);
    const std::size_t known = std::min(filled, magic.size());
    if (text.compare(0, known, magic, 0, known) != 0) break;
    if (filled < text.size()) continue;
    // The rest of a file with one call, and one byte more to see its end without another growth.
    // Pipes have no size and grow by half.
    text.resize(std::max<std::size_t>(size + 1, text.size() + text.size() / 2));
  }
  text.resize(filled);
  return text;
}

}  // namespace gradus
