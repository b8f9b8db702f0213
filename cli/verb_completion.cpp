// `gradus completion SHELL`: a script that knows verbs, learners, options, parameters and choices.
#include <fmt/format.h>

#include <algorithm>

#include "common_options.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

// The options of a verb, or of a verb with one learner.
struct Scope {
  std::string verb;
  std::string learner;  // empty: the verb alone
  std::vector<Option> options;
};

std::vector<Scope> all_scopes() {
  std::vector<Scope> scopes;
  for (const Verb& verb : verbs()) {
    scopes.push_back({std::string(verb.name), "", verb.make(nullptr)->syntax().options});
    if (verb.subject == Subject::other) continue;
    for (const Entry* entry : catalogue()) {
      scopes.push_back({std::string(verb.name), std::string(entry->info.name),
                        verb.make(entry)->syntax().options});
    }
  }
  return scopes;
}

std::string verb_names() {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) names.emplace_back(verb.name);
  return join(names, " ");
}

std::string learner_names() {
  std::vector<std::string> names;
  for (const Entry* entry : catalogue()) names.emplace_back(entry->info.name);
  return join(names, " ");
}

// What a verb takes at a place of the command line: `train:2) words='…' ;;`.
std::string bash_operands() {
  std::string out = fmt::format("        help:2) words='{}' ;;\n", verb_names());
  for (const Verb& verb : verbs()) {
    const std::vector<Operand> operands = verb.make(nullptr)->syntax().operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::string& name = operands[i].name;
      const std::string place = operands[i].repeats() ? "*" : std::to_string(i + 2);
      std::string words;
      if (name.find("LEARNER") != std::string::npos) {
        words = learner_names();
      } else if (name.find('|') != std::string::npos) {
        words = join(split_text(name, '|'), " ");
      }
      if (words.empty()) continue;
      out += fmt::format("        {}:{}) words='{}' ;;\n", verb.name, place, words);
    }
  }
  return out;
}

// The place of the learner, where it is not the first word after the verb.
std::string bash_learner_place() {
  std::string verbs_with_kind;
  for (const Verb& verb : verbs()) {
    if (verb.subject != Subject::kind_and_learner) continue;
    verbs_with_kind += (verbs_with_kind.empty() ? "" : "|") + std::string(verb.name);
  }
  return fmt::format("  case \"${{COMP_WORDS[1]}}\" in {}) at=3 ;; esac\n", verbs_with_kind);
}

std::string option_names(const Scope& scope) {
  std::vector<std::string> names = {"--help"};
  for (const Option& option : scope.options) names.push_back(option.name());
  return join(names, " ");
}

// `train:kmeans`, or `list:*` for a verb alone.
std::string pattern_of(const Scope& scope) {
  return scope.verb + ":" + (scope.learner.empty() ? "*" : scope.learner);
}

// The most specific pattern first, as `case` takes the first that fits.
std::vector<Scope> learners_first(std::vector<Scope> scopes) {
  std::stable_partition(scopes.begin(), scopes.end(),
                        [](const Scope& scope) { return !scope.learner.empty(); });
  return scopes;
}

std::string bash_script() {
  const std::vector<Scope> scopes = learners_first(all_scopes());
  std::string script =
      "# Completion of gradus for bash: source it, or put it where bash-completion looks.\n"
      "_gradus() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local at=2 scope words=\n" +
      bash_learner_place() +
      "  scope=\"${COMP_WORDS[1]}:${COMP_WORDS[at]}\"\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  script += fmt::format("    words='{} --help --version'\n", verb_names());
  script += "  else\n    case \"$scope $before\" in\n";
  for (const Scope& scope : scopes) {
    for (const Option& option : scope.options) {
      if (option.choices.empty()) continue;
      script += fmt::format("      {}\\ {}) words='{}' ;;\n", pattern_of(scope), option.name(),
                            join(option.choices, " "));
    }
  }
  script += "    esac\n    if [ -z \"$words\" ] && [ \"${word:0:1}\" = - ]; then\n";
  script += "      case \"$scope\" in\n";
  for (const Scope& scope : scopes) {
    script += fmt::format("        {}) words='{}' ;;\n", pattern_of(scope), option_names(scope));
  }
  script += "      esac\n    elif [ -z \"$words\" ]; then\n";
  script += "      case \"${COMP_WORDS[1]}:$COMP_CWORD\" in\n" + bash_operands();
  script += "      esac\n    fi\n  fi\n";
  script += "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n";
  // Files where nothing else fits.
  script += "complete -o default -F _gradus gradus\n";
  return script;
}

std::string zsh_script() {
  return "#compdef gradus\n"
         "# Completion of gradus for zsh, through zsh's reading of bash completions.\n"
         "autoload -U +X compinit && compinit\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash_script();
}

std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_option(const Scope& scope, const Option& option) {
  std::string condition = "__fish_seen_subcommand_from " + scope.verb;
  if (!scope.learner.empty()) {
    condition += "; and __fish_seen_subcommand_from " + scope.learner;
  }
  std::string line = fmt::format("complete -c gradus -n {} -l {} -d {}", fish_quoted(condition),
                                 option.name().substr(2), fish_quoted(option.help));
  if (option.takes == Takes::value) line += " -r";
  if (!option.choices.empty()) {
    line += fmt::format(" -f -a {}", fish_quoted(join(option.choices, " ")));
  }
  return line + "\n";
}

std::string fish_script() {
  std::string script = "# Completion of gradus for fish.\n";
  for (const Verb& verb : verbs()) {
    script += fmt::format("complete -c gradus -f -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                          fish_quoted(verb.summary));
  }
  std::string takes_learner;
  for (const Verb& verb : verbs()) {
    for (const Operand& operand : verb.make(nullptr)->syntax().operands) {
      if (operand.name.find("LEARNER") == std::string::npos) continue;
      takes_learner += " " + std::string(verb.name);
    }
  }
  script += fmt::format("complete -c gradus -n '__fish_seen_subcommand_from{}' -a {}\n",
                        takes_learner, fish_quoted(learner_names()));
  for (const Scope& scope : all_scopes()) {
    for (const Option& option : scope.options) {
      // A learner's scope repeats the verb's options; only its parameters are new.
      if (!scope.learner.empty() && option.group != "Parameters") continue;
      script += fish_option(scope, option);
    }
  }
  return script;
}

class CompletionCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "completion",
                  .summary = "Prints a completion script for a shell on standard output."};
    syntax.operands.push_back({"bash|zsh|fish", "the shell", [this](const std::string& text) {
                                 shell_ = one_of("SHELL", text, {"bash", "zsh", "fish"});
                               }});
    syntax.examples = {"source <(gradus completion bash)",
                       "gradus completion fish > ~/.config/fish/completions/gradus.fish"};
    return syntax;
  }

  void run() override {
    print_result(shell_ == "bash" ? bash_script() : shell_ == "zsh" ? zsh_script() : fish_script());
  }

 private:
  std::string shell_;
};

}  // namespace

CommandPtr make_completion(const Entry*) { return std::make_unique<CompletionCommand>(); }

}  // namespace gradus::cli
