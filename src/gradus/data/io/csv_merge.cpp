#include "gradus/data/io/csv_merge.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus::io {
namespace {

// The new code of every merged level, over `levels`.
std::vector<std::int32_t> codes_over(const Levels& levels, const TextMerge& merge, const Pass& pass,
                                     std::size_t column) {
  std::unordered_map<std::string_view, std::int32_t> index;
  index.reserve(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    index.emplace(levels[i], static_cast<std::int32_t>(i));
  }
  std::vector<std::int32_t> codes;
  codes.reserve(merge.levels.size());
  for (const LevelText& level : merge.levels) {
    const auto found = index.find(level.text);
    if (found == index.end()) {
      throw Error(ErrorKind::bad_data, place_text(pass.name, pass.text, level.offset),
                  fmt::format("column {}: {} is not one of the declared levels",
                              in_quotes(pass.names[column]), in_quotes(level.text)),
                  did_you_mean(level.text, levels));
    }
    codes.push_back(found->second);
  }
  return codes;
}

Levels sorted_levels(const TextMerge& merge) {
  Levels levels;
  levels.reserve(merge.levels.size());
  for (const LevelText& level : merge.levels) levels.emplace_back(level.text);
  sort_levels(levels);
  return levels;
}

void require_few(const Pass& pass, std::size_t column, std::size_t categories) {
  if (categories <= pass.options->max_categories) return;
  throw Error(
      ErrorKind::limit, "column " + in_quotes(pass.names[column]),
      fmt::format("{} categories, the limit is {}", categories, pass.options->max_categories),
      fmt::format("read it as text with --text {}, or raise --max-categories",
                  in_quotes(pass.names[column])));
}

// Only texts of rows that were kept count: a rejected row may have left some behind.
std::vector<std::size_t> uses_of(const RawTable& table, const ChunkResult& chunk,
                                 std::size_t slot) {
  std::vector<std::size_t> uses(chunk.dictionaries[slot].size(), 0);
  const std::int32_t* codes = table.codes[slot].data() + chunk.first_row;
  for (std::size_t row = 0; row < chunk.rows; ++row) {
    if (codes[row] != kMissingCode) ++uses[static_cast<std::size_t>(codes[row])];
  }
  return uses;
}

}  // namespace

TextMerge merged_texts(const Pass& pass, const RawTable& table, std::size_t column) {
  const std::size_t slot = table.slot[column];
  GRADUS_ASSERT(pass.uses[column] == Use::text);
  TextMerge merge;
  Dictionary all;
  for (const ChunkResult& chunk : table.chunks) {
    const auto entries = chunk.dictionaries[slot].entries();
    const std::vector<std::size_t> uses = uses_of(table, chunk, slot);
    std::vector<std::int32_t> translation(entries.size(), kMissingCode);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (uses[i] == 0) continue;
      merge.present += uses[i];
      merge.bytes += uses[i] * entries[i].text.size();
      translation[i] = all.code(entries[i].text, entries[i].offset);
    }
    merge.translation.push_back(std::move(translation));
  }
  merge.levels.reserve(all.size());
  for (const auto& entry : all.entries()) merge.levels.push_back({entry.text, entry.offset});
  return merge;
}

Column built_text(const Pass& pass, RawTable& table, std::size_t column, const TextMerge& merge,
                  const TextTarget& target) {
  std::vector<std::int32_t>& codes = table.codes[table.slot[column]];
  const bool text = target.kind == ColumnKind::text;
  Levels levels;
  std::vector<std::int32_t> final_codes;
  if (!text) {
    require_few(pass, column, merge.levels.size());
    levels = target.declared->empty() ? sorted_levels(merge) : *target.declared;
    final_codes = codes_over(levels, merge, pass, column);
  }
  TextBlock block;
  if (text) block.reserve(table.rows, merge.bytes);
  for (std::size_t k = 0; k < table.chunks.size(); ++k) {
    const ChunkResult& chunk = table.chunks[k];
    for (std::size_t row = chunk.first_row; row < chunk.first_row + chunk.rows; ++row) {
      const std::int32_t local = codes[row];
      const std::int32_t merged =
          local == kMissingCode ? local : merge.translation[k][static_cast<std::size_t>(local)];
      if (!text) {
        if (merged != kMissingCode) codes[row] = final_codes[static_cast<std::size_t>(merged)];
      } else if (merged == kMissingCode) {
        block.push_missing();
      } else {
        block.push_back(merge.levels[static_cast<std::size_t>(merged)].text);
      }
    }
  }
  const std::string& name = pass.names[column];
  if (text) return Column::text(name, std::move(block));
  return target.kind == ColumnKind::ordinal
             ? Column::ordinal(name, std::move(codes), std::move(levels))
             : Column::nominal(name, std::move(codes), std::move(levels));
}

}  // namespace gradus::io
