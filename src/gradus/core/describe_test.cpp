#include <gtest/gtest.h>

#include "gradus/core/error.hpp"
#include "gradus/core/params_impl.hpp"

namespace gradus {
namespace {

enum class Colour { red, green, dark_blue };
constexpr std::array<std::string_view, 3> enum_names(Colour) {
  return {"red", "green", "dark_blue"};
}
constexpr std::array<ValueAlias, 2> enum_aliases(Colour) {
  return {{{"crimson", "red"}, {"navy_blue", "dark_blue"}}};
}

struct Depth {
  int max_depth = 3;
  static constexpr auto describe() {
    return Members{param(&Depth::max_depth, "max_depth", "Depth.").at_least(1)};
  }
};

struct Sample {
  int count = 2;
  bool on = true;
  double rate = 0.5;
  Colour colour = Colour::green;
  std::string word = "hi";
  std::vector<double> list = {1, 2};
  std::optional<int> limit;
  Depth depth;
  Seed seed = 0;

  template <class S = Sample>
  static constexpr auto describe() {
    return Members{param(&S::count, "count", "A count.").at_least(1).aka("n", "num_things"),
                   param(&S::on, "on", "A switch."),
                   param(&S::rate, "rate", "A rate.").above(0).at_most(1),
                   param(&S::colour, "colour", "A choice.").number_is("rate"),
                   param(&S::word, "word", "A word."),
                   param(&S::list, "list", "Numbers."),
                   param(&S::limit, "limit", "Optional.").at_least(1),
                   group(&S::depth),
                   param(&S::seed, "random_state", "Seed.").aka("seed")};
  }
};

struct Forgetful {
  int described = 0;
  int forgotten = 0;
  static constexpr auto describe() {
    return Members{param(&Forgetful::described, "described", "Only this one.")};
  }
};

static_assert(Described<Sample>);
static_assert(!Described<Forgetful>, "a forgotten member must be a compile error");

TEST(Describe, groups_are_flattened_and_defaults_come_from_the_members) {
  const ParamTable table = param_table<Sample>();
  ASSERT_EQ(table.size(), 9U);
  EXPECT_EQ(table[7].text.name, "max_depth");
  EXPECT_EQ(table[3].default_value.as_string(), "green");
  EXPECT_TRUE(table[6].default_value.is_null());
}

TEST(Describe, aliases_and_hyphens_find_the_parameter) {
  const ParamTable table = param_table<Sample>();
  EXPECT_EQ(find_param(table, "num-things")->text.name, "count");
  EXPECT_EQ(find_param(table, "max-depth")->text.name, "max_depth");
  EXPECT_EQ(find_param(table, "nothing"), nullptr);
}

TEST(Describe, a_value_may_have_the_name_it_has_elsewhere_and_is_kept_under_its_own) {
  const ParamTable table = param_table<Sample>();
  const ParamInfo& colour = *find_param(table, "colour");
  EXPECT_EQ(parse_param(colour, "crimson"), Value("red"));
  EXPECT_EQ(parse_param(colour, "navy-blue"), Value("dark_blue"));
  EXPECT_EQ(parse_param(colour, "dark-blue"), Value("dark_blue"));
  EXPECT_EQ(checked_param(colour, Value("navy_blue")), Value("dark_blue"));
  EXPECT_THROW(parse_param(colour, "navy"), Error);
  EXPECT_THROW(checked_param(colour, Value(1)), Error);
  EXPECT_EQ(to_json(to_value(colour).at("choice_aliases")),
            R"({"crimson":"red","navy_blue":"dark_blue"})");
  EXPECT_EQ(to_value(table[0]).find("choice_aliases"), nullptr);
}

std::string message_of(std::string_view name, std::string_view text) {
  const ParamTable table = param_table<Sample>();
  try {
    parse_param(require_param(table, name, "sample"), text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "";
}

TEST(Describe, messages_name_the_parameter_the_range_and_the_value) {
  EXPECT_EQ(message_of("max_depth", "0"), "max_depth must be at least 1 (got 0)");
  EXPECT_EQ(message_of("rate", "0"), "rate must be above 0 and at most 1 (got 0)");
  EXPECT_EQ(message_of("colour", "Red"),
            "colour must be one of red, green, dark_blue (got \"Red\")");
  EXPECT_EQ(message_of("limit", "0"), "limit must be at least 1, or none (got 0)");
  EXPECT_EQ(message_of("max_depth", "1e3"),
            "max_depth must be an integer: at least 1 (got \"1e3\")");
  EXPECT_EQ(message_of("max_depth", "3000000000"),
            "max_depth must be at most 2147483647 (got 3000000000)");
}

TEST(Describe, a_number_for_a_word_is_told_where_it_belongs) {
  const ParamTable table = param_table<Sample>();
  const ParamInfo& colour = require_param(table, "colour", "sample");
  for (const Value& given : {Value("0.1"), Value(0.1)}) {
    try {
      checked_param(colour, given);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "colour must be one of red, green, dark_blue (got 0.1)");
      EXPECT_EQ(error.hint(), "the number belongs to rate: --rate 0.1");
    }
  }
}

TEST(Describe, numbers_that_are_not_wholly_numbers_are_refused) {
  for (const char* text :
       {"1.5", "1e3", "", "abc", "nan", "inf", "99999999999999999999", " 5", "5 ", "0x5"}) {
    EXPECT_NE(message_of("count", text), "") << text;
  }
}

TEST(Describe, values_reach_the_members) {
  Sample sample;
  set_param(sample, "colour", Value("red"));
  set_param(sample, "limit", Value(7));
  set_param(sample, "max_depth", Value(9));
  set_param(sample, "random_state", Value("18446744073709551615"));
  EXPECT_EQ(sample.colour, Colour::red);
  EXPECT_EQ(sample.limit, 7);
  EXPECT_EQ(sample.depth.max_depth, 9);
  EXPECT_EQ(sample.seed, 18446744073709551615ULL);
}

enum class Tried { root, all };
constexpr std::array<std::string_view, 2> enum_names(Tried) { return {"root", "all"}; }
constexpr Tried share_of_one(Tried) { return Tried::all; }

struct Trier {
  ChoiceOrNumber<Tried> tried = Tried::root;
  ChoiceOrNumber<Colour> tint = 0.5;

  template <class T = Trier>
  static constexpr auto describe() {
    return Members{param(&T::tried, "tried", "Words, counts or shares.").above(0),
                   param(&T::tint, "tint", "Words or numbers.").at_most(2)};
  }
};
static_assert(Described<Trier>);

TEST(ChoiceOrNumber, is_a_word_a_count_or_a_share) {
  const ParamTable table = param_table<Trier>();
  EXPECT_EQ(table[0].allowed(), "one of root, all, or a number above 0");
  EXPECT_EQ(table[0].default_value, Value("root"));
  EXPECT_EQ(table[1].default_value, Value(0.5));
  Trier trier;
  const auto set = [&](const char* text) {
    set_param(trier, "tried", parse_param(table[0], text));
    return trier.tried;
  };
  EXPECT_EQ(set("3"), ChoiceOrNumber<Tried>(3));
  EXPECT_EQ(set("0.25"), ChoiceOrNumber<Tried>(0.25));
  EXPECT_EQ(set("all"), ChoiceOrNumber<Tried>(Tried::all));
  EXPECT_EQ(set("1").number(), 1);
  EXPECT_EQ(set("1.0").choice(), Tried::all);
  EXPECT_EQ(param_values(trier)[0].second, Value("all"));
  set_param(trier, "tint", parse_param(table[1], "1.0"));
  EXPECT_EQ(trier.tint.number(), 1);
  set_param(trier, "tint", parse_param(table[1], "navy-blue"));
  EXPECT_EQ(trier.tint.choice(), Colour::dark_blue);
}

TEST(ChoiceOrNumber, refuses_other_words_and_numbers_beyond_its_bounds) {
  const ParamTable table = param_table<Trier>();
  for (const char* text : {"", "rot", "0", "-1", "nan", "inf", "3 "}) {
    EXPECT_THROW(parse_param(table[0], text), Error) << text;
  }
  EXPECT_THROW(parse_param(table[1], "2.5"), Error);
}

enum class Rule { none, even };
constexpr std::array<std::string_view, 2> enum_names(Rule) { return {"none", "even"}; }

struct Weigher {
  ChoiceOrNumbers<Rule> weight = Rule::none;

  template <class W = Weigher>
  static constexpr auto describe() {
    return Members{param(&W::weight, "weight", "A word, or numbers by name.").at_least(0)};
  }
};
static_assert(Described<Weigher>);

TEST(ChoiceOrNumbers, is_a_word_or_a_number_for_each_name) {
  const ParamInfo info = param_table<Weigher>()[0];
  EXPECT_EQ(info.allowed(), "one of none, even, or name=number,... with numbers at least 0");
  EXPECT_EQ(info.default_value, Value("none"));
  Weigher weigher;
  const auto set = [&](const char* text) {
    set_param(weigher, "weight", parse_param(info, text));
    return weigher.weight;
  };
  EXPECT_TRUE(set("even").is(Rule::even));
  EXPECT_EQ(set("a=2,b c=0.5").numbers(), (NumbersByName{{"a", 2}, {"b c", 0.5}}));
  EXPECT_FALSE(weigher.weight.is(Rule::none));
  EXPECT_EQ(to_json(param_values(weigher)[0].second), R"({"a":2,"b c":0.5})");
  EXPECT_EQ(set("x=1=3").numbers(), (NumbersByName{{"x=1", 3}}));
  EXPECT_EQ(set(R"({"a,b": 4})").numbers(), (NumbersByName{{"a,b", 4}}));
}

TEST(ChoiceOrNumbers, refuses_other_words_numbers_beyond_its_bounds_and_names_said_twice) {
  const ParamInfo info = param_table<Weigher>()[0];
  for (const char* text : {"", "evn", "3", "a=", "a=2,b", "a=-1", "a=nan", "a=inf", "a=1,a=2",
                           R"({"a": "2"})", R"({"a": [2]})", "[1,2]"}) {
    EXPECT_THROW(parse_param(info, text), Error) << text;
  }
}

TEST(Describe, nothing_is_the_word_none_where_there_is_one) {
  EXPECT_EQ(checked_param(param_table<Weigher>()[0], Value()), Value("none"));
  EXPECT_THROW(checked_param(param_table<Sample>()[3], Value()), Error);
}

}  // namespace
}  // namespace gradus
