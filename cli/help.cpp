// The help pages, written from the same tables that parsing uses.
#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/report/text_layout.hpp"
#include "options.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t kWidth = 96;
constexpr std::size_t kColumn = 32;  // where the explanations begin

std::string entry_line(const std::string& term, const std::string& text) {
  std::string out = "  " + term;
  const bool beside = report::display_width(term) + 4 <= kColumn;
  out += beside ? std::string(kColumn - report::display_width(term) - 2, ' ') : "\n";
  bool first = beside;
  for (const std::string& line : report::wrapped(text, kWidth - kColumn)) {
    if (!first) out += std::string(kColumn, ' ');
    out += line + "\n";
    first = false;
  }
  return out;
}

std::string also_spelled(const Option& option) {
  const std::string hyphens = [&] {
    std::string name = option.name().substr(2);
    std::replace(name.begin(), name.end(), '_', '-');
    return "--" + name;
  }();
  std::vector<std::string> others;
  for (std::size_t i = 1; i < option.names.size(); ++i) {
    // `--n-clusters` for `--n_clusters` goes without saying.
    const std::string& name = option.names[i];
    const bool twin =
        name.find('-', 2) != std::string::npos && (name == hyphens || !others.empty());
    if (!twin) others.push_back(name);
  }
  return others.empty() ? "" : fmt::format(" (also {})", join(others, ", "));
}

std::string usage_line(const Syntax& syntax) {
  std::string line = "Usage: gradus " + syntax.verb;
  for (const Operand& operand : syntax.operands) {
    const bool chosen = operand.name == "LEARNER" && !syntax.learner.empty();
    line += " " + (chosen ? syntax.learner : operand.name);
  }
  return line + (syntax.options.empty() ? "" : " [options]") + "\n";
}

std::vector<std::string> groups_of(const Syntax& syntax) {
  std::vector<std::string> groups;
  for (const Option& option : syntax.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
      groups.push_back(option.group);
    }
  }
  return groups;
}

struct Code {
  int code;
  std::string_view meaning;
};

constexpr Code kCodes[] = {
    {0, "complete success"},
    {1, "a check found a difference or a problem"},
    {2, "a wrong command line, parameter or configuration"},
    {65, "the data or the model file is not what it claims to be"},
    {66, "an input is missing"},
    {69, "a server or another process went away"},
    {70, "a bug of ours; please report it"},
    {71, "a limit of memory, size or time was reached"},
    {73, "the output cannot be created, or exists and --force is not given"},
    {74, "reading or writing failed half way; also when the reader of our output went away"},
    {75,
     "stopped by Ctrl-C or a termination signal; a checkpoint, a journal or a partial model keeps "
     "the work so far"},
    {76, "the arithmetic cannot give a finite answer"},
    {77, "the operating system does not permit it"},
    {130, "stopped by Ctrl-C or a termination signal; nothing was written"},
};

}  // namespace

std::string help_page(const Syntax& syntax) {
  std::string page = usage_line(syntax);
  for (const std::string& line : report::wrapped(syntax.summary, kWidth)) page += line + "\n";
  if (!syntax.operands.empty()) page += "\n";
  for (const Operand& operand : syntax.operands) page += entry_line(operand.name, operand.help);
  for (const std::string& group : groups_of(syntax)) {
    page += "\n" + (group.empty() ? "Options" : group) + ":\n";
    for (const Option& option : syntax.options) {
      if (option.group != group) continue;
      page += entry_line(option.spelled(), option.help + also_spelled(option));
    }
  }
  if (!syntax.examples.empty()) page += "\nExamples:\n";
  for (const std::string& example : syntax.examples) page += "  " + example + "\n";
  return page;
}

std::string command_page() {
  std::string page =
      "Usage: gradus VERB ...\n"
      "Machine learning that shows its work.\n\nVerbs:\n";
  for (const Verb& verb : verbs()) {
    page += entry_line(std::string(verb.name), std::string(verb.summary));
  }
  page += "\nLearners:\n";
  for (const Entry* entry : catalogue()) {
    page += entry_line(std::string(entry->info.name), std::string(entry->info.summary));
  }
  page +=
      "\n`gradus VERB --help` or `gradus help VERB` explains a verb, `gradus train LEARNER --help` "
      "a\n"
      "learner's parameters; `gradus --version` prints the version.\n\nExit codes:\n";
  for (const auto& [code, meaning] : kCodes) {
    page += entry_line(std::to_string(code), std::string(meaning));
  }
  return page;
}

}  // namespace gradus::cli
