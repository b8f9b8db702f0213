// Opening gzip and zstd. Both may be several archives in a row; anything else after the end, and an
// end that comes too early, is an error: exit 0 must mean that everything was read.
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/data/io/source.hpp"
#include "gradus/data/io/unpacker.hpp"

namespace gradus::io {
namespace {

using namespace std::string_view_literals;
constexpr std::string_view kGzip = "\x1f\x8b"sv;
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd"sv;
constexpr std::size_t kOutput = 1U << 20;

[[noreturn]] void damaged(const std::string& name, std::string_view format, std::size_t at,
                          std::string_view what) {
  throw Error(ErrorKind::bad_data, name, fmt::format("{} data: {} at byte {}", format, what, at));
}

uInt as_uint(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

class Gunzip : public Unpacker {
 public:
  explicit Gunzip(std::string name) : name_(std::move(name)) {
    // 16: a gzip wrapper is required, with its checksum.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) {
      throw Error(ErrorKind::limit, "", "no memory to open gzip data");
    }
  }
  ~Gunzip() override { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  Step run(std::string_view packed, char* to, std::size_t room) override {
    if (packed.empty() && ended_) return {};
    if (ended_) begin_another(packed);
    // zlib's interface is not const-correct; it does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = as_uint(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = as_uint(room);
    const std::size_t offered = stream_.avail_in;
    const std::size_t space = stream_.avail_out;
    const int state = inflate(&stream_, Z_NO_FLUSH);
    const Step step{offered - stream_.avail_in, space - stream_.avail_out};
    at_ += step.taken;
    ended_ = state == Z_STREAM_END;
    const bool fine = ended_ || state == Z_OK || state == Z_BUF_ERROR;
    if (!fine) damaged(name_, "gzip", at_, stream_.msg != nullptr ? stream_.msg : "damaged");
    return step;
  }

  void finish() const override {
    if (!ended_) damaged(name_, "gzip", at_, "it ends too early (truncated?),");
  }

 private:
  void begin_another(std::string_view packed) {
    const std::size_t seen = std::min(packed.size(), kGzip.size());
    if (packed.substr(0, seen) != kGzip.substr(0, seen)) {
      damaged(name_, "gzip", at_, "bytes that are not gzip follow the end,");
    }
    inflateReset(&stream_);
  }

  std::string name_;
  z_stream stream_ = {};
  std::size_t at_ = 0;
  bool ended_ = false;  // an archive is complete
};

class Unzstd : public Unpacker {
 public:
  explicit Unzstd(std::string name)
      : name_(std::move(name)), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (stream_ == nullptr) throw Error(ErrorKind::limit, "", "no memory to open zstd data");
  }

  Step run(std::string_view packed, char* to, std::size_t room) override {
    if (packed.empty() && wanted_ == 0) return {};
    ZSTD_inBuffer input = {packed.data(), packed.size(), 0};
    ZSTD_outBuffer output = {to, room, 0};
    const std::size_t state = ZSTD_decompressStream(stream_.get(), &output, &input);
    if (ZSTD_isError(state) != 0) damaged(name_, "zstd", at_ + input.pos, ZSTD_getErrorName(state));
    wanted_ = state;
    at_ += input.pos;
    return {input.pos, output.pos};
  }

  void finish() const override {
    if (wanted_ != 0) damaged(name_, "zstd", at_, "it ends too early (truncated?),");
  }

 private:
  std::string name_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  std::size_t at_ = 0;
  std::size_t wanted_ = 1;  // 0: a frame is complete and flushed
};

}  // namespace

std::unique_ptr<Unpacker> Unpacker::of(std::string_view head, const std::string& name) {
  if (head.substr(0, kGzip.size()) == kGzip) return std::make_unique<Gunzip>(name);
  if (head.substr(0, kZstd.size()) == kZstd) return std::make_unique<Unzstd>(name);
  return nullptr;
}

bool is_packed(std::string_view bytes) {
  return bytes.substr(0, kGzip.size()) == kGzip || bytes.substr(0, kZstd.size()) == kZstd;
}

SourceBytes unpacked(SourceBytes packed, const std::string& name, const SourceLimits& limits,
                     const Context& context) {
  const std::unique_ptr<Unpacker> unpacker = Unpacker::of(packed.view(), name);
  if (unpacker == nullptr) return packed;
  SourceBytes out;
  std::string_view rest = packed.view();
  while (true) {
    const auto [taken, made] = unpacker->run(rest, out.room(kOutput), kOutput);
    rest.remove_prefix(taken);
    out.grew(made);
    context.stop_if_cancelled();
    require_size(out.size(), name, limits, context);
    if (rest.empty() && made < kOutput) break;
  }
  unpacker->finish();
  return out;
}

}  // namespace gradus::io
