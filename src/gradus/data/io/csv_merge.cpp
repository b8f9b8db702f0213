#include "gradus/data/io/csv_merge.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/level_order.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::io {
namespace {

// Levels of a column, and the code over them of every merged level.
struct Coding {
  Levels levels;
  std::vector<std::int32_t> codes;
};

Coding sorted_coding(const TextMerge& merge) {
  std::vector<std::string_view> texts;
  texts.reserve(merge.levels.size());
  for (const LevelText& level : merge.levels) texts.push_back(level.text);
  Coding coding;
  coding.levels.reserve(texts.size());
  coding.codes.resize(texts.size());
  for (const std::uint32_t i : level_order(texts)) {
    coding.codes[i] = static_cast<std::int32_t>(coding.levels.size());
    coding.levels.emplace_back(texts[i]);
  }
  return coding;
}

Coding declared_coding(const Levels& levels, const TextMerge& merge, const Pass& pass,
                       std::size_t column) {
  std::unordered_map<std::string_view, std::int32_t> index;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    index.emplace(levels[i], static_cast<std::int32_t>(i));
  }
  Coding coding{levels, {}};
  for (const LevelText& level : merge.levels) {
    const auto found = index.find(level.text);
    if (found == index.end()) {
      throw Error(ErrorKind::bad_data, place_text(pass.name, pass.text, level.offset),
                  fmt::format("column {}: {} is not one of the declared levels",
                              in_quotes(pass.names[column]), in_quotes(level.text)),
                  did_you_mean(level.text, levels));
    }
    coding.codes.push_back(found->second);
  }
  return coding;
}

void require_few(const Pass& pass, std::size_t column, std::size_t categories) {
  if (categories <= pass.options->max_categories) return;
  throw Error(
      ErrorKind::limit, "column " + in_quotes(pass.names[column]),
      fmt::format("{} categories, the limit is {}", categories, pass.options->max_categories),
      fmt::format("read it as text with --text {}, or raise --max-categories",
                  in_quotes(pass.names[column])));
}

// Gives the codes of all rows their final meaning, chunk by chunk.
void translate(const RawTable& table, const TextMerge& merge,
               const std::vector<std::int32_t>& final_codes, std::vector<std::int32_t>& codes,
               const Context& context) {
  parallel::for_each_index(context, table.chunks.size(), [&](std::size_t k) {
    std::vector<std::int32_t> meaning = {kMissingCode};  // of the local code -1, 0, 1, …
    for (const std::int32_t merged : merge.translation[k]) {
      meaning.push_back(merged == kMissingCode ? merged
                                               : final_codes[static_cast<std::size_t>(merged)]);
    }
    std::int32_t* code = codes.data() + table.chunks[k].first_row;
    for (std::size_t i = 0; i < table.chunks[k].rows; ++i) {
      code[i] = meaning[static_cast<std::size_t>(code[i]) + 1];  // -1 wraps round to 0
    }
  });
}

TextBlock texts_of(const RawTable& table, const TextMerge& merge,
                   const std::vector<std::int32_t>& codes) {
  TextBlock block;
  block.reserve(table.rows, merge.bytes);
  for (std::size_t k = 0; k < table.chunks.size(); ++k) {
    const ChunkResult& chunk = table.chunks[k];
    for (std::size_t row = chunk.first_row; row < chunk.first_row + chunk.rows; ++row) {
      if (codes[row] == kMissingCode) {
        block.push_missing();
      } else {
        const std::int32_t merged = merge.translation[k][static_cast<std::size_t>(codes[row])];
        block.push_back(merge.levels[static_cast<std::size_t>(merged)].text);
      }
    }
  }
  return block;
}

}  // namespace

TextMerge merged_texts(const Pass& pass, const RawTable& table, std::size_t column) {
  const std::size_t slot = table.slot[column];
  GRADUS_ASSERT(pass.uses[column] == Use::text);
  TextMerge merge;
  Dictionary all;
  std::size_t most = 0;  // texts, if no chunk had any from another one
  for (const ChunkResult& chunk : table.chunks) most += chunk.dictionaries[slot].size();
  all.reserve(most);
  for (const ChunkResult& chunk : table.chunks) {
    const auto entries = chunk.dictionaries[slot].entries();
    const std::vector<std::uint32_t>& uses = chunk.uses[slot];
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

Column built_text(const TextTask& task, RawTable& table, const Context& context) {
  const Pass& pass = *task.pass;
  const TextMerge& merge = *task.merge;
  const std::string& name = pass.names[task.column];
  std::vector<std::int32_t>& codes = table.codes[table.slot[task.column]];
  if (task.target.kind == ColumnKind::text) {
    return Column::text(name, texts_of(table, merge, codes));
  }
  require_few(pass, task.column, merge.levels.size());
  const Levels& declared = *task.target.declared;
  Coding coding =
      declared.empty() ? sorted_coding(merge) : declared_coding(declared, merge, pass, task.column);
  translate(table, merge, coding.codes, codes, context);
  return task.target.kind == ColumnKind::ordinal
             ? Column::ordinal(name, std::move(codes), std::move(coding.levels))
             : Column::nominal(name, std::move(codes), std::move(coding.levels));
}

}  // namespace gradus::io
