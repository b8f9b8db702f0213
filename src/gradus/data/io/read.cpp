#include "gradus/data/io/read.hpp"

#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/data/io/csv_waves.hpp"
#include "gradus/data/io/format_names.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/source.hpp"

namespace gradus {
namespace {

bool is_csv(TableFormat format) {
  return format == TableFormat::csv || format == TableFormat::tsv ||
         format == TableFormat::automatic;
}

ReadOptions options_for(TableFormat format, ReadOptions options) {
  if (format == TableFormat::tsv && !options.delimiter) options.delimiter = '\t';
  return options;
}

Dataset parse_as(TableFormat format, const io::Input& input, const ReadOptions& options,
                 ReadReport& report, const Context& context) {
  switch (format) {
    case TableFormat::tsv:
    case TableFormat::automatic:
    case TableFormat::csv:
      return io::parse_csv(input, options_for(format, options), report, context);
    case TableFormat::arff: return io::parse_arff(input, options, report);
    case TableFormat::libsvm: return io::parse_libsvm(input, options, report, context);
    case TableFormat::jsonl: return io::parse_jsonl(input, options, report);
    case TableFormat::npy: return io::parse_npy(input, options, report, context);
    case TableFormat::idx: return io::parse_idx(input, options, report, context);
    case TableFormat::sqlite:
    case TableFormat::postgresql: break;
  }
  throw Error(ErrorKind::usage, "--format", "a database is read by its address, not as text",
              "write sqlite:FILE?SELECT … or postgresql://…?SELECT …");
}

bool is_binary(TableFormat format) {
  return format == TableFormat::npy || format == TableFormat::idx;
}

// What makes no sense for a format is refused instead of being ignored.
void require_sense(TableFormat format, const ReadOptions& options) {
  const bool database = format == TableFormat::sqlite || format == TableFormat::postgresql;
  if (!database && !is_binary(format)) return;
  const std::string what = database ? "the rows of a query" : "the numbers of a binary file";
  if (options.bad_rows == BadRow::reject) {
    throw Error(ErrorKind::usage, "--on-bad-row", what + " cannot be rejected one by one",
                database ? "leave rows out in the query" : "leave this option out");
  }
  if (options.encoding != TextEncoding::utf8) {
    throw Error(ErrorKind::usage, "--encoding", what + " have no text encoding",
                "leave this option out");
  }
}

// Latin-1 as UTF-8: every byte above 127 becomes two.
std::string from_latin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xC0U | (byte >> 6U));
      text += static_cast<char>(0x80U | (byte & 0x3FU));
    }
  }
  return text;
}

Dataset parse_text(TableFormat format, const io::Input& input, const ReadOptions& options,
                   ReadReport& report, const Context& context) {
  if (options.encoding == TextEncoding::utf8) {
    return parse_as(format, input, options, report, context);
  }
  context.require_memory(2 * input.text.size(), "the text in UTF-8");
  const std::string text = from_latin1(input.text);
  return parse_as(format, {text, input.name}, options, report, context);
}

}  // namespace

Dataset read_table(const std::string& source, const ReadOptions& options, ReadReport* report,
                   const Context& context) {
  ReadReport unseen;
  ReadReport& used = report != nullptr ? *report : unseen;
  const TableFormat format = io::format_of_name(source, options.format).format;
  require_sense(format, options);
  if (format == TableFormat::sqlite) return io::query_sqlite(source, options, used, context);
  if (format == TableFormat::postgresql) {
    return io::query_postgresql(source, options, used, context);
  }
  if (is_csv(format)) {
    const ReadOptions as_format = options_for(format, options);
    if (auto table = io::read_csv_in_waves(source, as_format, used, context)) return *table;
  }
  const io::SourceLimits limits = {options.max_bytes,
                                   is_binary(format) ? 0 : options.max_line_bytes};
  const io::SourceBytes bytes = io::read_source(source, limits, context);
  const std::string name = source == "-" ? "stdin" : source;
  return parse_text(format, {bytes.view(), name}, options, used, context);
}

Dataset parse_table(std::string_view text, TableFormat format, const ReadOptions& options,
                    ReadReport* report, const Context& context, const std::string& name) {
  ReadReport unseen;
  require_sense(format, options);
  return parse_text(format, {text, name}, options, report != nullptr ? *report : unseen, context);
}

Dataset read_csv(const std::string& path) {
  ReadOptions options;
  options.format = TableFormat::csv;
  return read_table(path, options);
}

}  // namespace gradus
