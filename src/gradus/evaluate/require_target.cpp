#include "gradus/evaluate/require_target.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

bool is_feature(const AnyModel& model, const std::string& name) {
  const std::vector<SourceColumn>& sources = model.preparation().sources;
  return std::any_of(sources.begin(), sources.end(),
                     [&](const SourceColumn& source) { return source.name == name; });
}

}  // namespace

void require_target(const AnyModel& model, const Dataset& data, const std::string& where) {
  if (model.signature().task == Task::cluster) return;
  for (const std::string& name : model.signature().outputs) {
    if (data.find(name) != nullptr) continue;
    std::vector<std::string> others = data.names();
    std::erase_if(others, [&](const std::string& other) { return is_feature(model, other); });
    const std::string near = did_you_mean(name, others);
    throw Error(ErrorKind::bad_data, where,
                fmt::format("there is no column {}, the target of the model", in_quotes(name)),
                near.empty() ? "name the column with the truth: --target COL" : near);
  }
}

Dataset with_target(const AnyModel& model, const Dataset& data,
                    const std::vector<std::string>& columns) {
  if (columns.empty()) return data;
  const std::vector<std::string>& outputs = model.signature().outputs;
  if (columns.size() != outputs.size()) {
    throw Error(ErrorKind::usage, "--target",
                fmt::format("the model has {} (got {})", counted(outputs.size(), "target"),
                            counted(columns.size(), "column")),
                "name a column for each of " + join(outputs, ", "));
  }
  std::vector<Column> truths;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Column& column = data.column(columns[k]);
    if (is_feature(model, columns[k])) {
      throw Error(ErrorKind::usage, "--target",
                  fmt::format("the model reads {} as a feature", in_quotes(columns[k])),
                  "name the column with the truth");
    }
    truths.push_back(column.renamed(outputs[k]));
  }
  Dataset out = data;
  for (const std::string& name : columns) out = out.without(name);
  for (Column& truth : truths) out = out.with_column(std::move(truth));
  return out;
}

}  // namespace gradus
