// Every parameter of every learner, at, inside and outside its bounds, from its description alone.
#include <cmath>
#include <filesystem>
#include <regex>
#include <set>

#include "conformance/learner_case.hpp"
#include "gradus/contract/info_value.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "support/source_path.hpp"

namespace gradus::conformance {
namespace {

class Description : public EveryLearner {};
GRADUS_FOR_EVERY_LEARNER(Description);

bool is_sentence(std::string_view text) { return text.size() > 5 && text.back() == '.'; }

TEST_P(Description, is_complete) {
  EXPECT_TRUE(std::regex_match(std::string(info().name), std::regex("[a-z][a-z0-9_]*")));
  EXPECT_TRUE(is_sentence(info().summary)) << info().summary;
  const std::filesystem::path folder =
      source_path("src/gradus/models") / info().family / info().name;
  EXPECT_TRUE(std::filesystem::exists(folder / "notes.md")) << folder;
}

TEST_P(Description, says_what_the_learner_does_with_its_defaults) {
  EXPECT_EQ(to_json(to_value(learner().info())), to_json(to_value(info())));
}

TEST_P(Description, names_every_parameter_once) {
  std::set<std::string> names;
  for (const ParamInfo& param : GetParam().entry->params) {
    EXPECT_TRUE(is_sentence(param.text.doc)) << param.text.name;
    EXPECT_TRUE(names.emplace(param.text.name).second) << param.text.name;
    for (const std::string& alias : param.aliases())
      EXPECT_TRUE(names.insert(alias).second) << alias;
    EXPECT_NO_THROW(checked_param(param, param.default_value)) << param.text.name;
  }
}

class Parameter : public EveryLearner {
 protected:
  void expect_refused(const ParamInfo& param, std::string_view text) const {
    AnyLearner changed = learner();
    const ParamValues before = changed.values();
    try {
      changed.set_text(param.text.name, text);
      ADD_FAILURE() << param.text.name << " took \"" << text << "\"";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(error.message().find(std::string(param.text.name) + " must be "), std::string::npos)
          << error.what();
    }
    EXPECT_EQ(changed.values(), before);
  }

  void expect_taken(const ParamInfo& param, std::string_view text) const {
    AnyLearner changed = learner();
    EXPECT_NO_THROW(changed.set_text(param.text.name, text)) << param.text.name << " " << text;
  }
};
GRADUS_FOR_EVERY_LEARNER(Parameter);

std::string number_text(const ParamInfo& param, double value) {
  return param.type == gradus::ParamType::integer ? std::to_string(static_cast<long long>(value))
                                                  : shortest(value);
}

bool takes_numbers(const ParamInfo& param) {
  return param.type == gradus::ParamType::integer || param.type == gradus::ParamType::real ||
         param.type == gradus::ParamType::choice_or_number;
}

bool takes_words(const ParamInfo& param) {
  return param.type == gradus::ParamType::choice ||
         param.type == gradus::ParamType::choice_or_number ||
         param.type == gradus::ParamType::choice_or_numbers;
}

TEST_P(Parameter, holds_its_bounds_exactly) {
  for (const ParamInfo& param : GetParam().entry->params) {
    const bool whole = param.type == gradus::ParamType::integer;
    if (!takes_numbers(param)) continue;
    const auto beyond = [&](double bound, double direction) {
      return whole ? bound + direction : std::nextafter(bound, direction * 1e308);
    };
    const Bound& low = param.text.low;
    const Bound& high = param.text.high;
    if (low.set) {
      expect_refused(param, number_text(param, beyond(low.value, -1)));
      low.inclusive ? expect_taken(param, number_text(param, low.value))
                    : expect_refused(param, number_text(param, low.value));
    }
    if (high.set) {
      expect_refused(param, number_text(param, beyond(high.value, +1)));
      high.inclusive ? expect_taken(param, number_text(param, high.value))
                     : expect_refused(param, number_text(param, high.value));
    }
  }
}

TEST_P(Parameter, takes_numbers_only_when_they_are_wholly_numbers) {
  for (const ParamInfo& param : GetParam().entry->params) {
    if (!takes_numbers(param)) continue;
    for (const char* text : {"", "abc", "nan", "inf", "-inf", " 5", "5 ", "0x5", "1e", "--1"}) {
      expect_refused(param, text);
    }
    if (param.type == gradus::ParamType::integer) {
      for (const char* text : {"1.5", "1e3", "99999999999999999999"}) expect_refused(param, text);
    }
  }
}

TEST_P(Parameter, takes_its_choices_in_their_spelling_and_no_others) {
  const SmallCase data = small();
  for (const ParamInfo& param : GetParam().entry->params) {
    if (!takes_words(param)) continue;
    for (const std::string& choice : param.choices) {
      AnyLearner changed = learner();
      changed.set_text(param.text.name, choice);
      fit_and_predict(changed, data.data, data.options);
    }
    for (const gradus::ValueAlias& one : param.also) {
      AnyLearner changed = learner();
      changed.set_text(param.text.name, one.alias);
      AnyLearner expected = learner();
      expected.set_text(param.text.name, one.name);
      EXPECT_EQ(changed.values(), expected.values()) << one.alias;
    }
    expect_refused(param, "");
    expect_refused(param, param.choices.front() + "x");
    expect_refused(param, param.choices.front().substr(0, param.choices.front().size() - 1));
  }
}

TEST_P(Parameter, inside_its_tuning_range_gives_a_model) {
  const SmallCase data = small();
  for (const ParamInfo& param : GetParam().entry->params) {
    if (!param.text.tune.set) continue;
    for (const double value : {param.text.tune.low, param.text.tune.high}) {
      AnyLearner changed = learner();
      changed.set_text(param.text.name, number_text(param, value));
      fit_and_predict(changed, data.data, data.options);
    }
  }
}

TEST_P(Parameter, that_does_not_exist_gets_the_nearest_names) {
  AnyLearner changed = learner();
  EXPECT_THROW(changed.set("no_such_parameter", Value(1)), Error);
  for (const ParamInfo& param : GetParam().entry->params) {
    if (param.text.name.size() < 5) continue;
    const std::string misspelt(param.text.name.substr(0, param.text.name.size() - 1));
    if (find_param(GetParam().entry->params, misspelt) != nullptr) continue;  // means another one
    try {
      changed.set(misspelt, Value(1));
      ADD_FAILURE() << misspelt;
    } catch (const Error& error) {
      EXPECT_NE(error.hint().find(param.text.name), std::string::npos) << error.what();
    }
  }
}

TEST_P(Parameter, is_reached_by_its_aliases_and_with_hyphens) {
  for (const ParamInfo& param : GetParam().entry->params) {
    std::string hyphened(param.text.name);
    for (char& c : hyphened) c = c == '_' ? '-' : c;
    EXPECT_EQ(find_param(GetParam().entry->params, hyphened)->text.name, param.text.name);
    for (const std::string& alias : param.aliases()) {
      EXPECT_EQ(find_param(GetParam().entry->params, alias)->text.name, param.text.name);
    }
  }
}

}  // namespace
}  // namespace gradus::conformance
