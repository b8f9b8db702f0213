#include "gradus/evaluate/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/nested_params.hpp"

namespace gradus {
namespace {

constexpr Encoding kEncodings[] = {Encoding::one_hot, Encoding::dummy, Encoding::ordinal,
                                   Encoding::target};

std::vector<Value> values_of(std::string_view name) {
  if (name == "standardize") return {Value(false), Value(true)};
  std::vector<Value> out;
  for (const Encoding one : kEncodings) out.emplace_back(encoding_word(one));
  return out;
}

std::string word_of(const Value& value) {
  return value.is_string() ? value.as_string() : to_json(value);
}

bool has_parameter(const AnyLearner& learner, std::string_view name) {
  return std::any_of(learner.params().begin(), learner.params().end(),
                     [&](const ParamInfo& info) { return info.text.name == name; });
}

}  // namespace

bool is_preparation(const AnyLearner& learner, std::string_view name) {
  return (name == "encode" || name == "standardize") && !has_parameter(learner, name);
}

std::optional<Dimension> preparation_dimension(const AnyLearner& learner, std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = trim(text.substr(0, equals));
  if (!is_preparation(learner, name)) return std::nullopt;
  const std::vector<Value> known = values_of(name);
  Dimension out{.parameter = std::string(name), .choices = known};
  if (equals == std::string_view::npos) return out;
  out.choices.clear();
  for (const std::string& part : split_text(text.substr(equals + 1), ',')) {
    const auto same = [&](const Value& value) { return word_of(value) == trim(part); };
    const auto found = std::find_if(known.begin(), known.end(), same);
    const bool twice = std::any_of(out.choices.begin(), out.choices.end(), same);
    if (found == known.end() || twice) {
      std::vector<std::string> words;
      for (const Value& value : known) words.push_back(word_of(value));
      throw Error(ErrorKind::usage, "--search",
                  fmt::format("{} is searched over {}, each at most once (got {})", name,
                              join(words, ", "), in_quotes(text)));
    }
    out.choices.push_back(*found);
  }
  return out;
}

Value setting_of(const PreparedLearner& pipeline, std::string_view name) {
  const auto& encode = pipeline.prepare.encode;
  if (is_preparation(pipeline.learner, name)) {
    if (name == "standardize") return Value(pipeline.prepare.standardize);
    return encode ? Value(encoding_word(*encode)) : Value();
  }
  return nested_value(pipeline.learner, name);
}

PreparedLearner with_settings(PreparedLearner pipeline, const ParamValues& settings) {
  for (const auto& [name, value] : settings) {
    if (!is_preparation(pipeline.learner, name)) {
      pipeline.learner.set(name, value);
    } else if (name == "standardize") {
      pipeline.prepare.standardize = value.as_bool();
    } else {
      pipeline.prepare.encode.reset();
      for (const Encoding one : kEncodings) {
        if (value.is_string() && value.as_string() == encoding_word(one)) {
          pipeline.prepare.encode = one;
        }
      }
    }
  }
  return pipeline;
}

}  // namespace gradus
