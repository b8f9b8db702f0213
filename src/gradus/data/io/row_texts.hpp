// Rows as text, by all threads: what the writers of line-based formats share.
//
//   return text_of_rows("a,b\n", data.rows(), context, [&](std::string& out, std::size_t row) {
//     append_number(out, data.columns()[0], row);
//     out += '\n';
//   });
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "gradus/core/context.hpp"
#include "gradus/data/column.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::io {

// `head` and behind it what `add_row` appends for every row, in the order of the rows. Blocks of
// rows become texts of their own, in parallel; errors are those of the first row that has one.
std::string text_of_rows(std::string head, std::size_t rows, const Context& context,
                         const std::function<void(std::string& out, std::size_t row)>& add_row);

// Where the text of a table goes, part by part.
using Sink = std::function<void(std::string_view part)>;

// The same without ever having all of it: `sink` takes `head` and then the rows in their order,
// while the rows behind them are made in buffers that are used again. For rows that cannot fail: a
// pipe would have the rows before an error already. `add_rows` appends all rows of a block.
void stream_blocks(std::string_view head, std::size_t rows, const Context& context,
                   const std::function<void(std::string& out, parallel::Block rows)>& add_rows,
                   const Sink& sink);
void stream_rows(std::string_view head, std::size_t rows, const Context& context,
                 const std::function<void(std::string& out, std::size_t row)>& add_row,
                 const Sink& sink);

// The shortest form of a number that reads back to the same bits: the bytes of `Column::cell`,
// without a text in between.
void append_number(std::string& out, const Column& column, std::size_t row);
void append_number(std::string& out, double value);

}  // namespace gradus::io
