// How the columns of a table become the numbers of a learner, as a table for people.
#pragma once

#include <cstddef>

#include "gradus/api/preparation.hpp"
#include "gradus/report/document.hpp"

namespace gradus::report {

enum class Shown { all, changed };  // every column, or those that are not taken as they are

// For the learner of `info`; with all columns, also the first of their levels. `data` adds how many
// cells are missing; it may be null.
Table preparation_table(const Preparation& preparation, const Info& info, const Dataset* data,
                        Shown shown);

}  // namespace gradus::report
