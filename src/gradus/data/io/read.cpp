#include "gradus/data/io/read.hpp"

#include <fmt/format.h>

#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
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

void refuse_option(bool given, const char* option, std::string_view readers) {
  if (!given) return;
  throw Error(ErrorKind::usage, option, fmt::format("only {} files are read with it", readers),
              "leave this option out, or say what the file is with --format");
}

// What makes no sense for a format is refused instead of being ignored.
void require_sense(TableFormat format, const ReadOptions& options) {
  if (!is_csv(format)) {
    refuse_option(options.delimiter.has_value(), "--delimiter", "CSV");
    refuse_option(options.header != Header::automatic, "--header", "CSV");
    refuse_option(options.decimal != '.', "--decimal", "CSV");
    refuse_option(options.comment.has_value(), "--comment", "CSV");
  }
  if (!is_csv(format) && format != TableFormat::arff) {
    refuse_option(options.allow_trailing_delimiter, "--allow-trailing-delimiter", "CSV and ARFF");
  }
  if (format != TableFormat::libsvm) {
    refuse_option(options.zero_based, "--zero-based", "LIBSVM");
    refuse_option(options.sort_indices, "--sort-indices", "LIBSVM");
  }
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

Dataset read_alone(const std::string& source, const ReadOptions& options, ReadReport& report,
                   const Context& context) {
  const TableFormat format = io::format_of_name(source, options.format).format;
  require_sense(format, options);
  if (format == TableFormat::sqlite) return io::query_sqlite(source, options, report, context);
  if (format == TableFormat::postgresql) {
    return io::query_postgresql(source, options, report, context);
  }
  if (is_csv(format)) {
    const ReadOptions as_format = options_for(format, options);
    if (auto table = io::read_csv_in_waves(source, as_format, report, context)) return *table;
  }
  const io::SourceLimits limits = {options.max_bytes,
                                   is_binary(format) ? 0 : options.max_line_bytes};
  const io::SourceBytes bytes = io::read_source(source, limits, context);
  const std::string name = source == "-" ? "stdin" : source;
  return parse_text(format, {bytes.view(), name}, options, report, context);
}

// The columns of the file beside, row by row. It is read as it comes: what the options say of a
// format or of columns is meant for the first file.
Dataset with_columns_beside(Dataset data, const std::string& beside, ReadReport& report,
                            const Context& context) {
  ReadReport of_beside;
  const Dataset more = read_alone(beside, {}, of_beside, context);
  if (more.sparse()) {
    throw Error(ErrorKind::usage, "--beside", "a sparse file cannot stand beside another",
                "give it as the data");
  }
  if (more.rows() != data.rows()) {
    throw Error(ErrorKind::bad_data, beside,
                fmt::format("there are {} here and {} in the data beside it",
                            counted(more.rows(), "row"), data.rows()));
  }
  for (const Column& column : more.columns()) {
    if (data.find(column.name()) != nullptr) {
      throw Error(ErrorKind::bad_data, beside,
                  fmt::format("both files have a column {}", in_quotes(column.name())));
    }
    data = data.with_column(column);
  }
  report.format += fmt::format("; beside it {} ({})", beside, of_beside.format);
  report.columns.insert(report.columns.end(), of_beside.columns.begin(), of_beside.columns.end());
  report.warnings.insert(report.warnings.end(), of_beside.warnings.begin(),
                         of_beside.warnings.end());
  return data;
}

}  // namespace

Dataset read_table(const std::string& source, const ReadOptions& options, ReadReport* report,
                   const Context& context) {
  ReadReport unseen;
  ReadReport& used = report != nullptr ? *report : unseen;
  Dataset data = read_alone(source, options, used, context);
  if (options.beside.empty()) return data;
  return with_columns_beside(std::move(data), options.beside, used, context);
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
