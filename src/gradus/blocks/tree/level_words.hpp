// Numbers and thresholds in the words of a column: a nominal or ordinal one has names for them.
//
//   cut_test(name, "<=", 0.8);        // "<= 0.8"
//   cut_test(name, "<=", 1.5);        // "<= medium", of an ordinal column
#pragma once

#include <string>
#include <string_view>

#include "gradus/contract/signature.hpp"

namespace gradus {

// "<= 0.8", "> medium": `sign` is "<=" or ">", and the last level below the threshold of an ordinal
// column stands for it. Where all values are below it: "is not missing", "is missing".
std::string cut_test(const FeatureName& name, std::string_view sign, double threshold);

// The level of an ordinal column up to which a threshold reaches.
std::string_view last_level_below(const FeatureName& name, double threshold);

// "0.8", "red", "medium": a number of a column, or the level that it stands for.
std::string number_in_words(const FeatureName& name, double number);

}  // namespace gradus
