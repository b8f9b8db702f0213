#include "gradus/data/io/row_texts.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "gradus/data/io/short_decimal.hpp"

namespace gradus::io {
namespace {

constexpr std::size_t kTextRows = 8192;
// A wave of blocks is written while the next is made: small enough for both to stay in the caches.
constexpr std::size_t kStreamRows = 1024;
constexpr std::size_t kWaveBlocks = 16;

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

void stream_blocks(std::string_view head, std::size_t rows, const Context& context,
                   const std::function<void(std::string& out, parallel::Block rows)>& add_rows,
                   const Sink& sink) {
  sink(head);
  std::vector<std::string> making(kWaveBlocks);
  std::vector<std::string> ready(kWaveBlocks);
  const auto write_ready = [&] {
    for (std::string& text : ready) {
      sink(text);
      text.clear();
    }
  };
  constexpr std::size_t kWaveRows = kStreamRows * kWaveBlocks;
  for (std::size_t first = 0; first < rows; first += kWaveRows) {
    const std::size_t last = std::min(first + kWaveRows, rows);
    const std::size_t blocks = parallel::block_count(last - first, kStreamRows);
    parallel::for_each_index(context, 1 + blocks, [&](std::size_t index) {
      if (index == 0) return write_ready();
      const std::size_t begin = first + (index - 1) * kStreamRows;
      add_rows(making[index - 1], {begin, std::min(begin + kStreamRows, last), index - 1});
    });
    std::swap(making, ready);
  }
  write_ready();
}

void stream_rows(std::string_view head, std::size_t rows, const Context& context,
                 const std::function<void(std::string& out, std::size_t row)>& add_row,
                 const Sink& sink) {
  const auto add_rows = [&](std::string& out, parallel::Block block) {
    for (std::size_t row = block.begin; row < block.end; ++row) add_row(out, row);
  };
  stream_blocks(head, rows, context, add_rows, sink);
}

void append_number(std::string& out, const Column& column, std::size_t row) {
  const double value = column.number(row);
  if (column.element_type() == ElementType::float32) {
    append_shortest(out, static_cast<float>(value));
  } else {
    append_number(out, value);
  }
}

void append_number(std::string& out, double value) {
  char text[kShortDecimalSize];
  if (const char* end = write_short_decimal(text, value)) {
    out.append(text, static_cast<std::size_t>(end - text));
  } else {
    append_shortest(out, value);
  }
}

}  // namespace gradus::io
