// A quick reader of plain JSON: what our own writer writes, which is what nearly every document is.
//
// The full parser reports every mistake at its place and knows every corner of the standard. A
// model file holds some hundred values in plain form, and reading them that way takes longer than
// all else of loading. This reader takes the common ground of both: objects of few distinct keys,
// texts without escapes, numbers in the usual forms. Whatever is not certain is left to the full
// parser, which decides whether it is right.
//
//   if (std::optional<Value> value = quick_json(text)) return *std::move(value);
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gradus/core/value.hpp"

namespace gradus {

// `written` is what `to_json` writes, byte by byte: no blanks, every number in its shortest form.
enum class JsonForm { any, written };

// The value of the whole text, or nothing when the full parser has to look at it. A value is that
// of the full parser; with `written`, `to_json` of it is the text, for certain.
std::optional<Value> quick_json(std::string_view text, JsonForm form = JsonForm::any);

// The full parser: parse_json without the attempt to be quick.
Value full_json(std::string_view text, const std::string& where);

}  // namespace gradus
