// The parameters of a learner as a table: for `describe`, `--help` and reports.
#pragma once

#include "gradus/core/params.hpp"
#include "gradus/report/document.hpp"

namespace gradus::report {

// Every parameter with its default, what is allowed and what it means.
Table parameter_reference(const ParamTable& table);

// The values of one fit; those that are not the default are marked.
Table parameter_values(const ParamTable& table, const ParamValues& values);

}  // namespace gradus::report
