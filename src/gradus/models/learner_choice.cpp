#include "gradus/models/learner_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/contract/info_value.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"

namespace gradus {
namespace {

// A learner over a learner over a learner: more levels are a mistake, and reading them would cost
// more and more.
constexpr std::size_t kDeepest = 4;

[[noreturn]] void refuse_choice(const std::string& message, std::string hint = {}) {
  throw Error(ErrorKind::usage, "", message, std::move(hint));
}

void refuse_depth() {
  refuse_choice(fmt::format("learners stand inside each other at most {} deep", kDeepest));
}

// Sets one parameter; the error says whose it is.
template <class Set>
void set_named(AnyLearner& learner, Set&& set) {
  try {
    set();
  } catch (const Error& error) {
    throw Error(error.kind(), error.where(),
                fmt::format("{}: {}", learner.entry().info.name, error.message()), error.hint());
  }
}

// Reads `name(key=value, ...)`.
class ChoiceReader {
 public:
  explicit ChoiceReader(std::string_view text) : text_(text) {}

  AnyLearner read() {
    AnyLearner learner(trim(text_.substr(0, std::min(text_.find('('), text_.size()))));
    at_ = text_.find('(');
    if (at_ == std::string_view::npos) return learner;
    ++at_;
    skip_spaces();
    while (!at(')')) {
      read_parameter(learner);
      if (at(',')) {
        ++at_;
        skip_spaces();
      } else if (!at(')')) {
        refuse_choice(fmt::format("{}: the bracket is not closed", in_quotes(text_)));
      }
    }
    ++at_;
    if (!trim(text_.substr(at_)).empty()) {
      refuse_choice(
          fmt::format("{} is not expected after the bracket", in_quotes(text_.substr(at_))));
    }
    return learner;
  }

 private:
  bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }

  void skip_spaces() {
    while (at(' ')) ++at_;
  }

  void read_parameter(AnyLearner& learner) {
    const std::size_t equals = text_.find('=', at_);
    const std::string_view name = trim(text_.substr(at_, std::min(equals, text_.size()) - at_));
    if (equals == std::string_view::npos || name.find_first_of(",()") != std::string_view::npos) {
      refuse_choice(fmt::format("{}: expected parameter=value, got {}", learner.entry().info.name,
                                in_quotes(text_.substr(at_))),
                    fmt::format("write {}(parameter=value, ...)", learner.entry().info.name));
    }
    at_ = equals + 1;
    skip_spaces();
    const bool quoted = at('"') || at('\'');
    const std::size_t begin = at_;
    skip_value();
    const std::string_view written = trim(text_.substr(begin, at_ - begin));
    set_named(learner, [&] {
      if (!quoted) return learner.set_text(name, written);
      const std::string text = unquoted(written);
      const ParamInfo& info = require_param(learner.params(), name, learner.entry().info.name);
      info.type == ParamType::text ? learner.set(name, Value(text)) : learner.set_text(name, text);
    });
  }

  // To the comma or bracket that ends the value; brackets and quotes inside are passed over.
  void skip_value() {
    std::size_t depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_quoted(c);
      } else if (c == '(' || c == '[') {
        ++depth;
      } else if (depth == 0 && (c == ',' || c == ')')) {
        return;
      } else if (c == ')' || c == ']') {
        depth -= depth > 0 ? 1 : 0;
      }
    }
  }

  void skip_quoted(char quote) {
    const std::size_t begin = at_;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\' && quote == '"') ++at_;
    }
    if (at_ >= text_.size()) {
      refuse_choice(fmt::format("the quote is not closed: {}", in_quotes(text_.substr(begin))));
    }
  }

  static std::string unquoted(std::string_view written) {
    if (written.front() == '"') return parse_json(written, "text").as_string();
    if (written.size() < 2 || written.back() != '\'') {
      refuse_choice(fmt::format("{} is not one text in quotes", in_quotes(written)));
    }
    return std::string(written.substr(1, written.size() - 2));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (const char c : text) {
    if (c == '(') deepest = std::max(deepest, ++depth);
    if (c == ')' && depth > 0) --depth;
  }
  return deepest;
}

std::size_t depth_of(const Value& value) {
  if (!value.is_object()) return 0;
  std::size_t deepest = 0;
  for (const auto& [key, member] : value.as_object()) {
    deepest = std::max(deepest, depth_of(member));
  }
  return 1 + deepest;
}

std::string setting_text(const ParamInfo& info, const Value& value) {
  if (value.is_null()) return "none";
  if (value.is_string() && info.type != ParamType::text) return value.as_string();
  return value.is_number() && !value.is_integer() ? shortest(value.as_number()) : to_json(value);
}

bool fits(const Info& info, const LearnerNeeds& needs) {
  return (info.tasks & needs.tasks).bits != 0 &&
         (info.accepts & needs.accepts).bits == needs.accepts.bits;
}

}  // namespace

AnyLearner parse_learner(std::string_view text) {
  if (depth_of(text) > kDeepest) refuse_depth();
  return ChoiceReader(trim(text)).read();
}

AnyLearner learner_from(const Value& value) {
  if (value.is_string()) return parse_learner(value.as_string());
  // An object with its parameters is two levels of JSON.
  if (depth_of(value) > 2 * kDeepest) refuse_depth();
  const Value* name = value.is_object() ? value.find("learner") : nullptr;
  if (name == nullptr || !name->is_string()) {
    refuse_choice(
        fmt::format("expected a text or {{\"learner\": \"NAME\", \"parameters\": {{…}}}}, got {}",
                    value.is_object() ? to_json(value) : std::string(value.type_name())));
  }
  AnyLearner learner = parse_learner(name->as_string());
  for (const auto& [key, part] : value.as_object()) {
    if (key == "learner") continue;
    if (key != "parameters" || !part.is_object()) {
      refuse_choice(
          fmt::format("{}: only \"learner\" and \"parameters\": {{…}} are expected beside {}",
                      learner.entry().info.name, in_quotes(key)));
    }
    for (const auto& [parameter, setting] : part.as_object()) {
      set_named(learner, [&, &parameter = parameter, &setting = setting] {
        learner.set(parameter, setting);
      });
    }
  }
  return learner;
}

std::string learner_text(const AnyLearner& learner) {
  std::vector<std::string> settings;
  const ParamTable& table = learner.params();
  const ParamValues values = learner.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].second == table[i].default_value) continue;
    settings.push_back(
        fmt::format("{}={}", values[i].first, setting_text(table[i], values[i].second)));
  }
  const std::string name(learner.entry().info.name);
  return settings.empty() ? name : fmt::format("{}({})", name, join(settings, ", "));
}

Value checked_choice(const ParamInfo& info, const Value& value, const LearnerNeeds& needs) {
  const std::string name(info.text.name);
  const std::string where = "--" + name;
  try {
    const AnyLearner learner = learner_from(value);
    if (fits(learner.info(), needs)) return Value(learner_text(learner));
    std::string able = join(task_words(learner.info().tasks), ", ");
    able += learner.info().accepts.has(Accept::weights) ? "" : " without row weights";
    throw Error(ErrorKind::usage, where,
                fmt::format("{} must be {} (got {}, which does {})", name, info.allowed(),
                            learner.entry().info.name, able),
                "these are: " + join(learners_for(needs), ", "));
  } catch (const Error& error) {
    // The inner error names what is wrong inside; the place is the parameter of the outer learner.
    throw Error(ErrorKind::usage, where, error.message(), error.hint());
  }
}

std::vector<std::string> learners_for(const LearnerNeeds& needs) {
  std::vector<std::string> names;
  for (const Entry* entry : catalogue()) {
    if (fits(entry->info, needs)) names.emplace_back(entry->info.name);
  }
  return names;
}

Value ChosenLearner::to_value() const {
  try {
    return Value(learner_text(learner()));
  } catch (const Error&) {
    return Value(text_);
  }
}

}  // namespace gradus
