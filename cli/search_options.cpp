#include "search_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"

namespace gradus::cli {
namespace {

SearchMethod method_of(const std::string& option, const std::string& text) {
  const std::vector<std::string> words = method_words();
  const std::string& word = one_of(option, text, words);
  return static_cast<SearchMethod>(std::find(words.begin(), words.end(), word) - words.begin());
}

class OptionList {
 public:
  OptionList(SearchChoice& choice, SearchNames names) : choice_(choice), names_(names) {}

  // `set` gets the name of the option, for messages, and the text.
  template <class Set>
  Option& add(const std::string& name, const char* value, std::string help, Set set) {
    const std::string prefixed = "--search-" + name;
    const bool both = names_ == SearchNames::both;
    const std::string shown = both ? "--" + name : prefixed;
    Option option{.value = value, .help = std::move(help)};
    option.names = both ? std::vector<std::string>{shown, prefixed} : std::vector{shown};
    option.set = [&choice = choice_, shown, set](const std::string& text) {
      if (choice.first_option.empty()) choice.first_option = shown;
      set(shown, text);
    };
    options_.push_back(std::move(option));
    return options_.back();
  }

  void count(const std::string& name, const char* help, std::size_t& target) {
    add(name, "N", help, [&target](const std::string& option, const std::string& text) {
      target = count_of(option, text);
    });
  }

  std::vector<Option> take() { return std::move(options_); }

 private:
  SearchChoice& choice_;
  SearchNames names_;
  std::vector<Option> options_;
};

}  // namespace

std::vector<Option> search_options(SearchChoice& choice, SearchNames names) {
  SearchOptions& search = choice.search;
  OptionList list(choice, names);
  list.add("method", "WORD", "How to search: " + join(method_words(), ", ") + " (default bayes)",
           [&search](const std::string& option, const std::string& text) {
             search.method = method_of(option, text);
           })
      .choices = method_words();
  list.count("trials", "Settings that random, bayes and halving try (default 40)", search.trials);
  list.count("points", "Values per range of grid and telescopic (default 5)", search.points);
  list.count("rounds", "Rounds of telescopic, each finer than the last (default 3)", search.rounds);
  list.count("patience", "Stop after so many settings without a better one (default: never)",
             choice.patience);
  std::vector<Option> out = {
      {.names = {"--search"},
       .value = "P=VALUES",
       .help = "A parameter and its values: alpha=1e-4..10:log, depth=1..20, "
               "criterion=gini,entropy, or its name alone for what its description says; also the "
               "preparation: standardize, encode=one_hot,target; may be repeated (default: every "
               "parameter whose description has a range)",
       .repeats = true,
       .set = [&choice](const std::string& text) { choice.searched.push_back(text); }}};
  for (Option& option : list.take()) out.push_back(std::move(option));
  out.push_back({.names = {"--search-seed"},
                 .value = "SEED",
                 .help = "Seed of random, bayes and halving (default 0)",
                 .set = [&search](const std::string& text) {
                   search.seed = seed_of("--search-seed", text);
                 }});
  return out;
}

SearchSpace space_of(const SearchChoice& choice, const AnyLearner& learner,
                     const LearnerSettings& settings) {
  SearchSpace space;
  for (const std::string& text : choice.searched) {
    const std::optional<Dimension> prepared = preparation_dimension(learner, text);
    space.push_back(prepared ? *prepared : parse_dimension(learner, text));
    for (std::size_t i = 0; i + 1 < space.size(); ++i) {
      if (space[i].parameter == space.back().parameter) {
        usage_error("--search", fmt::format("{} is searched twice", space[i].parameter));
      }
    }
  }
  if (!choice.searched.empty()) return space;
  std::vector<std::string> fixed;
  for (const auto& [name, text] : settings.flags) fixed.push_back(name);
  space = described_space(learner, fixed);
  if (space.empty()) {
    usage_error("--search",
                fmt::format("{} has no parameter with a described range that is still open",
                            learner.info().name),
                "name one with its values: --search NAME=LOW..HIGH or NAME=A,B,C");
  }
  return space;
}

}  // namespace gradus::cli
