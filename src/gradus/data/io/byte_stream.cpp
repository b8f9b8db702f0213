#include "gradus/data/io/byte_stream.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "gradus/core/error.hpp"

namespace gradus::io {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;  // of packed bytes
constexpr std::size_t kHead = 4;                      // tell what a file is packed with

}  // namespace

ByteStream::ByteStream(const std::string& path, std::uint64_t max_bytes)
    : name_(path == "-" ? "stdin" : path),
      file_(path),
      before_(status_of(file_, name_)),
      regular_(path != "-" && S_ISREG(before_.st_mode)),
      max_bytes_(max_bytes) {
  refuse_odd_files(before_, file_, name_);
}

std::size_t ByteStream::read(char* to, std::size_t size, const Context& context) {
  if (!opened_) look_at_head(context);
  const std::size_t got =
      unpacker_ == nullptr ? read_plain(to, size, context) : read_packed(to, size, context);
  given_ += got;
  if (given_ > max_bytes_) {
    throw Error(ErrorKind::limit, name_, fmt::format("more than the limit of {} bytes", max_bytes_),
                "raise --max-bytes if the data are really that large");
  }
  return got;
}

std::size_t ByteStream::read_plain(char* to, std::size_t size, const Context& context) {
  const std::size_t kept = std::min(size, packed_.size() - used_);
  std::memcpy(to, packed_.data() + used_, kept);
  used_ += kept;
  return kept + fetch(to + kept, size - kept, context);
}

std::size_t ByteStream::read_packed(char* to, std::size_t size, const Context& context) {
  std::size_t filled = 0;
  while (filled < size) {
    context.stop_if_cancelled();
    if (used_ == packed_.size()) refill(context);
    const std::string_view rest = std::string_view(packed_).substr(used_);
    const auto [taken, made] = unpacker_->run(rest, to + filled, size - filled);
    used_ += taken;
    filled += made;
    if (rest.empty() && made == 0) {
      unpacker_->finish();
      break;
    }
  }
  return filled;
}

// As many bytes of the file as `size` says; fewer at its end.
std::size_t ByteStream::fetch(char* to, std::size_t size, const Context& context) {
  std::size_t filled = 0;
  while (filled < size && !at_end_) {
    wait_for_bytes(file_, context);
    const ssize_t got = ::read(file_.number(), to + filled, size - filled);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) throw system_error(errno, name_, "read");
    at_end_ = got == 0;
    filled += static_cast<std::size_t>(got);
  }
  if (at_end_ && regular_ && !same_file(before_, status_of(file_, name_))) {
    refuse_changed(name_, "changed");
  }
  return filled;
}

void ByteStream::look_at_head(const Context& context) {
  opened_ = true;
  packed_.resize(kHead);
  packed_.resize(fetch(packed_.data(), kHead, context));
  unpacker_ = Unpacker::of(packed_, name_);
}

void ByteStream::refill(const Context& context) {
  packed_.resize(kPiece);
  packed_.resize(fetch(packed_.data(), kPiece, context));
  used_ = 0;
}

}  // namespace gradus::io
