// Whether an array holds only finite numbers, at the speed of memory.
#pragma once

#include <nanobind/nanobind.h>

namespace gradus::python {

// Adds all_finite(array, threads): True or False, None where the elements do not lie side by side
// and NumPy must look itself.
void bind_finite(nanobind::module_& module);

}  // namespace gradus::python
