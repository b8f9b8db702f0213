// Values of the library as Python objects, and back.
#pragma once

#include <nanobind/nanobind.h>

#include "gradus/core/params.hpp"
#include "gradus/core/value.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus::python {

namespace nb = nanobind;

// Objects become dicts (in order), arrays lists, null None.
nb::object to_python(const Value& value);

// The steps of an explanation as a list of dicts.
nb::list to_python(const std::vector<Step>& steps);

// A parameter as a user passes it: None, bool, numbers and their NumPy twins, text, and sequences
// or arrays of these. A number for a text parameter is written out; anything else is a TypeError.
Value param_from_python(const ParamInfo& info, nb::handle object);

}  // namespace gradus::python
