// Inside evaluate/: estimates as JSON, the same words everywhere.
#pragma once

#include <optional>

#include "gradus/evaluate/cross_validate.hpp"

namespace gradus {

inline Value or_null(const std::optional<double>& x) { return x ? Value(*x) : Value(); }

// `mean`, `deviation` and `interval`, null where undefined.
inline void add_estimate(Value& out, const Estimate& estimate) {
  out["mean"] = or_null(estimate.mean);
  out["deviation"] = or_null(estimate.deviation);
  out["interval"] = estimate.interval ? object({{"low", estimate.interval->low},
                                                {"high", estimate.interval->high},
                                                {"method", "corrected t"}})
                                      : Value();
}

}  // namespace gradus
