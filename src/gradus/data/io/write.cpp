#include "gradus/data/io/write.hpp"

#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <limits>
#include <string>

#include "gradus/core/atomic_file.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/format_names.hpp"
#include "gradus/data/io/formats.hpp"

namespace gradus {
namespace {

// Where a table goes: a name, and what takes its bytes.
struct Destination {
  const std::string& name;
  io::Sink sink;
};

void format_as(TableFormat format, const Dataset& data, WriteOptions options, const Destination& to,
               const Context& context) {
  switch (format) {
    case TableFormat::tsv: options.delimiter = '\t'; [[fallthrough]];
    case TableFormat::automatic:
    case TableFormat::csv: return io::stream_csv(data, options, context, to.sink);
    case TableFormat::arff:
      return to.sink(
          io::format_arff(data, options, std::filesystem::path(to.name).stem().string(), context));
    case TableFormat::libsvm: return to.sink(io::format_libsvm(data, options, context));
    case TableFormat::jsonl: return io::stream_jsonl(data, context, to.sink);
    case TableFormat::npy: return io::stream_npy(data, context, to.sink);
    case TableFormat::idx: return to.sink(io::format_idx(data, options));
    case TableFormat::sqlite:
    case TableFormat::postgresql: break;
  }
  throw Error(ErrorKind::usage, to.name, "tables are not written to databases",
              "write a CSV file and import it with the database's own tool");
}

// No time stamp and no name in the header: the same table gives the same bytes.
std::string gzipped(const std::string& text) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw Error(ErrorKind::limit, "", "no memory to compress");
  }
  std::string packed;
  std::string block(1U << 18, '\0');
  std::size_t at = 0;
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    if (stream.avail_in == 0 && at < text.size()) {
      const auto part = static_cast<uInt>(
          std::min<std::size_t>(text.size() - at, std::numeric_limits<uInt>::max()));
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data() + at));
      stream.avail_in = part;
      at += part;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    state = deflate(&stream, at == text.size() ? Z_FINISH : Z_NO_FLUSH);
    packed.append(block.data(), block.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

std::string zstd_packed(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size) != 0) throw Error(ErrorKind::limit, "", ZSTD_getErrorName(size));
  packed.resize(size);
  return packed;
}

}  // namespace

void write_table(const Dataset& data, const std::string& destination, const WriteOptions& options,
                 const Context& context) {
  const io::NamedFormat named = io::format_of_name(destination, options.format);
  OutputFile file(destination, options.overwrite);
  if (named.packing == io::Packing::none) {
    const auto write = [&](std::string_view part) { file.write(part); };
    format_as(named.format, data, options, {destination, write}, context);
  } else {
    std::string text;
    const auto gather = [&](std::string_view part) { text += part; };
    format_as(named.format, data, options, {destination, gather}, context);
    file.write(named.packing == io::Packing::gzip ? gzipped(text) : zstd_packed(text));
  }
  file.commit();
}

}  // namespace gradus
