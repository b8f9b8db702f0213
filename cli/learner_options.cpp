#include "learner_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gradus/core/error.hpp"
#include "gradus/core/idle_params.hpp"
#include "gradus/core/read_file.hpp"
#include "gradus/core/text.hpp"
#include "gradus/report/value_blocks.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t kLargestConfig = 16U << 20U;

std::string hyphened(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// Adds a spelling unless the command, or an earlier parameter, has it already.
void add_name(const Syntax& syntax, const std::string& name, std::vector<std::string>& names) {
  for (const std::string& spelled : {"--" + name, "--" + hyphened(name)}) {
    const bool taken = syntax.has(spelled) || spelled == "--help" ||
                       std::find(names.begin(), names.end(), spelled) != names.end();
    if (!taken) names.push_back(spelled);
  }
}

// Options about the data step aside for a parameter of the same name.
void make_room(Syntax& syntax, const std::string& name) {
  for (Option& option : syntax.options) {
    if (!option.group.ends_with("the data")) continue;
    for (std::string& spelled : option.names) {
      const bool same = spelled == "--" + name || spelled == "--" + hyphened(name);
      if (!same) continue;
      option.aside = spelled;
      spelled.insert(2, "data-");
    }
  }
  // What is judged keeps its other spelling.
  for (Option& option : syntax.options) {
    if (option.group == "Measures" && option.names.size() > 1) {
      std::erase(option.names, "--" + name);
    }
  }
}

std::string value_word(const ParamInfo& info) {
  switch (info.type) {
    case ParamType::boolean: return "true|false";
    case ParamType::integer: return "N";
    case ParamType::seed: return "SEED";
    case ParamType::real: return "X";
    case ParamType::text: return "TEXT";
    case ParamType::choice: return "WORD";
    case ParamType::reals: return "X,...";
    case ParamType::texts: return "TEXT,...";
    case ParamType::learner: return "LEARNER";
    case ParamType::choice_or_number: return "WORD|X";
    case ParamType::choice_or_numbers: return "WORD|NAME=X,...";
  }
  return "VALUE";
}

std::string shown_default(const Value& value) {
  if (value.is_null()) return "none";
  if (value.is_string() && value.as_string().empty()) return "empty";
  return value.is_string() ? value.as_string() : to_json(value);
}

std::string help_text(const ParamInfo& info) {
  std::string text(info.text.doc);
  if (!info.text.condition.parameter.empty()) {
    text += fmt::format(" Only with {} = {}.", info.text.condition.parameter,
                        info.text.condition.value);
  }
  std::string unit = info.text.unit.empty() ? "" : fmt::format(", in {}", info.text.unit);
  return fmt::format("{} ({}{}; default {})", text, info.allowed(), unit,
                     shown_default(info.default_value));
}

Option option_of(const ParamInfo& info, const Syntax& syntax, LearnerSettings& settings) {
  const std::string name(info.text.name);
  Option option{.value = value_word(info), .help = help_text(info), .group = "Parameters"};
  add_name(syntax, name, option.names);
  if (option.names.empty()) add_name(syntax, "learner_" + name, option.names);
  for (const std::string& alias : info.aliases()) add_name(syntax, alias, option.names);
  if (info.type == ParamType::seed) add_name(syntax, "seed", option.names);
  option.choices = info.hooks == nullptr ? info.choices : info.hooks->names();
  if (info.type == ParamType::boolean) {
    option.choices = {"true", "false"};
    option.takes = Takes::maybe_value;
  }
  option.set = [&settings, name](const std::string& text) {
    settings.flags.emplace_back(name, text);
  };
  return option;
}

// `file:line:column` of a key, found by its quoted form: good enough to lead the eye.
std::string place_of(const std::string& path, const std::string& text, const std::string& key) {
  const std::size_t at = text.find(to_json(Value(key)));
  if (at == std::string::npos) return path;
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t begin = text.rfind('\n', at);
  const std::size_t column = begin == std::string::npos ? at + 1 : at - begin;
  return fmt::format("{}:{}:{}", path, line, column);
}

void apply_config(AnyLearner& learner, const std::string& path) {
  const std::string text = read_whole_file(path, kLargestConfig);
  try {
    const Value config = parse_json(text, path);
    if (!config.is_object()) {
      usage_error(path, fmt::format("expected an object {{\"parameter\": value, …}}, got {}",
                                    config.type_name()));
    }
    std::map<std::string_view, std::string> spelled;  // parameter: the key that gave it
    for (const auto& [key, value] : config.as_object()) {
      try {
        learner.set(key, value);
        const std::string_view name = find_param(learner.params(), key)->text.name;
        const auto [first, is_new] = spelled.try_emplace(name, key);
        if (!is_new) {
          usage_error("", fmt::format("{} is given twice, as {} and as {}", name,
                                      in_quotes(first->second), in_quotes(key)));
        }
      } catch (const Error& error) {
        usage_error(place_of(path, text, key), error.message(), error.hint());
      }
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_data) throw;
    usage_error(error.where(), error.message(), error.hint());
  }
}

}  // namespace

void add_learner_options(Syntax& syntax, const Entry& entry, LearnerSettings& settings) {
  syntax.learner = entry.info.name;
  syntax.options.push_back(
      {.names = {"--config"},
       .value = "FILE",
       .help = "JSON file {\"parameter\": value, ...}; options on the command line win",
       .group = "Parameters",
       .set = [&settings](const std::string& text) { settings.config_file = text; }});
  for (const ParamInfo& info : entry.params) make_room(syntax, std::string(info.text.name));
  for (const ParamInfo& info : entry.params) {
    Option option = option_of(info, syntax, settings);
    syntax.options.push_back(std::move(option));
  }
}

AnyLearner make_learner(const Entry& entry, const LearnerSettings& settings, const Speech& speech) {
  AnyLearner learner(entry);
  if (!settings.config_file.empty()) apply_config(learner, settings.config_file);
  for (const auto& [name, text] : settings.flags) learner.set_text(name, text);
  warn(speech, idle_params(learner.params(), learner.values()));
  return learner;
}

}  // namespace gradus::cli
