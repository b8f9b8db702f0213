// Long work that survives a kill: the state of a fit, kept from time to time.
//
// A learner that can resume asks its checkpoints what an earlier run has left, goes on from there,
// and hands its state over whenever it is due. Its random numbers are functions of (seed, round),
// so the state is the unfinished model and what cannot be computed from it again, and the end is
// the same bytes as without the interruption. Where the state goes, and whether it belongs to this
// very work, is the business of the implementation (api/checkpoint.hpp).
//
//   if (checkpoints.due(round)) {
//     Archive state;
//     state.tree = store(my_state, "state", state);
//     checkpoints.keep(std::move(state));
//   }
#pragma once

#include <cstdint>

#include "gradus/core/archive.hpp"

namespace gradus {

class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  // What an earlier run of this work has left; null at its beginning.
  virtual const Archive* state() const = 0;
  // Whether the state after `done` units of work is worth keeping.
  virtual bool due(std::uint64_t done) const = 0;
  // Replaces what was kept before, all or nothing.
  virtual void keep(Archive state) = 0;
};

}  // namespace gradus
