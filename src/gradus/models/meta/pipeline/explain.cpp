#include "gradus/models/meta/pipeline/explain.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gradus/blocks/tree/level_words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// Columns that are told one by one.
constexpr std::size_t kToldColumns = 50;

Step told_column(const PipelineModel& model, const FeatureName& column, std::size_t j) {
  Step step{.title = "Prepare " + column.name, .path = "columns/" + column.name};
  step.values = object({{"shift", model.shift[j]}, {"scale", model.scale[j]}});
  if (!std::isnan(model.fill[j])) {
    step.values["fill"] = model.fill[j];
    const bool by_level = column.nominal || !column.order.empty();
    const std::string cell =
        by_level ? number_in_words(column, model.fill[j]) : readable(model.fill[j]);
    step.text = fmt::format("A missing cell becomes {}. ", cell);
  }
  if (model.shift[j] == 0 && model.scale[j] == 1) {
    step.text += "The column stays as it is.";
  } else {
    step.formula =
        fmt::format("x' = (x - {}) · {}", readable(model.shift[j]), readable(model.scale[j]));
    step.text += "The same numbers serve every row that will be asked about.";
  }
  return step;
}

Step told_selection(const PipelineModel& model, const FeatureNames& names) {
  Step step{.title = "Select the columns", .path = "selection"};
  step.formula = "share explained = r² (numbers), between the classes / all (classes)";
  for (std::size_t j = 0; j < model.explained.size(); ++j) {
    step.values[names[j].name] = model.explained[j];
  }
  step.text = model.kept.empty()
                  ? "There are no more columns than are kept."
                  : fmt::format("{} of {} are kept, those that explain most by themselves.",
                                model.kept.size(), counted(names.size(), "column"));
  return step;
}

}  // namespace

void tell_stations(const PipelineModel& model, const Signature& signature, Trace& trace) {
  for (std::size_t j = 0; j < signature.features.size() && j < kToldColumns; ++j) {
    trace.add(told_column(model, signature.features[j], j));
  }
  Signature wide = signature;
  if (!model.basis.empty()) {
    wide = model.basis.front().expanded(signature);
    Step step{.title = "Expand the columns", .path = "basis"};
    step.values = object({{"functions", Value(model.basis.front().names(signature))}});
    step.text =
        fmt::format("{} of the columns stand for them.", counted(wide.features.size(), "function"));
    trace.add(std::move(step));
  }
  if (!model.explained.empty()) trace.add(told_selection(model, wide.features));
  if (!model.project.empty()) {
    Step step{.title = "Project the columns", .path = "projection"};
    std::vector<std::string> names;
    for (const FeatureName& feature : model.seen(signature).features) {
      names.push_back(feature.name);
    }
    step.values = object({{"coordinates", Value(names)}});
    step.text = fmt::format("{} of {} stand for the columns.", counted(names.size(), "coordinate"),
                            model.project.front().entry().info.name);
    trace.add(std::move(step));
  }
}

}  // namespace gradus
