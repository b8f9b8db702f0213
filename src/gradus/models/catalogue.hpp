// The list of all learners.
#pragma once

#include <span>
#include <string_view>

#include "gradus/contract/entry.hpp"

namespace gradus {

// Every learner, in the order of the catalogue.
std::span<const Entry* const> catalogue();

// The entry of a learner; an unknown name is an Error{usage} with the nearest names.
const Entry& find_learner(std::string_view name);

}  // namespace gradus
