#include "model_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/api/save.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/text.hpp"
#include "gradus/report/parameters.hpp"
#include "gradus/report/preparation.hpp"
#include "gradus/report/value_blocks.hpp"
#include "signals.hpp"

namespace gradus::cli {

Value parameters_value(const ParamValues& values) {
  Value out = object();
  for (const auto& [name, value] : values) out[name] = value;
  return out;
}

Value target_value(const Signature& signature) {
  if (signature.task == Task::cluster || signature.outputs.empty()) return {};
  return signature.outputs.size() == 1 ? Value(signature.outputs.front())
                                       : Value(signature.outputs);
}

std::vector<std::string> feature_columns(const Preparation& preparation) {
  std::vector<std::string> names;
  for (const SourceColumn& source : preparation.sources) names.push_back(source.name);
  for (std::int64_t j = 0; preparation.sparse && j < preparation.sparse_columns; ++j) {
    names.push_back(fmt::format("{}{}", preparation.sparse_prefix, j + preparation.sparse_first));
  }
  return names;
}

Value unfinished_value(const AnyModel& model) {
  const Unfinished& work = model.provenance().unfinished;
  return object({{"unit", work.unit}, {"done", work.done}, {"planned", work.planned}});
}

std::string unfinished_text(const AnyModel& model) {
  const Unfinished& work = model.provenance().unfinished;
  return fmt::format("stopped after {} of {}", work.done,
                     counted(static_cast<std::size_t>(work.planned), work.unit,
                             work.unit + (work.unit.ends_with('s') ? "es" : "s")));
}

namespace {

// The target is put to use, though not as a feature.
std::vector<std::string> unused_columns(const AnyModel& model) {
  std::vector<std::string> names = model.preparation().unused;
  for (const std::string& target : model.signature().outputs) std::erase(names, target);
  return names;
}

bool has_categories(const Preparation& preparation) {
  return std::any_of(preparation.sources.begin(), preparation.sources.end(),
                     [](const SourceColumn& source) { return !source.levels.empty(); });
}

}  // namespace

Value model_value(const AnyModel& model, const std::string& file) {
  const Preparation& preparation = model.preparation();
  Value columns = Value::Array();
  for (const SourceColumn& source : preparation.sources) {
    columns.push_back(object({{"name", source.name},
                              {"kind", kind_word(source.kind)},
                              {"levels", Value(source.levels)}}));
  }
  Value prepared = Value::Array();
  for (const PreparedFeature& feature : preparation.features) {
    Value one = object({{"name", feature.name}});
    const auto source = static_cast<std::size_t>(feature.source);
    one["column"] = preparation.sources[source].name;
    one["op"] = enum_names(feature.op)[static_cast<std::size_t>(feature.op)];
    const Levels& levels = preparation.sources[source].levels;
    if (feature.op == FeatureOp::indicator) {
      one["level"] = levels[static_cast<std::size_t>(feature.level)];
    }
    if (feature.op == FeatureOp::lookup) {
      Value::Object table;
      for (std::size_t i = 0; i < levels.size(); ++i)
        table.emplace_back(levels[i], feature.table[i]);
      one["table"] = Value(std::move(table));
    }
    one["fill"] = feature.fill;
    one["shift"] = feature.shift;
    one["scale"] = feature.scale;
    prepared.push_back(std::move(one));
  }
  const Provenance& from = model.provenance();
  Value out = object({{"model", file}, {"learner", model.info().name}});
  out["parameters"] = parameters_value(model.learner().values());
  out["task"] = task_word(model.signature().task);
  out["target"] = target_value(model.signature());
  out["classes"] = Value(model.signature().classes);
  out["columns"] = std::move(columns);
  out["prepared"] = std::move(prepared);
  out["unseen"] = enum_names(preparation.unseen)[static_cast<std::size_t>(preparation.unseen)];
  out["unused"] = Value(unused_columns(model));
  out["provenance"] = object({{"version", from.version},
                              {"data_fingerprint", from.data_fingerprint},
                              {"rows", from.rows}});
  if (from.partial()) out["provenance"]["partial"] = unfinished_value(model);
  out["fingerprint"] = model.fingerprint();
  out["fitted"] = model.fitted();
  return out;
}

report::Document model_page(const AnyModel& model, const std::string& file) {
  const Signature& signature = model.signature();
  report::Document page{.title = file, .subtitle = std::string(model.info().summary)};
  report::KeyValues facts{{{"learner", std::string(model.info().name)},
                           {"task", std::string(task_word(signature.task))}}};
  const auto add = [&](const char* key, std::string value) {
    if (!value.empty()) facts.items.emplace_back(key, std::move(value));
  };
  add("target", join(signature.outputs, ", "));
  add("classes", join(signature.classes, ", "));
  add("rows learned from", fmt::format("{}", model.provenance().rows));
  if (model.provenance().partial()) add("partial", unfinished_text(model));
  if (has_categories(model.preparation())) {
    const char* const policies[] = {"taken as missing", "refused", "taken as the level (other)"};
    add("unseen categories", policies[static_cast<std::size_t>(model.preparation().unseen)]);
  }
  add("columns unused", join(unused_columns(model), ", "));
  add("data fingerprint", model.provenance().data_fingerprint);
  add("written by", "Gradus " + model.provenance().version);
  add("fingerprint", model.fingerprint());
  page.add(std::move(facts));
  page.add(report::Heading{"Columns"});
  page.add(
      report::preparation_table(model.preparation(), model.info(), nullptr, report::Shown::all));
  page.add(report::Heading{"Parameters (* is not the default)"});
  page.add(report::parameter_values(model.learner().params(), model.learner().values()));
  page.add(report::Heading{"What was learned"});
  page.add(report::value_blocks(model.fitted()));
  return page;
}

void save_model(const AnyModel& model, const std::string& file, Overwrite overwrite,
                const std::function<void()>& tell) {
  const UndisturbedOutput undisturbed(file);
  OutputFile out(file, overwrite);
  out.write(to_bytes(model));
  out.flush();
  tell();
  out.commit();
}

}  // namespace gradus::cli
