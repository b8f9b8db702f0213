// Opening gzip and zstd. Both may be several archives in a row; anything else after the end, and an
// end that comes too early, is an error: exit 0 must mean that everything was read.
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/data/io/source.hpp"

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

class Inflater {
 public:
  Inflater() {
    // 16: a gzip wrapper is required, with its checksum.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) {
      throw Error(ErrorKind::limit, "", "no memory to open gzip data");
    }
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_ = {};
};

template <class Check>
SourceBytes inflate_all(std::string_view packed, const std::string& name, Check check) {
  Inflater inflater;
  z_stream& stream = inflater.stream();
  SourceBytes out;
  std::size_t at = 0;
  while (true) {
    const auto chunk = static_cast<uInt>(
        std::min<std::size_t>(packed.size() - at, std::numeric_limits<uInt>::max()));
    // zlib's interface is not const-correct; it does not write to its input.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + at));
    stream.avail_in = chunk;
    stream.next_out = reinterpret_cast<Bytef*>(out.room(kOutput));
    stream.avail_out = static_cast<uInt>(kOutput);
    const int state = inflate(&stream, Z_NO_FLUSH);
    at += chunk - stream.avail_in;
    out.grew(kOutput - stream.avail_out);
    check(out.size());
    if (state == Z_STREAM_END) {
      if (at == packed.size()) return out;
      if (packed.substr(at, kGzip.size()) != kGzip) {
        damaged(name, "gzip", at, "bytes that are not gzip follow the end,");
      }
      inflateReset(&stream);
    } else if (state == Z_BUF_ERROR ||
               (state == Z_OK && at == packed.size() && stream.avail_out == kOutput)) {
      damaged(name, "gzip", at, "it ends too early (truncated?),");
    } else if (state != Z_OK) {
      damaged(name, "gzip", at, stream.msg != nullptr ? stream.msg : "damaged");
    }
  }
}

template <class Check>
SourceBytes unzstd_all(std::string_view packed, const std::string& name, Check check) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          &ZSTD_freeDStream);
  if (stream == nullptr) throw Error(ErrorKind::limit, "", "no memory to open zstd data");
  SourceBytes out;
  ZSTD_inBuffer input = {packed.data(), packed.size(), 0};
  while (true) {
    ZSTD_outBuffer output = {out.room(kOutput), kOutput, 0};
    const std::size_t state = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(state) != 0) damaged(name, "zstd", input.pos, ZSTD_getErrorName(state));
    out.grew(output.pos);
    check(out.size());
    if (input.pos < packed.size()) continue;
    if (state == 0) return out;  // the last frame is complete and flushed
    if (output.pos < output.size) {
      damaged(name, "zstd", input.pos, "it ends too early (truncated?),");
    }
  }
}

}  // namespace

bool is_packed(std::string_view bytes) {
  return bytes.substr(0, kGzip.size()) == kGzip || bytes.substr(0, kZstd.size()) == kZstd;
}

SourceBytes unpacked(SourceBytes packed, const std::string& name, const SourceLimits& limits,
                     const Context& context) {
  const std::string_view bytes = packed.view();
  const auto check = [&](std::size_t size) {
    context.stop_if_cancelled();
    require_size(size, name, limits, context);
  };
  if (bytes.substr(0, kGzip.size()) == kGzip) return inflate_all(bytes, name, check);
  if (bytes.substr(0, kZstd.size()) == kZstd) return unzstd_all(bytes, name, check);
  return packed;
}

}  // namespace gradus::io
