// The protocol, each step checked: open the directory; create `.NAME.tmp.PID.RANDOM` in it, never
// through a link; write; fsync; close; rename over the destination (or, when nothing may be
// replaced, rename that refuses to); fsync the directory. Pipes, devices and standard output have
// no name to swap and are written straight through.
#include "gradus/core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "gradus/core/descriptor.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;
constexpr std::size_t kLongestNamePart = 150;  // leaves room in NAME_MAX for the rest of the name
constexpr int kMostLinks = 40;                 // as the kernel follows

[[noreturn]] void cannot_create(const std::string& path, int error_number,
                                std::string_view hint = {}) {
  ErrorKind kind = ErrorKind::cannot_create;
  if (error_number == EACCES || error_number == EPERM) kind = ErrorKind::permission;
  const bool disk = error_number == ENOSPC || error_number == EDQUOT || error_number == EIO;
  if (disk) kind = ErrorKind::io;
  throw Error(kind, path, fmt::format("cannot create: {}", std::strerror(error_number)),
              std::string(hint));
}

[[noreturn]] void already_exists(const std::string& path) {
  throw Error(ErrorKind::cannot_create, path, "the file exists already", "replace it with --force");
}

// The descriptor that a path names directly: `-`, `/dev/stdout`, `/dev/fd/3`.
std::optional<int> named_descriptor(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(prefix)) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + prefix.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

// Where the bytes really go when `path` is a symbolic link: the link stays, its target changes.
std::filesystem::path follow_links(const std::string& path) {
  std::filesystem::path place = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    const auto target = std::filesystem::read_symlink(place, error);
    if (error) return place;
    place = target.is_absolute() ? target : place.parent_path() / target;
  }
  cannot_create(path, ELOOP);
}

std::string random_suffix() {
  std::uint64_t number = 0;
  // Only to be different from what another process chose: a clash is met by trying again.
  if (::getrandom(&number, sizeof number, 0) < 0) number = static_cast<std::uint64_t>(::getpid());
  return fmt::format("{:016x}", number);
}

}  // namespace

struct OutputFile::State {
  std::string where;  // for errors
  Descriptor directory;
  std::string name;       // of the destination inside the directory
  std::string temporary;  // empty: none on disk
  Descriptor file;
  bool direct = false;  // written straight through: no temporary, no rename
  Overwrite overwrite = Overwrite::refuse;
  std::optional<mode_t> mode;  // of the file that is replaced
  std::string buffer;
  std::uint64_t written = 0;

  ~State() { remove_temporary(); }

  void open_directory(const std::filesystem::path& place);
  void check_destination();
  void open_temporary();
  void remove_temporary();
  void write_out(const char* data, std::size_t size);
  void sync_and_close();
  void publish();
  [[noreturn]] void fail(int error_number, std::string_view doing) const;
};

void OutputFile::State::fail(int error_number, std::string_view doing) const {
  const bool denied = error_number == EACCES || error_number == EPERM;
  throw Error(
      denied ? ErrorKind::permission : ErrorKind::io, where,
      fmt::format("cannot {}: {} (after {} bytes)", doing, std::strerror(error_number), written),
      direct ? "" : "nothing was changed");
}

void OutputFile::State::open_directory(const std::filesystem::path& place) {
  name = place.filename().string();
  if (name.empty() || name == "." || name == "..") {
    throw Error(ErrorKind::cannot_create, where, "this is a directory, expected a file name");
  }
  const std::string folder = place.has_parent_path() ? place.parent_path().string() : ".";
  directory = Descriptor(
      uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (directory.is_open()) return;
  const bool absent = errno == ENOENT;
  cannot_create(where, errno,
                absent ? fmt::format("create the directory {} first", in_quotes(folder)) : "");
}

void OutputFile::State::check_destination() {
  struct stat status {};
  if (::fstatat(directory.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
    if (S_ISDIR(status.st_mode)) {
      throw Error(ErrorKind::cannot_create, where, "this is a directory, expected a file name");
    }
    if (overwrite == Overwrite::refuse) already_exists(where);
    // A rename would get past a write protection that somebody has put there on purpose.
    if (::faccessat(directory.number(), name.c_str(), W_OK, AT_EACCESS) != 0) {
      cannot_create(where, errno, "the file is write-protected");
    }
    mode = status.st_mode & 07777;
  } else if (errno != ENOENT) {
    cannot_create(where, errno);
  }
  if (::faccessat(directory.number(), ".", W_OK | X_OK, AT_EACCESS) != 0) {
    cannot_create(where, errno, "the directory cannot be written");
  }
}

void OutputFile::State::open_temporary() {
  if (file.is_open()) return;
  constexpr int kFlags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW;
  constexpr int kTries = 100;
  // What replaces a private file is private from its first byte on.
  const mode_t first_mode = mode ? 0600 : 0666;
  std::string candidate;
  for (int i = 0; i < kTries && !file.is_open(); ++i) {
    candidate =
        fmt::format(".{}.tmp.{}.{}", name.substr(0, kLongestNamePart), ::getpid(), random_suffix());
    file = Descriptor(uninterrupted(
        [&] { return ::openat(directory.number(), candidate.c_str(), kFlags, first_mode); }));
    if (!file.is_open() && errno != EEXIST) break;
  }
  if (!file.is_open()) cannot_create(where, errno);
  temporary = std::move(candidate);
  if (mode && uninterrupted([&] { return ::fchmod(file.number(), *mode); }) != 0) {
    fail(errno, "keep the file's mode");
  }
}

void OutputFile::State::remove_temporary() {
  if (temporary.empty()) return;
  uninterrupted([&] { return ::unlinkat(directory.number(), temporary.c_str(), 0); });
  temporary.clear();
}

void OutputFile::State::write_out(const char* data, std::size_t size) {
  if (!direct) open_temporary();
  while (size > 0) {
    const ssize_t done = uninterrupted([&] { return ::write(file.number(), data, size); });
    if (done < 0) fail(errno, "write");
    data += done;
    size -= static_cast<std::size_t>(done);
    written += static_cast<std::uint64_t>(done);
  }
}

void OutputFile::State::sync_and_close() {
  // An fsync that failed may have dropped the pages: it is final, and only a signal is tried again.
  if (!direct && uninterrupted([&] { return ::fsync(file.number()); }) != 0) {
    fail(errno, "sync to disk");
  }
  if (const int error_number = file.close(); error_number != 0) fail(error_number, "close");
}

void OutputFile::State::publish() {
  const int dir = directory.number();
  const char* from = temporary.c_str();
  const char* to = name.c_str();
  if (overwrite == Overwrite::replace) {
    if (uninterrupted([&] { return ::renameat(dir, from, dir, to); }) != 0) {
      fail(errno, "rename into place");
    }
    temporary.clear();
  } else if (uninterrupted([&] { return ::renameat2(dir, from, dir, to, RENAME_NOREPLACE); }) ==
             0) {
    temporary.clear();
  } else if (errno == EINVAL || errno == ENOSYS) {
    // A file system without that call: a second name can only be made where there is none.
    if (uninterrupted([&] { return ::linkat(dir, from, dir, to, 0); }) != 0) {
      if (errno == EEXIST) already_exists(where);
      fail(errno, "link into place");
    }
    remove_temporary();
  } else {
    if (errno == EEXIST) already_exists(where);
    fail(errno, "rename into place");
  }
  // Some file systems cannot sync a directory and say EINVAL; they order the rename by themselves.
  if (uninterrupted([&] { return ::fsync(dir); }) != 0 && errno != EINVAL) {
    throw Error(ErrorKind::io, where,
                fmt::format("cannot sync the directory: {}", std::strerror(errno)),
                "the new file is complete and in place, but a power failure could undo it");
  }
}

OutputFile::OutputFile(std::string path, Overwrite overwrite)
    : path_(std::move(path)), state_(std::make_unique<State>()) {
  state_->overwrite = overwrite;
  state_->where = path_ == "-" ? "standard output" : path_;
  if (path_.empty()) throw Error(ErrorKind::usage, "--output", "the name of the output is empty");
  if (const auto number = named_descriptor(path_)) {
    // A copy is closed at the end, to see late errors; the program keeps its own.
    std::fflush(nullptr);
    state_->direct = true;
    state_->file = Descriptor(::fcntl(*number, F_DUPFD_CLOEXEC, 0));
    if (!state_->file.is_open()) cannot_create(state_->where, errno);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    state_->direct = true;
    state_->file = Descriptor(
        uninterrupted([&] { return ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); }));
    if (!state_->file.is_open()) cannot_create(state_->where, errno);
    return;
  }
  state_->open_directory(follow_links(path_));
  state_->check_destination();
}

OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text) {
  GRADUS_ASSERT(state_ != nullptr);
  std::string& buffer = state_->buffer;
  if (buffer.size() + text.size() <= kBufferSize) {
    buffer += text;
    return;
  }
  state_->write_out(buffer.data(), buffer.size());
  buffer.clear();
  if (text.size() >= kBufferSize) {
    state_->write_out(text.data(), text.size());
  } else {
    buffer += text;
  }
}

void OutputFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void OutputFile::flush() {
  GRADUS_ASSERT(state_ != nullptr);
  state_->write_out(state_->buffer.data(), state_->buffer.size());
  state_->buffer.clear();
}

void OutputFile::commit() {
  GRADUS_ASSERT(state_ != nullptr);
  // Whatever happens, the state goes, and a temporary that was not renamed with it.
  const std::unique_ptr<State> state = std::move(state_);
  state->write_out(state->buffer.data(), state->buffer.size());
  state->sync_and_close();
  if (!state->direct) state->publish();
}

}  // namespace gradus
