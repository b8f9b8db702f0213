// The steps of an isolation forest: what each tree drew, and how few cuts isolate a row.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/models/ensemble/isolation_forest/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void tell_isolation(const IsolationForestModel& model,
                    const std::vector<std::vector<std::uint32_t>>& samples,
                    const Signature& signature, Trace& trace);

}  // namespace gradus
