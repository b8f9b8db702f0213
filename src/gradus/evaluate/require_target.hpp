// The truth must be in a table before anything is compared with it.
//
//   data = with_target(model, data, {"species"});   // this column has the answers
//   require_target(model, data, "test.csv");        // Error{bad_data} that names the column
#pragma once

#include <string>
#include <vector>

#include "gradus/api/any_model.hpp"

namespace gradus {

// `where` names the table; nothing is required of clusters.
void require_target(const AnyModel& model, const Dataset& data, const std::string& where = {});

// The table with `columns` under the names of the model's targets, in their order; no columns: as
// it is. Error{usage} names a column that is not there, or that the model reads as a feature.
Dataset with_target(const AnyModel& model, const Dataset& data,
                    const std::vector<std::string>& columns);

}  // namespace gradus
