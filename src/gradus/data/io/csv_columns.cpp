#include "gradus/data/io/csv_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/data/column.hpp"
#include "gradus/data/io/csv_chunk_reader.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::io {
namespace {

bool is_number(Use use) { return use == Use::number || use == Use::number_always; }

// Gives every chunk its rows. A row of c cells needs at least c bytes, so a count that cannot be
// true (many blank lines in a wide file) is replaced by an exact one before memory is taken.
void lay_out(const Pass& pass, const std::vector<Chunk>& chunks, RawTable& table,
             const Context& context) {
  std::size_t total = 0;
  for (const Chunk& chunk : chunks) total += chunk.records;
  const std::size_t columns = pass.uses.size();
  std::vector<std::size_t> rows;
  for (const Chunk& chunk : chunks) rows.push_back(chunk.records);
  const bool reads_nothing =
      std::all_of(pass.uses.begin(), pass.uses.end(), [](Use use) { return use == Use::skip; });
  if (!reads_nothing && total > (pass.text.size() + columns) / columns) {
    Pass counting = pass;
    counting.uses.assign(columns, Use::skip);
    const RawTable counted_rows = read_columns(counting, chunks, context);
    // A row that will be rejected writes its first cells before it is found bad: one place to
    // spare.
    const std::size_t spare = pass.options->bad_rows == BadRow::reject ? 1 : 0;
    for (std::size_t k = 0; k < chunks.size(); ++k) rows[k] = counted_rows.chunks[k].rows + spare;
  }
  table.chunks.resize(chunks.size());
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    table.chunks[k].first_row = table.capacity;
    table.capacity += rows[k];
  }
}

// Only texts of rows that were kept count: a rejected row may have left some behind.
void count_uses(const RawTable& table, ChunkResult& chunk) {
  for (std::size_t slot = 0; slot < chunk.dictionaries.size(); ++slot) {
    auto& uses = chunk.uses.emplace_back(chunk.dictionaries[slot].size(), 0);
    const std::int32_t* codes = table.codes[slot].get() + chunk.first_row;
    for (std::size_t row = 0; row < chunk.rows; ++row) {
      if (codes[row] != kMissingCode) ++uses[static_cast<std::size_t>(codes[row])];
    }
  }
}

// While the numbers are still in the cache.
void count_numbers(const Pass& pass, const RawTable& table, ChunkResult& chunk) {
  for (std::size_t column = 0; column < pass.uses.size(); ++column) {
    if (!is_number(pass.uses[column])) continue;
    const double* values = table.column_numbers(column) + chunk.first_row;
    chunk.present.push_back(numbers_among(values, chunk.rows));
  }
}

// Memory for all columns over `table.capacity` rows. What no row needs is never touched.
void take_memory(const Pass& pass, RawTable& table, const Context& context) {
  std::size_t numeric = 0;
  std::size_t texts = 0;
  for (const Use use : pass.uses) {
    const bool number = is_number(use);
    table.slot.push_back(number ? numeric : texts);
    numeric += number ? 1U : 0U;
    texts += use == Use::text ? 1U : 0U;
  }
  context.require_memory(table.capacity * (numeric * sizeof(double) + texts * 4), "the table");
  table.numbers = std::make_shared_for_overwrite<double[]>(numeric * table.capacity);
  prefer_large_pages(table.numbers.get(), numeric * table.capacity * sizeof(double));
  table.rooms = std::make_unique<SpareRooms>();
  table.texts.resize(texts);
  for (std::size_t slot = 0; slot < texts; ++slot) {
    table.codes.push_back(std::make_shared_for_overwrite<std::int32_t[]>(table.capacity));
    prefer_large_pages(table.codes.back().get(), table.capacity * sizeof(std::int32_t));
  }
}

// Adds the texts of the chunks from `first` on, in the order of the file. What has to outlive the
// text is copied, and then the chunks need their dictionaries no longer.
void gather_texts(const Pass& pass, RawTable& table, std::size_t first, const Context& context) {
  constexpr std::size_t kAhead = 8;
  parallel::for_each_index(context, table.texts.size(), [&](std::size_t slot) {
    ColumnTexts& texts = table.texts[slot];
    for (std::size_t k = first; k < table.chunks.size(); ++k) {
      const auto entries = table.chunks[k].dictionaries[slot].entries();
      const std::vector<std::uint32_t>& uses = table.chunks[k].uses[slot];
      std::vector<std::int32_t>& translation =
          texts.translation.emplace_back(entries.size(), kMissingCode);
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i + kAhead < entries.size()) texts.all.expect(entries[i + kAhead]);
        if (uses[i] == 0) continue;
        texts.present += uses[i];
        texts.bytes += uses[i] * entries[i].text.size();
        translation[i] =
            pass.text_stays ? texts.all.code(entries[i]) : texts.all.code_of_copy(entries[i]);
      }
    }
  });
  for (std::size_t k = first; k < table.chunks.size(); ++k) {
    if (!pass.text_stays) table.chunks[k].dictionaries.clear();
    table.chunks[k].uses.clear();
  }
}

// Chunk k is read into what `table.chunks[first + k]` says.
void read_chunks(const Pass& pass, const std::vector<Chunk>& chunks, RawTable& table,
                 std::size_t first, const Context& context) {
  parallel::for_each_index(context, chunks.size(), [&](std::size_t k) {
    ChunkResult& result = table.chunks[first + k];
    std::unique_ptr<ChunkRoom> room = table.rooms->take(table.codes.size());
    result.dictionaries.resize(table.codes.size());
    for (std::size_t slot = 0; slot < result.dictionaries.size(); ++slot) {
      result.dictionaries[slot].use_room(std::move(room->lookups[slot]));
    }
    ChunkReader(pass, table, result, *room).run(chunks[k]);
    count_uses(table, result);
    count_numbers(pass, table, result);
    for (std::size_t slot = 0; slot < result.dictionaries.size(); ++slot) {
      room->lookups[slot] = result.dictionaries[slot].leave_room();
    }
    table.rooms->give(std::move(room));
  });
  gather_texts(pass, table, first, context);
}

}  // namespace

std::unique_ptr<ChunkRoom> SpareRooms::take(std::size_t slots) {
  std::unique_ptr<ChunkRoom> room;
  {
    const std::lock_guard lock(mutex_);
    if (!rooms_.empty()) {
      room = std::move(rooms_.back());
      rooms_.pop_back();
    }
  }
  if (room == nullptr) room = std::make_unique<ChunkRoom>();
  room->lookups.resize(slots);
  room->recent.resize(slots);
  return room;
}

void SpareRooms::give(std::unique_ptr<ChunkRoom> room) {
  const std::lock_guard lock(mutex_);
  rooms_.push_back(std::move(room));
}

std::size_t numbers_among(const double* values, std::size_t count) {
  return static_cast<std::size_t>(
      std::count_if(values, values + count, [](double x) { return !std::isnan(x); }));
}

void Notes::merge(const Notes& later) {
  if (not_numbers == 0) {
    first_not_number = later.first_not_number;
    first_not_number_row = later.first_not_number_row;
  }
  if (infinite == 0) first_infinite = later.first_infinite;
  if (large_integers == 0) first_large_integer = later.first_large_integer;
  not_numbers += later.not_numbers;
  infinite += later.infinite;
  large_integers += later.large_integers;
}

RawTable empty_columns(const Pass& pass, std::size_t rows, const Context& context) {
  RawTable table;
  table.capacity = rows;
  take_memory(pass, table, context);
  return table;
}

bool append_columns(const Pass& pass, const std::vector<Chunk>& chunks, RawTable& table,
                    const Context& context) {
  const std::size_t before = table.chunks.size();
  std::size_t next = table.next_row;
  for (const Chunk& chunk : chunks) {
    table.chunks.emplace_back().first_row = next;
    next += chunk.records;
  }
  if (next > table.capacity) return false;
  table.next_row = next;
  read_chunks(pass, chunks, table, before, context);
  return true;
}

RawTable read_columns(const Pass& pass, const std::vector<Chunk>& chunks, const Context& context) {
  RawTable table;
  lay_out(pass, chunks, table, context);
  take_memory(pass, table, context);
  read_chunks(pass, chunks, table, 0, context);
  close_gaps(pass, table, context);
  return table;
}

void close_gaps(const Pass& pass, RawTable& table, const Context& context) {
  table.rows = 0;
  std::vector<std::size_t> target(table.chunks.size());
  bool gaps = false;
  for (std::size_t k = 0; k < table.chunks.size(); ++k) {
    target[k] = table.rows;
    table.rows += table.chunks[k].rows;
    gaps = gaps || target[k] != table.chunks[k].first_row;
  }
  parallel::for_each_index(context, gaps ? pass.uses.size() : 0, [&](std::size_t column) {
    const Use use = pass.uses[column];
    const bool numeric = is_number(use);
    for (std::size_t k = 0; k < target.size(); ++k) {
      const std::size_t from = table.chunks[k].first_row;
      const std::size_t count = table.chunks[k].rows;
      if (numeric) {
        double* values = table.column_numbers(column);
        std::copy(values + from, values + from + count, values + target[k]);
      } else if (use == Use::text) {
        std::int32_t* codes = table.codes[table.slot[column]].get();
        std::copy(codes + from, codes + from + count, codes + target[k]);
      }
    }
  });
  for (std::size_t k = 0; k < target.size(); ++k) {
    table.chunks[k].first_row = target[k];
    for (auto& [column, notes] : table.chunks[k].notes) notes.first_not_number_row += target[k];
  }
}

}  // namespace gradus::io
