#include "gradus/data/io/source.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/data/io/open_file.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::io {
namespace {

constexpr std::size_t kBlock = 4U << 20;

// The bytes of `block` of the file, to `to`.
void read_at(const Descriptor& file, const std::string& path, char* to, parallel::Block block) {
  std::size_t at = block.begin;
  while (at < block.end) {
    const ssize_t got = ::pread(file.number(), to, block.end - at, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw system_error(errno, path, "read");
    if (got == 0) refuse_changed(path, "became shorter");
    at += static_cast<std::size_t>(got);
    to += got;
  }
}

SourceBytes read_regular(const Descriptor& file, const std::string& path, std::size_t size,
                         const SourceLimits& limits, const Context& context) {
  SourceBytes bytes;
  char* to = bytes.room(size);
  const auto read_range = [&](std::size_t begin, std::size_t end) {
    parallel::for_each_block(context, end - begin, kBlock, [&](parallel::Block block) {
      const std::size_t first = begin + block.begin;
      read_at(file, path, to + first, {first, begin + block.end, block.index});
    });
    bytes.grew(end - begin);
  };
  const std::size_t probe = std::min<std::size_t>(size, limits.max_first_line);
  if (limits.max_first_line > 0 && size > limits.max_first_line) {
    read_range(0, probe);
    if (!is_packed(bytes.view()) && std::memchr(to, '\n', probe) == nullptr) {
      throw Error(ErrorKind::limit, path + ":1",
                  fmt::format("line 1 is longer than the limit of {} bytes", limits.max_first_line),
                  "is this a table? raise --max-line-bytes if it is");
    }
  }
  read_range(bytes.size(), size);
  return bytes;
}

SourceBytes read_stream(const Descriptor& file, const std::string& path, const SourceLimits& limits,
                        const Context& context) {
  SourceBytes bytes;
  while (true) {
    wait_for_bytes(file, context);
    char* to = bytes.room(kBlock);
    const ssize_t got = ::read(file.number(), to, bytes.spare());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) throw system_error(errno, path, "read");
    if (got == 0) return bytes;
    bytes.grew(static_cast<std::size_t>(got));
    require_size(bytes.size(), path, limits, context);
  }
}

}  // namespace

struct RegularFile::State {
  explicit State(const std::string& file_path)
      : path(file_path), file(file_path), before(status_of(file, file_path)) {}
  std::string path;
  Descriptor file;
  struct stat before;
};

std::optional<RegularFile> RegularFile::open(const std::string& path) {
  // Looked at before it is opened: opening a pipe waits for its writer, and closing it again would
  // lose what was written.
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  try {
    auto state = std::make_shared<const State>(path);
    if (!S_ISREG(state->before.st_mode)) return std::nullopt;
    return RegularFile(std::move(state));
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::size_t RegularFile::size() const { return static_cast<std::size_t>(state_->before.st_size); }

void RegularFile::read(std::size_t begin, std::size_t size, char* to,
                       const Context& context) const {
  constexpr std::size_t kPiece = 1U << 20;
  parallel::for_each_block(context, size, kPiece, [&](parallel::Block block) {
    read_at(state_->file, state_->path, to + block.begin,
            {begin + block.begin, begin + block.end, block.index});
  });
}

bool RegularFile::unchanged() const {
  return same_file(state_->before, status_of(state_->file, state_->path));
}

void SourceBytes::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  char* grown = static_cast<char*>(std::realloc(data_.get(), capacity));
  if (grown == nullptr) {
    throw Error(ErrorKind::limit, "", fmt::format("no memory for {} bytes of input", capacity));
  }
  static_cast<void>(data_.release());
  data_.reset(grown);
  capacity_ = capacity;
  prefer_large_pages(grown, capacity);
}

char* SourceBytes::room(std::size_t more) {
  if (spare() < more) reserve(std::max(size_ + more, size_ + size_ / 2));
  return data_.get() + size_;
}

void require_size(std::uint64_t size, const std::string& name, const SourceLimits& limits,
                  const Context& context) {
  if (size > limits.max_bytes) {
    throw Error(ErrorKind::limit, name,
                fmt::format("more than the limit of {} bytes", limits.max_bytes),
                "raise --max-bytes if the data are really that large");
  }
  const auto machine = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES))) *
                       static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PAGESIZE)));
  if (machine > 0 && size > machine) {
    throw Error(ErrorKind::limit, name,
                fmt::format("more bytes than the {} of this machine's memory", machine));
  }
  context.require_memory(size, "reading " + name);
}

SourceBytes read_source(const std::string& path, const SourceLimits& limits,
                        const Context& context) {
  const Descriptor file(path);
  const std::string name = path == "-" ? "stdin" : path;
  const struct stat before = status_of(file, name);
  refuse_odd_files(before, file, name);
  // A size of 0 may be a file of /proc; standard input may stand anywhere in its file.
  const bool sized = S_ISREG(before.st_mode) && before.st_size > 0 && path != "-";
  if (!sized) return unpacked(read_stream(file, name, limits, context), name, limits, context);
  const auto size = static_cast<std::size_t>(before.st_size);
  require_size(size, name, limits, context);
  SourceBytes bytes = read_regular(file, name, size, limits, context);
  if (!same_file(before, status_of(file, name))) refuse_changed(name, "changed");
  return unpacked(std::move(bytes), name, limits, context);
}

}  // namespace gradus::io
