#include "gradus/data/io/read.hpp"

#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/data/io/format_names.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/source.hpp"

namespace gradus {
namespace {

Dataset parse_as(TableFormat format, const io::Input& input, ReadOptions options,
                 ReadReport& report, const Context& context) {
  switch (format) {
    case TableFormat::tsv:
      if (!options.delimiter) options.delimiter = '\t';
      [[fallthrough]];
    case TableFormat::automatic:
    case TableFormat::csv: return io::parse_csv(input, options, report, context);
    case TableFormat::arff: return io::parse_arff(input, options, report);
    case TableFormat::libsvm: return io::parse_libsvm(input, options, report, context);
    case TableFormat::jsonl: return io::parse_jsonl(input, options, report);
    case TableFormat::npy: return io::parse_npy(input, options, report);
    case TableFormat::idx: return io::parse_idx(input, options, report);
    case TableFormat::sqlite:
    case TableFormat::postgresql: break;
  }
  throw Error(ErrorKind::usage, "--format", "a database is read by its address, not as text",
              "write sqlite:FILE?SELECT … or postgresql://…?SELECT …");
}

bool is_binary(TableFormat format) {
  return format == TableFormat::npy || format == TableFormat::idx;
}

}  // namespace

Dataset read_table(const std::string& source, const ReadOptions& options, ReadReport* report,
                   const Context& context) {
  ReadReport unseen;
  ReadReport& used = report != nullptr ? *report : unseen;
  const TableFormat format = io::format_of_name(source, options.format).format;
  if (format == TableFormat::sqlite) return io::query_sqlite(source, options, used, context);
  if (format == TableFormat::postgresql) {
    return io::query_postgresql(source, options, used, context);
  }
  const io::SourceLimits limits = {options.max_bytes,
                                   is_binary(format) ? 0 : options.max_line_bytes};
  const io::SourceBytes bytes = io::read_source(source, limits, context);
  const std::string name = source == "-" ? "stdin" : source;
  return parse_as(format, {bytes.view(), name}, options, used, context);
}

Dataset parse_table(std::string_view text, TableFormat format, const ReadOptions& options,
                    ReadReport* report, const Context& context, const std::string& name) {
  ReadReport unseen;
  return parse_as(format, {text, name}, options, report != nullptr ? *report : unseen, context);
}

}  // namespace gradus
