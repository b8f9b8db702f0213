// The steps of a work inside another work: they keep their own paths behind that of the outer one.
//
//   Recorder own;                       // each part of a parallel work records for itself,
//   replay(own, trace, "member 3");     // and is told in the order of the parts
#pragma once

#include <string>

#include "gradus/trace/trace.hpp"

namespace gradus {

void replay(const Recorder& inner, Trace& outer, const std::string& path);

}  // namespace gradus
