// IDX, the format of MNIST and its kin: two zero bytes, a type byte, the number of dimensions, each
// size as a 32-bit number, then the elements; all numbers big-endian.
//
// One dimension is a column "label"; more are one image per row, flattened to the pixels p1 … pd.
// Types that a 32-bit float holds exactly are kept as such: MNIST takes 4 bytes per pixel, not 8.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "gradus/core/text.hpp"
#include "gradus/data/io/binary_reader.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/number_grid.hpp"
#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {
namespace {

constexpr unsigned kUbyte = 0x08;
constexpr unsigned kFloat = 0x0D;
constexpr unsigned kDouble = 0x0E;

struct IdxType {
  unsigned code;
  std::size_t width;
  bool single;  // a float holds every value
  NumberLoader load;
};

template <class Element>
constexpr IdxType idx_type(unsigned code, bool single) {
  return {code, sizeof(Element), single, loader_of<Element>()};
}

constexpr std::array kTypes = {
    idx_type<std::uint8_t>(kUbyte, true), idx_type<std::int8_t>(0x09, true),
    idx_type<std::int16_t>(0x0B, true),   idx_type<std::int32_t>(0x0C, false),
    idx_type<float>(kFloat, true),        idx_type<double>(kDouble, false),
};

struct Layout {
  IdxType type;
  std::size_t rows = 0;
  std::size_t cols = 1;
  std::size_t dimensions = 1;
  std::size_t data_offset = 0;
};

[[noreturn]] void refuse_idx(const Input& input, std::string message, std::string hint = {}) {
  throw Error(ErrorKind::bad_data, input.name, std::move(message), std::move(hint));
}

IdxType type_of(const Input& input) {
  const std::string_view text = input.text;
  if (text.empty()) refuse_idx(input, "empty file");
  if (text.size() < 4 || text[0] != 0 || text[1] != 0) {
    refuse_idx(input, "this is not an IDX file: it must begin with two zero bytes");
  }
  const unsigned code = static_cast<unsigned char>(text[2]);
  for (const IdxType& type : kTypes) {
    if (type.code == code) return type;
  }
  refuse_idx(input, fmt::format("elements of type 0x{:02X} are not supported", code),
             "0x08 0x09 0x0B 0x0C 0x0D 0x0E are");
}

// Sizes are multiplied only as far as the bytes of the file reach, so nothing can overflow.
Layout layout_of(const Input& input, const ReadOptions& options) {
  Layout layout{.type = type_of(input)};
  layout.dimensions = static_cast<unsigned char>(input.text[3]);
  layout.data_offset = 4 + 4 * layout.dimensions;
  if (layout.dimensions == 0 || input.text.size() < layout.data_offset) {
    refuse_idx(input, "the file ends inside its header");
  }
  const std::uint64_t have = input.text.size() - layout.data_offset;
  std::uint64_t cols = 1;
  for (std::size_t d = 0; d < layout.dimensions; ++d) {
    const std::uint64_t size =
        load_as<std::uint32_t>(input.text.data() + 4 + 4 * d, std::endian::big);
    if (d == 0) {
      layout.rows = size;
    } else {
      cols *= size;
    }
    if (cols > options.max_columns) {
      throw Error(ErrorKind::limit, input.name,
                  fmt::format("a row has more than {} values", options.max_columns),
                  "raise the limit with --max-columns");
    }
  }
  if (cols == 0) refuse_idx(input, "the images have no pixels");
  const std::uint64_t row_bytes = cols * layout.type.width;
  if (have % row_bytes != 0 || have / row_bytes != layout.rows) {
    refuse_idx(input, fmt::format("{} of {} values of {} bytes do not match the {} of data",
                                  counted(layout.rows, "row"), cols, layout.type.width,
                                  counted(have, "byte")));
  }
  layout.cols = static_cast<std::size_t>(cols);
  return layout;
}

NumberGrid grid_of(const Input& input, const Layout& layout) {
  NumberGrid grid;
  grid.data = input.text.data() + layout.data_offset;
  grid.rows = layout.rows;
  grid.cols = layout.cols;
  grid.row_step = layout.cols * layout.type.width;
  grid.col_step = layout.type.width;
  grid.order = std::endian::big;
  grid.load = layout.type.load;
  grid.single = layout.type.single;
  return grid;
}

// The smallest of ubyte, float and double that holds every number of the table.
unsigned code_for(const Dataset& data) {
  unsigned code = kUbyte;
  for (const Column& column : data.columns()) {
    for (std::size_t row = 0; row < column.size(); ++row) {
      const double value = column.number(row);
      const bool byte =
          value >= 0 && value <= 255 && value == std::floor(value) && !std::signbit(value);
      if (byte) continue;
      if (std::isfinite(value) && static_cast<double>(static_cast<float>(value)) != value) {
        return kDouble;
      }
      code = kFloat;
    }
  }
  return code;
}

void append_value(std::string& out, unsigned code, double value) {
  switch (code) {
    case kUbyte: out += static_cast<char>(static_cast<unsigned char>(value)); break;
    case kFloat: append_as(out, static_cast<float>(value), std::endian::big); break;
    default: append_as(out, value, std::endian::big);
  }
}

}  // namespace

Dataset parse_idx(const Input& input, const ReadOptions& options, ReadReport& report,
                  const Context& context) {
  const Layout layout = layout_of(input, options);
  report.format = fmt::format("idx, {} of {} values", counted(layout.rows, "row"), layout.cols);
  const std::vector<std::string> names =
      layout.dimensions == 1 ? std::vector<std::string>{"label"} : numbered_names("p", layout.cols);
  std::vector<Column> columns = columns_of(grid_of(input, layout), names, context);
  return finish_numbers(input, std::move(columns), options, report);
}

std::string format_idx(const Dataset& data, const WriteOptions&) {
  if (data.sparse() || !data.weights().empty()) {
    throw Error(ErrorKind::usage, "", "an IDX file holds neither sparse features nor weights",
                "write ARFF instead");
  }
  for (const Column& column : data.columns()) {
    if (column.is_numeric()) continue;
    throw Error(
        ErrorKind::bad_data, "column " + in_quotes(column.name()),
        fmt::format("an IDX file holds numbers, and this column is {}", kind_word(column.kind())));
  }
  const unsigned code = code_for(data);
  const std::size_t cols = data.columns().size();
  const bool labels = cols == 1 && data.columns()[0].name() == "label";
  std::string out = {'\0', '\0', static_cast<char>(code), labels ? '\1' : '\2'};
  append_as(out, static_cast<std::uint32_t>(data.rows()), std::endian::big);
  if (!labels) append_as(out, static_cast<std::uint32_t>(cols), std::endian::big);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (const Column& column : data.columns()) append_value(out, code, column.number(row));
  }
  return out;
}

}  // namespace gradus::io
