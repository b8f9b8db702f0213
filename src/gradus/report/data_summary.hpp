// What a table holds, at a glance: each column with its kind, what is missing, its centre and
// spread or its commonest values, and a small histogram.
#pragma once

#include "gradus/data/dataset.hpp"
#include "gradus/report/document.hpp"

namespace gradus::report {

// `target` columns are marked. More than `most` columns are cut, and counted.
Table data_summary(const Dataset& data, const std::vector<std::string>& target,
                   std::size_t most = 60);

}  // namespace gradus::report
