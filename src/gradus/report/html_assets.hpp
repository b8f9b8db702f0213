// The fixed parts of a report: its style, its script, and the digest that lets the script run under
// a policy that forbids every other one.
#pragma once

#include <string_view>

namespace gradus::report {

extern const std::string_view kStyle;
extern const std::string_view kScript;
extern const std::string_view kScriptDigest;  // base64 of the SHA-256 of kScript

}  // namespace gradus::report
