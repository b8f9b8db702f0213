#include "gradus/data/io/row_texts.hpp"

#include <charconv>
#include <cmath>

#include "gradus/parallel/parallel.hpp"

namespace gradus::io {
namespace {

constexpr std::size_t kTextRows = 8192;

template <class Float>
void append_shortest(std::string& out, Float value) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return;
  }
  char buffer[64];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace

std::string text_of_rows(std::string head, std::size_t rows, const Context& context,
                         const std::function<void(std::string& out, std::size_t row)>& add_row) {
  std::vector<std::string> texts(parallel::block_count(rows, kTextRows));
  parallel::for_each_block(context, rows, kTextRows, [&](parallel::Block block) {
    std::string& text = texts[block.index];
    for (std::size_t row = block.begin; row < block.end; ++row) add_row(text, row);
  });
  std::size_t size = head.size();
  for (const std::string& text : texts) size += text.size();
  head.reserve(size);
  for (std::string& text : texts) {
    head += text;
    text = {};  // so that never all of it is there twice
  }
  return head;
}

void append_number(std::string& out, const Column& column, std::size_t row) {
  const double value = column.number(row);
  if (column.element_type() == ElementType::float32) {
    append_shortest(out, static_cast<float>(value));
  } else {
    append_shortest(out, value);
  }
}

void append_number(std::string& out, double value) { append_shortest(out, value); }

}  // namespace gradus::io
