#include "gradus/report/preparation.hpp"

#include <fmt/format.h>

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

std::string kind_text(const SourceColumn& source) {
  std::string kind(kind_word(source.kind));
  if (!source.levels.empty()) kind += fmt::format(", {}", counted(source.levels.size(), "level"));
  return kind;
}

std::string encoding_text(const FeaturesOfSource& features) {
  const PreparedFeature& first = *features.front();
  if (first.op == FeatureOp::indicator) {
    return fmt::format("{} (one per level)", counted(features.size(), "0/1 column"));
  }
  return first.op == FeatureOp::lookup ? "a number per level" : "";
}

// What replaces a missing cell, in the words of the source column.
std::string filled_text(const SourceColumn& source, const FeaturesOfSource& features) {
  const PreparedFeature& first = *features.front();
  if (std::isnan(first.fill)) return {};
  if (source.levels.empty()) return "missing becomes " + readable(first.fill);
  for (const PreparedFeature* feature : features) {
    const auto level = static_cast<std::size_t>(feature->level);
    if (feature->op == FeatureOp::indicator && feature->fill == 1 && level < source.levels.size()) {
      return "missing becomes " + in_quotes(source.levels[level]);
    }
  }
  return "missing becomes " + readable(first.fill);
}

std::string treatment(const SourceColumn& source, const FeaturesOfSource& features) {
  std::vector<std::string> parts;
  const auto add = [&](std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
  };
  add(encoding_text(features));
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
    std::string how = treatment(source, features);
    const bool plain = features.front()->op == FeatureOp::value && features.front()->shift == 0 &&
                       features.front()->scale == 1;
    if (shown == Shown::changed && missing == 0 && plain) continue;
    if (how.empty()) how = missing > 0 ? missing_words(info) : "as it is";
    std::vector<std::string> cells = {source.name, kind_text(source)};
    if (data != nullptr) cells.push_back(std::to_string(missing));
    cells.push_back(how);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace gradus::report
