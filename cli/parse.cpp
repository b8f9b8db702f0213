// The command line through CLI11: it splits words into options, values and operands. What an option
// means, and every message, is ours.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gradus/core/text.hpp"
#include "options.hpp"

namespace gradus::cli {
namespace {

struct Words {
  std::vector<std::string> reversed;      // as CLI11 wants them
  std::vector<std::string> after_dashes;  // after `--`: operands, whatever they look like
};

// CLI11 takes `--name=` for an option without a value; an empty value is a value.
Words prepared(const std::vector<std::string>& words) {
  Words out;
  const auto dashes = std::find(words.begin(), words.end(), "--");
  for (auto word = words.begin(); word != dashes; ++word) {
    const std::size_t equals = word->find('=');
    if (word->starts_with("--") && equals + 1 == word->size()) {
      out.reversed.push_back(word->substr(0, equals));
      out.reversed.emplace_back();
    } else {
      out.reversed.push_back(*word);
    }
  }
  std::reverse(out.reversed.begin(), out.reversed.end());
  if (dashes != words.end()) out.after_dashes.assign(dashes + 1, words.end());
  return out;
}

[[noreturn]] void refuse_unknown(const Syntax& syntax, const std::string& word) {
  if (!word.starts_with('-') || word.size() < 2) {
    std::vector<std::string> wanted;
    for (const Operand& operand : syntax.operands) wanted.push_back(operand.name);
    std::error_code ignored;
    const bool data = syntax.has("--data") && std::filesystem::exists(word, ignored);
    std::string hint = wanted.empty() ? "" : "it takes " + join(wanted, " ");
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos && syntax.has("--" + word.substr(0, equals))) {
      hint = fmt::format("options begin with two dashes: --{} {}", word.substr(0, equals),
                         escape_controls(word.substr(equals + 1)));
    }
    usage_error(in_quotes(word), fmt::format("`gradus {}` does not expect this word", syntax.verb),
                data ? "name the data with --data " + escape_controls(word) : hint);
  }
  const std::string name = word.substr(0, word.find('='));
  // The verbs that read nothing but a table take it as an operand.
  const bool operand = name == "--data" && !syntax.operands.empty() && !syntax.has("--data");
  std::string hint = operand ? fmt::format("name the file without it: gradus {} {}", syntax.verb,
                                           syntax.operands.front().name)
                             : did_you_mean(name, syntax.names());
  if (hint.empty()) {
    const std::string page =
        syntax.learner.empty() ? syntax.verb : syntax.verb + " " + syntax.learner;
    hint = fmt::format("`gradus {} --help` lists the options", page);
  }
  const std::string owner = syntax.learner.empty() ? "gradus " + syntax.verb : syntax.learner;
  const std::string_view kind = syntax.learner.empty() ? "option" : "parameter or option";
  usage_error(name, fmt::format("`{}` has no such {}", owner, kind), hint);
}

CLI::Option* add_option(CLI::App& app, const Option& option) {
  const std::string names = join(option.names, ",");
  if (option.takes == Takes::nothing) return app.add_flag(names)->disable_flag_override();
  CLI::Option* added = app.add_option(names);
  if (option.takes == Takes::maybe_value) {
    added->expected(0, 1)->default_str("true");
  } else {
    added->expected(1);
  }
  // Without this, CLI11 would split a value such as [1,2] by itself.
  added->allow_extra_args(false);
  // All occurrences are kept, so that the message about a repetition can be ours.
  return added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// CLI11 does not say which option lacks its value, or got one that it does not take.
[[noreturn]] void refuse_arity(const Syntax& syntax, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    for (const Option& option : syntax.options) {
      const bool same =
          std::find(option.names.begin(), option.names.end(), name) != option.names.end();
      if (same && option.takes == Takes::nothing && name.size() < word.size()) {
        usage_error(name, fmt::format("this option takes no value (got {})",
                                      in_quotes(word.substr(name.size() + 1))));
      }
    }
  }
  const std::string name = words.empty() ? "" : words.back();
  for (const Option& option : syntax.options) {
    const bool same =
        std::find(option.names.begin(), option.names.end(), name) != option.names.end();
    if (!same || option.choices.empty()) continue;
    usage_error(name, "this option needs a value: one of " + join(option.choices, ", "));
  }
  usage_error(name, "this option needs a value");
}

// `--data --target species`: the second option is no file. Who means it writes `--data=--target`.
void require_values(const Syntax& syntax, const std::vector<std::string>& words) {
  const auto option_called = [&](const std::string& word) -> const Option* {
    for (const Option& option : syntax.options) {
      if (std::find(option.names.begin(), option.names.end(), word) != option.names.end()) {
        return &option;
      }
    }
    return nullptr;
  };
  for (std::size_t i = 0; i + 1 < words.size() && words[i] != "--"; ++i) {
    const Option* option = option_called(words[i]);
    if (option == nullptr || option->takes != Takes::value) continue;
    const std::string& value = words[++i];
    if (!value.starts_with("--") || option_called(value.substr(0, value.find('='))) == nullptr) {
      continue;
    }
    usage_error(words[i - 1], fmt::format("this option needs a value, and {} is an option", value),
                fmt::format("write {}={} if that is meant", words[i - 1], value));
  }
}

void require_once(const Option& option, const CLI::Option& given) {
  if (given.count() > 1 && !option.repeats) {
    usage_error(option.name(), fmt::format("given {} times, allowed once", given.count()));
  }
}

void apply_operands(const Syntax& syntax, const std::vector<std::string>& words) {
  std::size_t next = 0;
  for (const Operand& operand : syntax.operands) {
    if (next == words.size()) {
      usage_error(operand.name, fmt::format("`gradus {}` needs {}", syntax.verb, operand.help),
                  fmt::format("`gradus {} --help` shows how to call it", syntax.verb));
    }
    do {
      operand.set(words[next++]);
    } while (operand.repeats() && next < words.size());
  }
  if (next < words.size()) refuse_unknown(syntax, words[next]);
}

}  // namespace

bool parse(const Syntax& syntax, const std::vector<std::string>& words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  bool help = false;
  app.add_flag("-h,--help", help);
  std::vector<std::pair<const Option*, CLI::Option*>> given;
  for (const Option& option : syntax.options) given.emplace_back(&option, add_option(app, option));

  require_values(syntax, words);
  Words split = prepared(words);
  try {
    app.parse(split.reversed);
  } catch (const CLI::ArgumentMismatch&) {
    refuse_arity(syntax, words);
  } catch (const CLI::ParseError& error) {
    usage_error("", error.what());
  }
  if (help) return false;
  std::vector<std::string> operands = app.remaining();
  for (const std::string& word : operands) {
    if (word.starts_with('-') && word.size() > 1) refuse_unknown(syntax, word);
  }
  operands.insert(operands.end(), split.after_dashes.begin(), split.after_dashes.end());
  for (const auto& [option, parsed] : given) {
    if (parsed->count() == 0) continue;
    require_once(*option, *parsed);
    if (option->takes == Takes::nothing) {
      option->set("");
      continue;
    }
    for (const std::string& value : parsed->results()) option->set(value);
  }
  apply_operands(syntax, operands);
  return true;
}

}  // namespace gradus::cli
