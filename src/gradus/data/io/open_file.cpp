#include "gradus/data/io/open_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "gradus/core/error.hpp"

namespace gradus::io {

// Opening a pipe must not wait for its writer: `wait_for_bytes` does, and can be stopped.
Descriptor::Descriptor(const std::string& path)
    : owned_(path != "-"),
      number_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK) : STDIN_FILENO) {
  if (number_ < 0) throw system_error(errno, path, "open");
}

Descriptor::~Descriptor() {
  if (owned_) ::close(number_);
}

void wait_for_bytes(const Descriptor& file, const Context& context) {
  constexpr int kMilliseconds = 100;
  pollfd waiting{file.number(), POLLIN, 0};
  do {
    context.stop_if_cancelled();
  } while (::poll(&waiting, 1, kMilliseconds) <= 0);
}

struct stat status_of(const Descriptor& file, const std::string& path) {
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) throw system_error(errno, path, "examine");
  return status;
}

void refuse_odd_files(const struct stat& status, const Descriptor& file, const std::string& path) {
  if (S_ISDIR(status.st_mode)) throw system_error(EISDIR, path, "read");
  const bool device = S_ISBLK(status.st_mode) || S_ISCHR(status.st_mode);
  if (!device || ::isatty(file.number()) == 1) return;
  struct stat null = {};
  const bool is_null = ::stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev;
  if (!is_null) throw Error(ErrorKind::bad_data, path, "this is a device, not a table");
}

bool same_file(const struct stat& before, const struct stat& after) {
  return before.st_size == after.st_size && before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
         before.st_mtim.tv_nsec == after.st_mtim.tv_nsec;
}

void refuse_changed(const std::string& path, std::string_view how) {
  throw Error(ErrorKind::io, path, fmt::format("the file {} while it was being read", how),
              "read it again when nothing writes to it");
}

}  // namespace gradus::io
