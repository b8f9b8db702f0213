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

Coding sorted_coding(const Dictionary& all, const Context& context) {
  constexpr std::size_t kBlock = 8192;
  std::vector<std::string_view> texts;
  texts.reserve(all.size());
  for (const auto& entry : all.entries()) texts.push_back(entry.text);
  const std::vector<std::uint32_t> order = level_order(texts);
  Coding coding;
  coding.levels.resize(texts.size());
  coding.codes.resize(texts.size());
  parallel::for_each_block(context, order.size(), kBlock, [&](parallel::Block block) {
    for (std::size_t i = block.begin; i < block.end; ++i) {
      coding.codes[order[i]] = static_cast<std::int32_t>(i);
      coding.levels[i].assign(texts[order[i]]);
    }
  });
  return coding;
}

Coding declared_coding(const Levels& levels, const Dictionary& all, const Pass& pass,
                       std::size_t column) {
  std::unordered_map<std::string_view, std::int32_t> index;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    index.emplace(levels[i], static_cast<std::int32_t>(i));
  }
  Coding coding{levels, {}};
  for (const Dictionary::Entry& level : all.entries()) {
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
void translate(const RawTable& table, std::size_t slot,
               const std::vector<std::int32_t>& final_codes, const Context& context) {
  parallel::for_each_index(context, table.chunks.size(), [&](std::size_t k) {
    std::vector<std::int32_t> meaning = {kMissingCode};  // of the local code -1, 0, 1, …
    for (const std::int32_t merged : table.texts[slot].translation[k]) {
      meaning.push_back(merged == kMissingCode ? merged
                                               : final_codes[static_cast<std::size_t>(merged)]);
    }
    std::int32_t* code = table.codes[slot].get() + table.chunks[k].first_row;
    for (std::size_t i = 0; i < table.chunks[k].rows; ++i) {
      code[i] = meaning[static_cast<std::size_t>(code[i]) + 1];  // -1 wraps round to 0
    }
  });
}

TextBlock texts_of(const RawTable& table, std::size_t slot) {
  const ColumnTexts& texts = table.texts[slot];
  const std::int32_t* codes = table.codes[slot].get();
  TextBlock block;
  block.reserve(table.rows, texts.bytes);
  for (std::size_t k = 0; k < table.chunks.size(); ++k) {
    const ChunkResult& chunk = table.chunks[k];
    for (std::size_t row = chunk.first_row; row < chunk.first_row + chunk.rows; ++row) {
      if (codes[row] == kMissingCode) {
        block.push_missing();
      } else {
        const std::int32_t merged = texts.translation[k][static_cast<std::size_t>(codes[row])];
        block.push_back(texts.all.entries()[static_cast<std::size_t>(merged)].text);
      }
    }
  }
  return block;
}

}  // namespace

Column built_text(const TextTask& task, RawTable& table, const Context& context) {
  const Pass& pass = *task.pass;
  GRADUS_ASSERT(pass.uses[task.column] == Use::text);
  const std::size_t slot = table.slot[task.column];
  const std::string& name = pass.names[task.column];
  if (task.target.kind == ColumnKind::text) return Column::text(name, texts_of(table, slot));
  const Dictionary& all = table.texts[slot].all;
  require_few(pass, task.column, all.size());
  const Levels& declared = *task.target.declared;
  Coding coding = declared.empty() ? sorted_coding(all, context)
                                   : declared_coding(declared, all, pass, task.column);
  translate(table, slot, coding.codes, context);
  const std::shared_ptr<std::int32_t[]>& codes = table.codes[slot];
  return Column::categorical_view(name, task.target.kind, {codes.get(), table.rows},
                                  std::move(coding.levels), codes);
}

}  // namespace gradus::io
