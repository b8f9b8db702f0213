#include "gradus/report/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

using FeaturesOfSource = std::vector<const PreparedFeature*>;

std::vector<FeaturesOfSource> features_by_source(const Preparation& preparation) {
  std::vector<FeaturesOfSource> found(preparation.sources.size());
  for (const PreparedFeature& feature : preparation.features) {
    found[static_cast<std::size_t>(feature.source)].push_back(&feature);
  }
  return found;
}

// A column may have thousands of levels; the JSON has them all.
constexpr std::size_t kShownLevels = 8;

// The first levels, each as `one` writes it.
template <class One>
std::string levels_text(const Levels& levels, One one) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(levels.size(), kShownLevels); ++i) shown.push_back(one(i));
  const std::size_t more = levels.size() - shown.size();
  return join(shown, ", ") + (more == 0 ? "" : fmt::format(" and {} more", more));
}

std::string kind_text(const SourceColumn& source, Shown shown) {
  std::string kind(kind_word(source.kind));
  if (source.levels.empty()) return kind;
  kind += fmt::format(", {}", counted(source.levels.size(), "level"));
  if (shown == Shown::changed) return kind;
  const bool ordered = source.kind == ColumnKind::ordinal;
  return kind + (ordered ? " in order: " : ": ") +
         levels_text(source.levels, [&](std::size_t i) { return in_quotes(source.levels[i]); });
}

// The level without a 0/1 column of its own (dummy coding leaves the first out); null: none.
const std::string* base_level(const SourceColumn& source, const FeaturesOfSource& features) {
  std::vector<bool> has(source.levels.size(), false);
  for (const PreparedFeature* feature : features) {
    const auto level = static_cast<std::size_t>(feature->level);
    if (feature->op == FeatureOp::indicator && level < has.size()) has[level] = true;
  }
  const auto found = std::find(has.begin(), has.end(), false);
  if (features.front()->op != FeatureOp::indicator || found == has.end()) return nullptr;
  return &source.levels[static_cast<std::size_t>(found - has.begin())];
}

std::string encoding_text(const SourceColumn& source, const FeaturesOfSource& features,
                          Shown shown) {
  const PreparedFeature& first = *features.front();
  if (first.op == FeatureOp::indicator) {
    const std::string* base = base_level(source, features);
    return fmt::format(
        "{} ({})", counted(features.size(), "0/1 column"),
        base == nullptr
            ? "one per level"
            : fmt::format("one per level but the base {}, where all are 0", in_quotes(*base)));
  }
  if (first.op != FeatureOp::lookup) return {};
  if (shown == Shown::changed || first.table.size() < source.levels.size()) {
    return "a number per level";
  }
  return "a number per level: " + levels_text(source.levels, [&](std::size_t i) {
           return fmt::format("{} {}", in_quotes(source.levels[i]), readable(first.table[i]));
         });
}

// The level that a missing cell counts as; null: none, or it is a number.
const std::string* filled_level(const SourceColumn& source, const FeaturesOfSource& features) {
  const PreparedFeature& first = *features.front();
  const auto named = [&](std::size_t level) {
    return level < source.levels.size() ? &source.levels[level] : nullptr;
  };
  if (first.op == FeatureOp::value) {
    const bool code = first.fill >= 0 && first.fill < static_cast<double>(source.levels.size());
    return code ? named(static_cast<std::size_t>(first.fill)) : nullptr;
  }
  if (first.op == FeatureOp::lookup) {
    const bool unique = std::count(first.table.begin(), first.table.end(), first.fill) == 1;
    const auto at = std::find(first.table.begin(), first.table.end(), first.fill);
    return unique ? named(static_cast<std::size_t>(at - first.table.begin())) : nullptr;
  }
  for (const PreparedFeature* feature : features) {
    if (feature->fill == 1) return named(static_cast<std::size_t>(feature->level));
  }
  return base_level(source, features);
}

// What replaces a missing cell, in the words of the source column.
std::string filled_text(const SourceColumn& source, const FeaturesOfSource& features) {
  const PreparedFeature& first = *features.front();
  if (std::isnan(first.fill)) return {};
  const std::string* level = source.levels.empty() ? nullptr : filled_level(source, features);
  return "missing becomes " + (level == nullptr ? readable(first.fill) : in_quotes(*level));
}

std::string treatment(const Preparation& preparation, const SourceColumn& source,
                      const FeaturesOfSource& features, Shown shown) {
  std::vector<std::string> parts;
  const auto add = [&](std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
  };
  add(preparation.is_place(*features.front()) ? "the places of its levels, in their order"
                                              : encoding_text(source, features, shown));
  add(filled_text(source, features));
  const PreparedFeature& first = *features.front();
  if (first.shift != 0 || first.scale != 1) {
    add(fmt::format("(x − {}) × {}", readable(first.shift), readable(first.scale)));
  }
  return join(parts, "; ");
}

std::size_t missing_cells(const Dataset* data, const std::string& name) {
  const Column* column = data == nullptr ? nullptr : data->find(name);
  return column == nullptr ? 0 : column->missing_count();
}

std::string missing_words(const Info& info) {
  return info.accepts.has(Accept::missing_at_prediction)
             ? "missing becomes the most frequent level in training, and stays missing at "
               "prediction"
             : "missing stays missing";
}

}  // namespace

Table preparation_table(const Preparation& preparation, const Info& info, const Dataset* data,
                        Shown shown) {
  Table table{.header = {"column", "kind"}};
  if (data != nullptr) {
    table.header.emplace_back("missing");
    table.align = {Align::left, Align::left, Align::right};
  }
  table.header.emplace_back("becomes");
  const std::vector<FeaturesOfSource> by_source = features_by_source(preparation);
  for (std::size_t i = 0; i < preparation.sources.size(); ++i) {
    const SourceColumn& source = preparation.sources[i];
    const FeaturesOfSource& features = by_source[i];
    if (features.empty()) continue;
    const std::size_t missing = missing_cells(data, source.name);
    std::string how = treatment(preparation, source, features, shown);
    const bool plain = features.front()->op == FeatureOp::value && features.front()->shift == 0 &&
                       features.front()->scale == 1;
    if (shown == Shown::changed && missing == 0 && plain) continue;
    if (how.empty()) how = missing > 0 ? missing_words(info) : "as it is";
    std::vector<std::string> cells = {source.name, kind_text(source, shown)};
    if (data != nullptr) cells.push_back(std::to_string(missing));
    cells.push_back(how);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace gradus::report
