// NumPy arrays (.npy, versions 1 to 3): a header in the form of a Python dictionary, then raw
// numbers. A two-dimensional array becomes columns x1 … xd, a one-dimensional one the column x1.
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (150, 4), }
//
// The header is read by a small strict grammar, nothing is evaluated, and the size of the data must
// be exactly what the shape says before anything is allocated.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "gradus/core/text.hpp"
#include "gradus/data/io/binary_reader.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/large_integers.hpp"
#include "gradus/data/io/number_grid.hpp"
#include "gradus/data/io/row_texts.hpp"
#include "gradus/data/io/table_builder.hpp"
#include "gradus/simd/columns.hpp"

namespace gradus::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Header {
  std::string type;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;
};

[[noreturn]] void refuse_npy(const Input& input, std::string message, std::string hint = {}) {
  throw Error(ErrorKind::bad_data, input.name, std::move(message), std::move(hint));
}

// The dictionary: keys 'descr', 'fortran_order' and 'shape', each once, in any order.
class HeaderParser {
 public:
  HeaderParser(const Input& input, std::string_view text) : input_(input), text_(text) {}

  Header parse() {
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      read_member(key);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (at_ != text_.size()) fail("unexpected text after the dictionary");
    if (!have_type_ || !have_order_ || !have_shape_) {
      fail("the keys 'descr', 'fortran_order' and 'shape' are needed");
    }
    return std::move(header_);
  }

 private:
  void read_member(const std::string& key) {
    if (key == "descr" && !have_type_) {
      have_type_ = true;
      skip_blanks();
      if (at_ < text_.size() && text_[at_] == '[') {
        refuse_npy(input_, "arrays of records are not supported", "save a plain array of numbers");
      }
      header_.type = quoted();
    } else if (key == "fortran_order" && !have_order_) {
      have_order_ = true;
      header_.fortran_order = truth();
    } else if (key == "shape" && !have_shape_) {
      have_shape_ = true;
      read_shape();
    } else {
      fail("the key " + in_quotes(key) + " is unknown or stands twice");
    }
  }

  void read_shape() {
    expect('(');
    while (!accept(')')) {
      header_.shape.push_back(whole_number());
      if (header_.shape.size() > 64) fail("the shape has more than 64 dimensions");
      if (!accept(',')) {
        expect(')');
        return;
      }
    }
  }

  std::uint64_t whole_number() {
    skip_blanks();
    std::uint64_t value = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (value > (std::numeric_limits<std::uint64_t>::max() - 9) / 10) fail("a size is too large");
      value = value * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
    }
    if (at_ == begin) fail("a whole number is expected in the shape");
    return value;
  }

  std::string quoted() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const std::size_t close =
        quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (close == std::string_view::npos) fail("a text in quotes is expected");
    std::string word(text_.substr(at_ + 1, close - at_ - 1));
    at_ = close + 1;
    return word;
  }

  bool truth() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return value;
    }
    fail("True or False is expected");
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) {
      ++at_;
    }
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("{} is expected", c));
  }
  [[noreturn]] void fail(const std::string& why) const {
    refuse_npy(input_,
               fmt::format("the header of the array is broken at character {}: {}", at_ + 1, why));
  }

  const Input& input_;
  std::string_view text_;
  std::size_t at_ = 0;
  Header header_;
  bool have_type_ = false;
  bool have_order_ = false;
  bool have_shape_ = false;
};

Header read_header(const Input& input) {
  const std::string_view text = input.text;
  if (text.empty()) refuse_npy(input, "empty file");
  if (!text.starts_with(kMagic)) refuse_npy(input, "this is not a NumPy array (.npy)");
  if (text.size() < 10) refuse_npy(input, "the file ends inside its header");
  const int version = static_cast<unsigned char>(text[6]);
  if (version < 1 || version > 3 || text[7] != 0) {
    refuse_npy(input,
               fmt::format("version {}.{} of the format is not supported", version,
                           static_cast<unsigned char>(text[7])),
               "versions 1.0, 2.0 and 3.0 are");
  }
  const std::size_t begin = version == 1 ? 10 : 12;
  if (text.size() < begin) refuse_npy(input, "the file ends inside its header");
  const std::size_t length = version == 1
                                 ? load_as<std::uint16_t>(text.data() + 8, std::endian::little)
                                 : load_as<std::uint32_t>(text.data() + 8, std::endian::little);
  if (length > text.size() - begin) refuse_npy(input, "the file ends inside its header");
  Header header = HeaderParser(input, text.substr(begin, length)).parse();
  header.data_offset = begin + length;
  return header;
}

// A boolean: any byte but 0 is true.
struct Truth {
  unsigned char byte;
  explicit operator double() const { return byte == 0 ? 0.0 : 1.0; }
  explicit operator float() const { return byte == 0 ? 0.0F : 1.0F; }
};

struct ElementKind {
  std::string_view code;
  std::size_t width;
  NumberLoader load;
};

template <class Element>
constexpr ElementKind kind_of(std::string_view code) {
  return {code, sizeof(Element), loader_of<Element>()};
}

constexpr std::array kKinds = {
    kind_of<float>("f4"),         kind_of<double>("f8"),        kind_of<std::int8_t>("i1"),
    kind_of<std::int16_t>("i2"),  kind_of<std::int32_t>("i4"),  kind_of<std::int64_t>("i8"),
    kind_of<std::uint8_t>("u1"),  kind_of<std::uint16_t>("u2"), kind_of<std::uint32_t>("u4"),
    kind_of<std::uint64_t>("u8"), kind_of<Truth>("b1"),
};

struct Elements {
  ElementKind kind;
  std::endian order;
};

Elements elements_of(const Input& input, const Header& header) {
  const std::string_view type = header.type;
  for (const ElementKind& kind : kKinds) {
    if (type.size() != 3 || type.substr(1) != kind.code) continue;
    const char order = type[0];
    if (order == '>') return {kind, std::endian::big};
    if (order == '<' || order == '=' || (order == '|' && kind.width == 1)) {
      return {kind, std::endian::little};
    }
  }
  refuse_npy(input, "elements of type " + in_quotes(type) + " are not supported",
             "f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 in either byte order are");
}

struct Shape {
  std::size_t rows = 0;
  std::size_t cols = 1;
};

// The shape, after its product was found to be exactly the bytes that are there.
Shape checked_shape(const Input& input, const Header& header, std::size_t width,
                    const ReadOptions& options) {
  if (header.shape.empty() || header.shape.size() > 2) {
    refuse_npy(input,
               fmt::format("arrays of {} are not supported, only of 1 or 2",
                           counted(header.shape.size(), "dimension")),
               "reshape it to one row per example");
  }
  const std::uint64_t rows = header.shape[0];
  const std::uint64_t cols = header.shape.size() == 2 ? header.shape[1] : 1;
  const std::uint64_t have = input.text.size() - header.data_offset;
  const std::uint64_t elements = have / width;
  // Divisions instead of products: rows * cols * width may not fit in 64 bits.
  const bool fits = cols == 0 || rows == 0
                        ? have == 0
                        : have % width == 0 && elements % cols == 0 && elements / cols == rows;
  if (!fits) {
    refuse_npy(input, fmt::format("the shape ({}, {}) of {}-byte elements does not match the {} "
                                  "of data",
                                  rows, cols, width, counted(have, "byte")));
  }
  if (cols > options.max_columns) {
    throw Error(ErrorKind::limit, input.name,
                fmt::format("the array has {} columns, more than {}", cols, options.max_columns),
                "raise the limit with --max-columns");
  }
  if (cols == 0) refuse_npy(input, "the array has no columns");
  return {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)};
}

// 4-byte floats stay so, all other types become doubles.
NumberGrid grid_of(const Input& input, const Header& header, const Elements& elements,
                   const Shape& shape) {
  const std::size_t width = elements.kind.width;
  NumberGrid grid;
  grid.data = input.text.data() + header.data_offset;
  grid.rows = shape.rows;
  grid.cols = shape.cols;
  grid.row_step = header.fortran_order ? width : shape.cols * width;
  grid.col_step = header.fortran_order ? shape.rows * width : width;
  grid.order = elements.order;
  grid.load = elements.kind.load;
  grid.single = elements.kind.code == "f4";
  return grid;
}

// Everything before the numbers.
std::string preamble(const Dataset& data) {
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", data.rows(),
                  data.columns().size());
  // The data begins at a multiple of 64 bytes; the header ends with a newline.
  header.append((128 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string out = std::string(kMagic) + std::string("\x01\x00", 2);
  append_as(out, static_cast<std::uint16_t>(header.size()), std::endian::little);
  return out + header;
}

// The starts of the columns at `row`; empty unless all are doubles side by side.
std::vector<const double*> starts_of(std::span<const Column> columns, std::size_t row) {
  std::vector<const double*> starts;
  for (const Column& column : columns) {
    if (column.element_type() != ElementType::float64 || column.stride() != sizeof(double)) {
      return {};
    }
    starts.push_back(reinterpret_cast<const double*>(column.data()) + row);
  }
  return starts;
}

// Rows of numbers as they stand in the file, made in strips that stay in the nearest cache.
void append_numbers(std::string& out, std::span<const Column> columns, parallel::Block rows) {
  constexpr std::size_t kStrip = 64;
  std::vector<double> strip(kStrip * columns.size());
  for (std::size_t begin = rows.begin; begin < rows.end; begin += kStrip) {
    const std::size_t count = std::min(kStrip, rows.end - begin);
    if (const auto starts = starts_of(columns, begin); !starts.empty()) {
      simd::rows_from_columns(starts.data(), starts.size(), count, strip.data(), starts.size());
    } else {
      auto next = strip.begin();
      for (std::size_t row = begin; row < begin + count; ++row) {
        for (const Column& column : columns) *next++ = column.number(row);
      }
    }
    const std::size_t cells = count * columns.size();
    if constexpr (std::endian::native == std::endian::little) {
      out.append(reinterpret_cast<const char*>(strip.data()), cells * sizeof(double));
    } else {
      for (std::size_t i = 0; i < cells; ++i) append_as(out, strip[i], std::endian::little);
    }
  }
}

// Integers of eight bytes may be larger than a double can tell from its neighbours.
template <class Integer>
void tell_large_of(const Input& input, const NumberGrid& grid, const std::vector<Column>& columns,
                   const ReadOptions& options, ReadReport& report) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    LargeIntegers found;
    for (std::size_t row = 0; row < grid.rows; ++row) {
      if (std::abs(columns[j].number(row)) < kLargestExact) continue;
      const char* at = grid.data + row * grid.row_step + j * grid.col_step;
      found.note(row + 1, found.count > 0 ? "" : std::to_string(load_as<Integer>(at, grid.order)));
    }
    if (found.count == 0) continue;
    tell_large_integers({fmt::format("{}: row {}", input.name, found.first),
                         "column " + in_quotes(columns[j].name()), found.count, found.digits},
                        options, report);
  }
}

void tell_large_elements(const Input& input, const NumberGrid& grid, std::string_view type,
                         const std::vector<Column>& columns, const ReadOptions& options,
                         ReadReport& report) {
  if (type == "i8") tell_large_of<std::int64_t>(input, grid, columns, options, report);
  if (type == "u8") tell_large_of<std::uint64_t>(input, grid, columns, options, report);
}

}  // namespace

Dataset parse_npy(const Input& input, const ReadOptions& options, ReadReport& report,
                  const Context& context) {
  const Header header = read_header(input);
  const Elements elements = elements_of(input, header);
  const Shape shape = checked_shape(input, header, elements.kind.width, options);
  const NumberGrid grid = grid_of(input, header, elements, shape);
  std::vector<Column> columns = columns_of(grid, numbered_names("x", shape.cols), context);
  tell_large_elements(input, grid, elements.kind.code, columns, options, report);
  report.format =
      fmt::format("npy, {} in {} order", header.type, header.fortran_order ? "Fortran" : "C");
  return finish_numbers(input, std::move(columns), options, report);
}

void stream_npy(const Dataset& data, const Context& context, const Sink& sink) {
  if (data.sparse()) {
    throw Error(ErrorKind::usage, "", "a NumPy array cannot hold sparse features",
                "write LIBSVM instead");
  }
  refuse_weights(data, "a NumPy array");
  for (const Column& column : data.columns()) {
    if (column.is_numeric()) continue;
    throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
                fmt::format("a NumPy array holds numbers, and this column is {}",
                            kind_word(column.kind())));
  }
  const auto add_rows = [&](std::string& out, parallel::Block rows) {
    append_numbers(out, data.columns(), rows);
  };
  stream_blocks(preamble(data), data.rows(), context, add_rows, sink);
}

std::string format_npy(const Dataset& data, const WriteOptions&, const Context& context) {
  std::string out;
  stream_npy(data, context, [&](std::string_view part) { out += part; });
  return out;
}

}  // namespace gradus::io
