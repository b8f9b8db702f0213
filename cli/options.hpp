// The options of a verb as data: what parsing, `--help`, "did you mean" and shell completion share.
//
//   Syntax syntax{.verb = "predict"};
//   syntax.operands.push_back({"MODEL", "a model file", [&](const std::string& s) { model = s; }});
//   syntax.options.push_back({.names = {"--data"}, .value = "FILE", .help = "…", .set = …});
//   parse(syntax, words);      // Error{usage} for whatever does not fit
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gradus::cli {

// Whether an option is followed by a value.
enum class Takes { value, nothing, maybe_value };

struct Option {
  std::vector<std::string> names = {};  // "--data"; the first one is printed
  std::string value = {};               // what follows, in capitals: "FILE"
  std::string help = {};
  std::string group = {};
  std::vector<std::string> choices = {};  // for completion and messages; empty: anything
  Takes takes = Takes::value;
  bool repeats = false;    // may be given several times; `set` is called for each, in order
  std::string aside = {};  // the name that it left to a parameter of the learner: "--nominal"
  std::function<void(const std::string& text)> set = {};  // "" for an option that stands alone

  const std::string& name() const { return names.front(); }
  std::string spelled() const;  // "--data FILE"
};

struct Operand {
  std::string name;  // "MODEL", "DATA..." when several may follow
  std::string help;
  std::function<void(const std::string& text)> set;
  bool repeats() const { return name.ends_with("..."); }
};

struct Syntax {
  std::string verb = {};
  std::string summary = {};
  std::string learner = {};  // set when the options of one learner are among them
  std::vector<Operand> operands = {};
  std::vector<Option> options = {};
  std::vector<std::string> examples = {};

  bool has(std::string_view name) const;
  std::vector<std::string> names() const;
};

// The options under one heading of the help.
void add_grouped(Syntax& syntax, const char* group, std::vector<Option> options);

// What a mistake in the command line throws.
[[noreturn]] void usage_error(std::string where, std::string message, std::string hint = {});

// Checks the words against the syntax and calls `set` of each option and operand, in order.
// Returns false, and calls nothing, when help was asked for.
bool parse(const Syntax& syntax, const std::vector<std::string>& words);

// The help page of a verb, and the page of the whole command.
std::string help_page(const Syntax& syntax);

// Values of options. Each throws Error{usage} that names the option.
std::vector<std::string> list_of(const std::string& option, const std::string& text);
std::size_t count_of(const std::string& option, const std::string& text, std::size_t least = 1);
std::uint64_t seed_of(const std::string& option, const std::string& text);
double number_of(const std::string& option, const std::string& text);
std::uint64_t bytes_of(const std::string& option, const std::string& text);  // "4G", "512M", "100"
double seconds_of(const std::string& option, const std::string& text);       // "90", "1s", "5m"
char character_of(const std::string& option, const std::string& text);       // "," ";" "tab" "\t"
const std::string& one_of(const std::string& option, const std::string& text,
                          const std::vector<std::string>& choices);

}  // namespace gradus::cli
