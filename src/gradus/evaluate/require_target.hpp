// The truth must be in a table before anything is compared with it.
//
//   require_target(model, data, "test.csv");   // Error{bad_data} that names the column
#pragma once

#include <string>

#include "gradus/api/any_model.hpp"

namespace gradus {

// `where` names the table; nothing is required of clusters.
void require_target(const AnyModel& model, const Dataset& data, const std::string& where = {});

}  // namespace gradus
