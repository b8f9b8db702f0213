// A learner with the preparation before it, fitted, tuned and saved as one.
//
// Encoding and standardising are part of every fit, learned from the rows that teach and kept in
// the model; here they are also something that a search may choose, beside the parameters of the
// learner: `encode=one_hot,target`, `standardize=false,true`.
//
//   Dimension scaled = *preparation_dimension(learner, "standardize=false,true");
//   PreparedLearner pipeline = with_settings(PreparedLearner{learner, prepare}, settings);
//   AnyModel model = fit(pipeline.learner, data, {.target = {"y"}, .prepare = pipeline.prepare});
#pragma once

#include <optional>
#include <string_view>

#include "gradus/api/preparation.hpp"
#include "gradus/evaluate/search_space.hpp"

namespace gradus {

struct PreparedLearner {
  AnyLearner learner;
  PrepareOptions prepare = {};
};

// Whether a setting of this name is about the preparation; a parameter of the learner goes first.
bool is_preparation(const AnyLearner& learner, std::string_view name);

// `encode=…` or `standardize=…`, alone or with values; nothing when the text is about something
// else. Error{usage} for values that are none.
std::optional<Dimension> preparation_dimension(const AnyLearner& learner, std::string_view text);

// The value that a pipeline has for a parameter or a setting of its preparation. The encoding is
// null where the learner's own is taken.
Value setting_of(const PreparedLearner& pipeline, std::string_view name);

PreparedLearner with_settings(PreparedLearner pipeline, const ParamValues& settings);

}  // namespace gradus
