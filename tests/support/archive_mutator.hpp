// Lies with valid checksums: changes one or a few things in the stored form of a model, as somebody
// would who knows the format. Used by the tests of loading and by the fuzzer.
#pragma once

#include "gradus/core/archive.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

// Changes the archive in one to three places: a value or list of the tree, a number, the length,
// the type, the name or the order of the arrays. The choice depends on the stream alone.
void mutate(Archive& archive, Stream& stream);

}  // namespace gradus
